import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { t } from '../lib/i18n.ts';
import { IconButton } from './icon-button.tsx';
import css from './pager.module.css';

const PAGE_SIZE = 20;

type PagerProps = { page: number; total: number; onPage: (page: number) => void; pageSize?: number };

/** Steps through pages under a table. Renders nothing when all fits on one. */
export function Pager({ page, total, onPage, pageSize = PAGE_SIZE }: PagerProps) {
  const pages = Math.ceil(total / pageSize);
  if (pages <= 1) return null;
  const current = Math.min(page, pages);
  const first = (current - 1) * pageSize + 1;
  return (
    <nav className={css.pager} aria-label={t('ui.pages')}>
      <span>{t('ui.pageOf', { first, last: Math.min(total, current * pageSize), total })}</span>
      <IconButton
        variant="default"
        label={t('ui.previousPage')}
        isDisabled={current === 1}
        onClick={() => onPage(current - 1)}
      >
        <IconChevronLeft size={17} stroke={1.7} />
      </IconButton>
      <IconButton
        variant="default"
        label={t('ui.nextPage')}
        isDisabled={current === pages}
        onClick={() => onPage(current + 1)}
      >
        <IconChevronRight size={17} stroke={1.7} />
      </IconButton>
    </nav>
  );
}

/** The rows of one page; a page past the end is the last one. */
export function slicePage<Row>(rows: readonly Row[], page: number, pageSize = PAGE_SIZE): Row[] {
  const last = Math.max(1, Math.ceil(rows.length / pageSize));
  const current = Math.min(page, last);
  return rows.slice((current - 1) * pageSize, current * pageSize);
}
