import { notifications } from '@mantine/notifications';
import { describeError } from '../lib/failure.ts';

const SHOWN_MS = 3000;

/** Says in a corner that something went well. */
export function showSuccess(message: string): void {
  notifications.show({ message, color: 'var(--success)', autoClose: SHOWN_MS, withBorder: false });
}

/** Says in a corner, in red, what went wrong; for failures that have no form to stand in. */
export function showFailure(error: unknown): void {
  const message = typeof error === 'string' ? error : describeError(error);
  notifications.show({ message, color: 'var(--failed)', autoClose: SHOWN_MS, withBorder: false, role: 'alert' });
}
