import { useEffect } from 'react';
import type { ShortcutGroup } from '../features/palette/shortcuts-dialog.tsx';
import { t } from '../lib/i18n.ts';
import { openCommand, takeTyped, useOpenCommand } from './commands.ts';
import { useLoaded } from './use-loaded.ts';
import { type ReachablePages, useReachablePages } from './use-pages.ts';
import { useShortcuts } from './use-shortcuts.ts';

const loadPalette = async () => (await import('../features/palette/palette.tsx')).Palette;
const loadShortcuts = async () => (await import('../features/palette/shortcuts-dialog.tsx')).ShortcutsDialog;

const handleClose = (): void => openCommand(undefined);
const handleShortcuts = (): void => openCommand('shortcuts');

/** Palette and list of keys, over any screen. */
export function CommandHost({ projectId }: { projectId: number | undefined }) {
  const command = useOpenCommand();
  const pages = useReachablePages(projectId);
  useShortcuts(pages, projectId);
  useEffect(() => handleClose, []);
  const Palette = useLoaded(loadPalette, command === 'palette');
  const ShortcutsDialog = useLoaded(loadShortcuts, command === 'shortcuts');
  const named = [
    ...pages.ofProject.map((page) => ({ ...page, isOfProject: true })),
    ...pages.ofInstallation.map((page) => ({ ...page, isOfProject: false })),
  ].map(({ label, icon: Icon, to, isOfProject }) => ({
    label: t(label),
    icon: <Icon size={17} stroke={1.7} aria-hidden />,
    to,
    isOfProject,
  }));
  return (
    <>
      {Palette === undefined ? null : (
        <Palette
          isOpen={command === 'palette'}
          projectId={projectId}
          pages={named}
          takeTyped={takeTyped}
          onClose={handleClose}
          onShortcuts={handleShortcuts}
        />
      )}
      {ShortcutsDialog === undefined ? null : (
        <ShortcutsDialog isOpen={command === 'shortcuts'} groups={listShortcuts(pages)} onClose={handleClose} />
      )}
    </>
  );
}

function listShortcuts({ ofProject }: ReachablePages): ShortcutGroup[] {
  const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
  return [
    {
      title: t('shortcuts.anywhere'),
      shortcuts: [
        { keys: [mod, 'K'], does: t('shortcuts.palette') },
        { keys: ['/'], does: t('shortcuts.find') },
        { keys: ['?'], does: t('shortcuts.sheet') },
        { keys: ['Esc'], does: t('shortcuts.close') },
      ],
    },
    { title: t('shortcuts.forms'), shortcuts: [{ keys: [mod, '↵'], does: t('shortcuts.send') }] },
    {
      title: t('shortcuts.log'),
      shortcuts: [
        { keys: [mod, 'F'], does: t('shortcuts.findInLog') },
        { keys: ['Home', 'End'], does: t('shortcuts.ends') },
      ],
    },
    {
      title: t('shortcuts.pages'),
      shortcuts: ofProject.flatMap(({ key, label }) =>
        key === undefined ? [] : [{ keys: ['g', key], does: t(label) }],
      ),
    },
  ];
}
