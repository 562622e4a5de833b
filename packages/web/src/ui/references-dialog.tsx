import { Button } from '@mantine/core';
import type { References } from '@signalbox/contract/references';
import { type MessageKey, t } from '../lib/i18n.ts';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from './dialog-frame.tsx';
import { type ReferenceKind, ReferenceLink } from './reference-link.tsx';
import css from './references-dialog.module.css';

const titles: Record<ReferenceKind, MessageKey> = {
  templates: 'references.templates',
  inventories: 'references.inventories',
  repositories: 'references.repositories',
  integrations: 'references.integrations',
  schedules: 'references.schedules',
};
const kinds = ['templates', 'inventories', 'repositories', 'integrations', 'schedules'] as const;

type ReferencesDialogProps = {
  isOpen: boolean;
  /** What cannot be deleted, as in "Can't delete the {object}". */
  object: string;
  references: References;
  onClose: () => void;
};

/** Says why something cannot be deleted: what uses it, with links. */
export function ReferencesDialog({ isOpen, object, references, onClose }: ReferencesDialogProps) {
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose}>
      <DialogHeader title={t('references.title', { object })} subtitle={t('references.text')} />
      <DialogContent>
        {kinds
          .filter((kind) => references[kind].length > 0)
          .map((kind) => (
            <section key={kind}>
              <h3 className={css.kind}>{t(titles[kind])}</h3>
              <ul className={css.list}>
                {references[kind].map((reference) => (
                  <li key={reference.id}>
                    <ReferenceLink kind={kind} reference={reference} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
      </DialogContent>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t('ui.ok')}
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}
