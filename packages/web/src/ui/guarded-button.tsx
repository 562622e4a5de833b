import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

type GuardedButtonProps = ButtonProps & {
  /** Why the button cannot be used; undefined when it can. */
  reason: string | undefined;
  onClick: () => void;
  children: ReactNode;
  'aria-label'?: string;
};

/** A button that everybody sees. Who may not use it finds it grey, and learns why by pointer and by keyboard. */
export function GuardedButton({ reason, onClick, ...rest }: GuardedButtonProps) {
  const isBarred = reason !== undefined;
  return (
    <Tooltip label={reason} disabled={!isBarred} events={{ hover: true, focus: true, touch: true }} multiline maw={280}>
      <Button
        {...rest}
        data-disabled={isBarred}
        aria-disabled={isBarred}
        onClick={() => {
          if (!isBarred) onClick();
        }}
      />
    </Tooltip>
  );
}
