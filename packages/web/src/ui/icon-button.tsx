import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import { useMergedRef, useTimeout } from '@mantine/hooks';
import { type AriaAttributes, type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react';

type Look = Pick<ActionIconProps, 'variant' | 'size' | 'loading'> &
  Pick<AriaAttributes, 'aria-pressed' | 'aria-keyshortcuts'>;

type IconButtonProps = Look & {
  /** Its name; among several of a kind it names the object too. */
  label: string;
  /** Said beside the icon, where the name is longer than that. */
  hint?: string;
  /** Why it cannot be used; undefined when it can. Said instead of the hint. */
  reason?: string | undefined;
  /** Takes no click for the moment. */
  isDisabled?: boolean;
  onClick: () => void;
  /** The icon. */
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

const hintDelayMs = 350;

/**
 * A button that shows an icon alone and says the rest to who comes near, by pointer or by keyboard. Lists have hundreds of
 * them, so the hint is made when it is asked for: in every row it would be more than a third of what the row costs.
 */
export function IconButton({
  label,
  hint = label,
  reason,
  isDisabled,
  onClick,
  children,
  ref,
  ...look
}: IconButtonProps) {
  const own = useRef<HTMLButtonElement>(null);
  const merged = useMergedRef(own, ref);
  const hintId = useId();
  const [isHinted, setHinted] = useState(false);
  const { start, clear } = useTimeout(() => setHinted(true), hintDelayMs);
  const leave = (): void => {
    clear();
    setHinted(false);
  };
  const isBarred = reason !== undefined;
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') leave();
  };
  const handleClick = (): void => {
    // A finger has no other way to ask.
    if (isBarred) setHinted(true);
    else onClick();
  };
  return (
    <>
      <ActionIcon
        {...look}
        ref={merged}
        aria-label={label}
        aria-describedby={isHinted ? hintId : undefined}
        disabled={isDisabled === true && !isBarred}
        {...(isBarred ? { 'data-disabled': true, 'aria-disabled': true } : {})}
        onClick={handleClick}
        onPointerEnter={start}
        onPointerLeave={leave}
        onFocus={(event) => {
          if (event.currentTarget.matches(':focus-visible')) start();
        }}
        onBlur={leave}
        onKeyDown={handleKey}
      >
        {children}
      </ActionIcon>
      {isHinted ? (
        <Tooltip target={own} label={<span id={hintId}>{reason ?? hint}</span>} opened multiline maw={280} />
      ) : null}
    </>
  );
}
