import { Kbd, Switch } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { usePreference } from '../../lib/preferences.ts';
import { DialogContent, DialogFrame, DialogHeader } from '../../ui/dialog-frame.tsx';
import css from './shortcuts.module.css';

export type Shortcut = { keys: readonly string[]; does: string };
export type ShortcutGroup = { title: string; shortcuts: readonly Shortcut[] };

type ShortcutsDialogProps = { isOpen: boolean; groups: readonly ShortcutGroup[]; onClose: () => void };

/** The list of keys, and the switch for those that are a letter alone, which speech input types by itself. */
export function ShortcutsDialog({ isOpen, groups, onClose }: ShortcutsDialogProps) {
  const [letters, setLetters] = usePreference('letterKeys');
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} width={600}>
      <DialogHeader title={t('shortcuts.title')} />
      <DialogContent>
        <div className={css.groups}>
          {groups.map(({ title, shortcuts }) => (
            <section key={title}>
              <h3 className={css.title}>{title}</h3>
              <dl className={css.list}>
                {shortcuts.map(({ keys, does }) => (
                  <div key={does} className={css.row}>
                    <dt>{does}</dt>
                    <dd className={css.keys}>
                      {keys.map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <Switch
          label={t('shortcuts.letters')}
          description={t('shortcuts.lettersHint')}
          checked={letters}
          onChange={(event) => setLetters(event.currentTarget.checked)}
        />
      </DialogContent>
    </DialogFrame>
  );
}
