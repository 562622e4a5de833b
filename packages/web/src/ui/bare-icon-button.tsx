import type { ButtonHTMLAttributes, Ref } from 'react';
import css from './icon-button.module.css';

export type IconButtonLook = {
  variant?: 'subtle' | 'default';
  /** Width and height in pixels. */
  size?: 26 | 28 | 32 | 34;
};

type BareIconButtonProps = IconButtonLook &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> & {
    'aria-label': string;
    ref?: Ref<HTMLButtonElement>;
  };

/** A button that shows an icon alone: an element and a class and no more, since lists have hundreds of them. */
export function BareIconButton({ variant = 'subtle', size = 32, className, ...rest }: BareIconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      className={className === undefined ? css.button : `${css.button} ${className}`}
      data-variant={variant}
      data-size={size}
    />
  );
}
