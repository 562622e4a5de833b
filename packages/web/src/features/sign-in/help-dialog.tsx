import { Button } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from '../../ui/dialog-frame.tsx';
import css from './login-screen.module.css';

const commands = [
  { label: 'signIn.helpList', text: './signalbox user list' },
  { label: 'signIn.helpPassword', text: './signalbox user change-password --login admin' },
  { label: 'signIn.helpAdmin', text: './signalbox user add --admin --login jane --name Jane --email jane@example.com' },
] as const;

/** What an operator on the server can do for someone who is locked out. */
export function HelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose}>
      <DialogHeader title={t('signIn.helpTitle')} subtitle={t('signIn.helpText')} />
      <DialogContent>
        {commands.map(({ label, text }) => (
          <section key={label}>
            <h3 className={css.commandLabel}>{t(label)}</h3>
            <div className={css.command}>
              <code>{text}</code>
              <CopyButton text={text} />
            </div>
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
