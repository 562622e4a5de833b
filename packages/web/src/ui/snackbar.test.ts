import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../lib/failure.ts';
import { showFailure, showSuccess } from './snackbar.ts';

afterEach(() => notifications.clean());

test('a failure is shown in red for three seconds, what went well in green', () => {
  showFailure(new ApiError({ status: 409, code: 'conflict', message: 'Somebody was quicker' }));
  showSuccess('User Ada saved');
  expect(notificationsStore.getState().notifications).toMatchObject([
    { message: 'Somebody was quicker', color: 'var(--failed)', autoClose: 3000, role: 'alert' },
    { message: 'User Ada saved', color: 'var(--success)', autoClose: 3000 },
  ]);
});
