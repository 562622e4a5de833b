import { Button, Tabs } from '@mantine/core';
import { type RunnerUsageKind, runnerUsageKinds, writeRunnerUsage } from '@signalbox/contract/runner-usage';
import type { CreatedRunner } from '@signalbox/contract/runners';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { readBasePath } from '../../lib/base-path.ts';
import { type MessageKey, t } from '../../lib/i18n.ts';
import { systemQuery } from '../../lib/session.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from '../../ui/dialog-frame.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { SecretLine } from '../../ui/secret-line.tsx';
import css from './runners.module.css';

const WIDTH = 600;
const SHOWN_OF_KEY = 90;

const kinds: Record<RunnerUsageKind, MessageKey> = {
  config: 'runners.usageConfig',
  setup: 'runners.usageSetup',
  env: 'runners.usageEnv',
  docker: 'runners.usageDocker',
};

/** Address of the server as runners reach it: the public one where it is known, else that of this page. */
export function useServerAddress(): string {
  const { data: system } = useQuery(systemQuery);
  const known = system?.web_host ?? '';
  return known === '' ? `${location.origin}${readBasePath()}` : known.replace(/\/+$/, '');
}

/** The one time that token and private key of a runner are seen, and how to start it with them. */
export function CredentialsDialog({ runner, onClose }: { runner: CreatedRunner; onClose: () => void }) {
  const server = useServerAddress();
  const { name, token, private_key: privateKey } = runner;
  return (
    <DialogFrame isOpen onClose={onClose} width={WIDTH} closesOutside={false} closesByKey={false}>
      <DialogHeader title={t('runners.created', { name })} subtitle={t('runners.createdHint')} />
      <DialogContent>
        <SecretLine
          label={t('runners.token')}
          text={token}
          copyLabel={t('runners.copyToken')}
          copied={t('runners.tokenCopied')}
        />
        <div>
          <SecretLine
            label={t('runners.privateKey')}
            text={privateKey}
            shown={`${privateKey.slice(0, SHOWN_OF_KEY)}…`}
            copyLabel={t('runners.copyKey')}
            copied={t('runners.keyCopied')}
          />
          <div className={css.download}>
            <Button
              leftSection={<IconDownload size={17} stroke={1.7} />}
              onClick={() => saveFile(`${name.replace(/[^\w.-]+/g, '-')}.key.txt`, privateKey)}
            >
              {t('runners.downloadKey')}
            </Button>
          </div>
        </div>
        <div>
          <h3 className={css.heading}>{t('runners.usage')}</h3>
          <Tabs defaultValue="config" keepMounted={false}>
            <Tabs.List>
              {runnerUsageKinds.map((kind) => (
                <Tabs.Tab key={kind} value={kind}>
                  {t(kinds[kind])}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {runnerUsageKinds.map((kind) => (
              <Tabs.Panel key={kind} value={kind}>
                <UsageText text={writeRunnerUsage(kind, { server, token, privateKey })} />
              </Tabs.Panel>
            ))}
          </Tabs>
        </div>
      </DialogContent>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t('runners.done')}
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}

/** Lines for a file or a shell, with a button that copies them. */
export function UsageText({ text }: { text: string }) {
  return (
    <div className={css.usage}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard, too */}
      <pre className={css.text} tabIndex={0}>
        {text}
      </pre>
      <CopyButton
        text={text}
        label={t('runners.copyCommand')}
        done={t('runners.commandCopied')}
        wordFailure={(reason) => t('runners.cannotCopyCommand', { reason })}
      />
    </div>
  );
}
