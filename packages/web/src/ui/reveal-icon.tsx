import { IconEye, IconEyeOff } from '@tabler/icons-react';

/** The eye of a password field: closed while the text is hidden. */
export function RevealIcon({ reveal }: { reveal: boolean }) {
  const Icon = reveal ? IconEye : IconEyeOff;
  return <Icon size={17} stroke={1.7} />;
}
