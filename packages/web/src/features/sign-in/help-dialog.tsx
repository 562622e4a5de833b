import { Button, Modal } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import css from './login-screen.module.css';

const commands = [
  { label: 'signIn.helpList', text: './signalbox user list' },
  { label: 'signIn.helpPassword', text: './signalbox user change-password --login admin' },
  { label: 'signIn.helpAdmin', text: './signalbox user add --admin --login jane --name Jane --email jane@example.com' },
] as const;

/** What an operator on the server can do for someone who is locked out. */
export function HelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size={560}>
      <Modal.Overlay />
      <Modal.Content className={css.dialog}>
        <Modal.Title className={css.dialogTitle}>{t('signIn.helpTitle')}</Modal.Title>
        <p className={css.dialogText}>{t('signIn.helpText')}</p>
        {commands.map(({ label, text }) => (
          <section key={label}>
            <h3 className={css.dialogLabel}>{t(label)}</h3>
            <div className={css.command}>
              <code>{text}</code>
              <CopyButton text={text} />
            </div>
          </section>
        ))}
        <div className={css.dialogEnd}>
          <Button variant="primary" onClick={onClose}>
            {t('ui.ok')}
          </Button>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
