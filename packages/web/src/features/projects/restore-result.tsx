import { Button } from '@mantine/core';
import type { RestoredProject } from '@signalbox/contract/backup';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from '../../ui/dialog-frame.tsx';
import { PlaceList } from './place-list.tsx';
import css from './projects.module.css';

/** What has become of a backup, and what is left to do by hand. However it is closed, the new project is opened. */
export function RestoreResult({ project }: { project: RestoredProject }) {
  const navigate = useNavigate();
  const params = { projectId: String(project.id) };
  const openProject = (): void => void navigate({ to: '/project/$projectId/history', params, search: {} });
  const openKeys = (): void => void navigate({ to: '/project/$projectId/keys', params, search: {} });
  const { empty_keys: keys, empty_secrets: secrets, new_aliases: aliases, not_carried: lost } = project;
  return (
    <DialogFrame isOpen onClose={openProject} closesOutside={false}>
      <DialogHeader title={t('projects.restoredTitle')} />
      <DialogContent>
        <p>{t('projects.restored', { name: project.name })}</p>
        {keys.length === 0 ? null : (
          <Left title={t('projects.emptyKeys', { count: keys.length })}>
            {keys.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </Left>
        )}
        {secrets.length === 0 ? null : (
          <Left title={t('projects.emptySecrets', { count: secrets.length })}>
            {secrets.map(({ environment_id: id, environment, name }) => (
              <li key={`${id} ${name}`}>{t('projects.secretOf', { environment, name })}</li>
            ))}
          </Left>
        )}
        {aliases.length === 0 ? null : (
          <Left title={t('projects.newAliases', { count: aliases.length })}>
            {aliases.map(({ alias, new_alias: next }) => (
              <li key={alias}>{t('projects.newAlias', { alias, next })}</li>
            ))}
          </Left>
        )}
        {lost.length === 0 ? null : (
          <section>
            <h3 className={css.left}>{t('projects.notCarried', { count: lost.length })}</h3>
            <PlaceList places={lost} />
          </section>
        )}
      </DialogContent>
      <DialogFooter>
        {keys.length === 0 ? null : <Button onClick={openKeys}>{t('projects.toKeys')}</Button>}
        <Button variant="primary" onClick={openProject} data-autofocus>
          {t('projects.open')}
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}

/** Something that a person must still do, with the things that it is about. */
function Left({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className={css.left}>{title}</h3>
      <ul className={css.places}>{children}</ul>
    </section>
  );
}
