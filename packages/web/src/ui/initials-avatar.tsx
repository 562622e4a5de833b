import { chooseAvatarColour, takeInitials } from './initials.ts';
import css from './initials-avatar.module.css';

type InitialsAvatarProps = {
  name: string;
  /** Gives the colour; without an id the avatar is neutral. */
  id?: number | undefined;
  size?: number;
};

export function InitialsAvatar({ name, id, size = 30 }: InitialsAvatarProps) {
  return (
    <span
      className={css.avatar}
      data-colour={id === undefined ? undefined : chooseAvatarColour(id)}
      data-round={id === undefined || undefined}
      style={{ width: size, height: size }}
      aria-hidden
    >
      {takeInitials(name)}
    </span>
  );
}
