export type AvatarColour = 'red' | 'blue' | 'orange' | 'green';
const colours = ['red', 'blue', 'orange', 'green'] as const;

/** First letters of the first two words, or the first two letters of a single word. */
export function takeInitials(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/);
  const letters =
    second === undefined ? [...first].slice(0, 2) : [...first].slice(0, 1).concat([...second].slice(0, 1));
  return letters.join('').toUpperCase();
}

/** The colours take turns, in the order in which projects were made. */
export function chooseAvatarColour(id: number): AvatarColour {
  return colours[(((id - 1) % 4) + 4) % 4] ?? 'red';
}
