/** A semaphore signal: the sign of the house. */
export function Logo({ size = 30 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 30 30" aria-hidden>
      <rect width="30" height="30" rx="7" fill="var(--ink)" />
      <path d="M10.2 7v15.2" stroke="var(--on-ink)" strokeWidth="2" strokeLinecap="round" />
      <circle cx="10.2" cy="22.6" r="1.9" fill="var(--on-ink)" />
      <path d="M9.6 8.6 21.4 7.4v6L9.6 12.6z" fill="#e2333c" />
    </svg>
  );
}
