import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import css from './form-banner.module.css';

/** What is wrong with a form as a whole. Renders nothing without a message. */
export function FormBanner({ children }: { children: ReactNode }) {
  if (children === undefined || children === null || children === '') return null;
  return (
    <div className={css.banner} role="alert">
      <IconAlertTriangle size={17} stroke={1.7} aria-hidden />
      <div>{children}</div>
    </div>
  );
}
