import { Button, TextInput } from '@mantine/core';
import type { View } from '@signalbox/contract/views';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SortableList } from '../../ui/sortable-list.tsx';
import { moveItem } from './reorder.ts';
import { useSaveViews } from './view-data.ts';
import { newView, type ViewDraft } from './view-draft.ts';
import css from './views.module.css';

type ViewsDialogProps = { projectId: number; views: readonly View[]; onClose: () => void };

/** Adds, names, orders and deletes the views of a project, all with one click at the end. */
export function ViewsDialog({ projectId, views, onClose }: ViewsDialogProps) {
  // What the dialog began with: what others change meanwhile must not be undone by an old draft.
  const [stored] = useState(views);
  const [drafts, setDrafts] = useState<ViewDraft[]>(() => views.map(({ id, title }) => ({ id, title })));
  const [isDirty, setDirty] = useState(false);
  const made = useRef(new Map<number, number>());
  const listRef = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const save = useSaveViews(projectId);
  const change = (next: ViewDraft[]): void => {
    setDrafts(next);
    setDirty(true);
  };
  const handleAdd = (): void => {
    change([...drafts, newView()]);
    requestAnimationFrame(() => [...(listRef.current?.querySelectorAll('input') ?? [])].at(-1)?.focus());
  };
  const handleRemove = (id: ViewDraft['id']): void => {
    change(drafts.filter((draft) => draft.id !== id));
    // The button that had the focus is gone; without it the keyboard would fall out of the form.
    addButton.current?.focus();
  };
  return (
    <FormDialog
      isOpen
      title={t('views.edit')}
      subtitle={t('views.hint')}
      submitLabel={t('ui.save')}
      onSubmit={() => save.mutate({ stored, drafts, made: made.current }, { onSuccess: onClose })}
      onClose={onClose}
      isBusy={save.isPending}
      isDirty={isDirty}
      error={save.error === null ? undefined : describeError(save.error)}
    >
      {drafts.length === 0 ? (
        <p className={css.none}>{t('views.none')}</p>
      ) : (
        <div ref={listRef}>
          <SortableList
            label={t('views.label')}
            items={drafts}
            itemKey={({ id }) => id}
            itemName={({ title }) => (title.trim() === '' ? t('views.untitled') : title)}
            onMove={(from, to) => change(moveItem(drafts, from, to))}
            renderActions={(view) => (
              <IconButton
                label={t('ui.deleteNamed', { name: view.title || t('views.untitled') })}
                hint={t('ui.delete')}
                size={28}
                onClick={() => handleRemove(view.id)}
              >
                <IconTrash size={16} stroke={1.7} />
              </IconButton>
            )}
          >
            {(view, at) => (
              <>
                <TextInput
                  className={css.title}
                  aria-label={t('views.title', { number: at + 1 })}
                  placeholder={t('views.untitled')}
                  maxLength={100}
                  value={view.title}
                  onChange={(event) => {
                    const title = event.currentTarget.value;
                    change(drafts.map((old) => (old.id === view.id ? { ...old, title } : old)));
                  }}
                />
              </>
            )}
          </SortableList>
        </div>
      )}
      <Button ref={addButton} className={css.add} leftSection={<IconPlus size={16} stroke={1.7} />} onClick={handleAdd}>
        {t('views.add')}
      </Button>
    </FormDialog>
  );
}
