import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, Ref } from 'react';
import css from './data-table.module.css';

type RowAnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };

function RowAnchor(props: RowAnchorProps) {
  return <a {...props} className={css.target} />;
}

/** The name in a row as a link: the whole row is its area, and it opens in a new tab like any link. */
export const RowLink = createLink(RowAnchor);

/** The name in a row as a button, for what opens in a dialog. */
export function RowButton(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" {...props} className={css.target} />;
}
