import { Button, Modal } from '@mantine/core';
import type { Reference, References } from '@signalbox/contract/references';
import type { ReactNode } from 'react';
import { type MessageKey, t } from '../lib/i18n.ts';
import css from './form-dialog.module.css';
import lists from './references-dialog.module.css';

export type ReferenceKind = keyof References;

const titles: Record<ReferenceKind, MessageKey> = {
  templates: 'references.templates',
  inventories: 'references.inventories',
  repositories: 'references.repositories',
  integrations: 'references.integrations',
  schedules: 'references.schedules',
};
const kinds = Object.keys(titles) as ReferenceKind[];

/** Whether anything at all uses the object. */
export function hasReferences(references: References): boolean {
  return kinds.some((kind) => references[kind].length > 0);
}

type ReferencesDialogProps = {
  isOpen: boolean;
  /** Name of what cannot be deleted, as in "Can't delete the {object}". */
  object: string;
  references: References;
  onClose: () => void;
  /** The link to one of them. */
  renderLink: (kind: ReferenceKind, reference: Reference) => ReactNode;
};

/** Says why something cannot be deleted: what uses it, with links. */
export function ReferencesDialog({ isOpen, object, references, onClose, renderLink }: ReferencesDialogProps) {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size={450}>
      <Modal.Overlay />
      <Modal.Content className={css.content}>
        <header className={css.header}>
          <Modal.Title className={css.title}>{t('references.title', { object })}</Modal.Title>
          <p className={css.subtitle}>{t('references.text')}</p>
        </header>
        <div className={css.fields}>
          {kinds
            .filter((kind) => references[kind].length > 0)
            .map((kind) => (
              <section key={kind}>
                <h3 className={lists.kind}>{t(titles[kind])}</h3>
                <ul className={lists.list}>
                  {references[kind].map((reference) => (
                    <li key={reference.id}>{renderLink(kind, reference)}</li>
                  ))}
                </ul>
              </section>
            ))}
        </div>
        <footer className={css.footer}>
          <div className={css.start} />
          <Button variant="primary" onClick={onClose}>
            {t('ui.ok')}
          </Button>
        </footer>
      </Modal.Content>
    </Modal.Root>
  );
}
