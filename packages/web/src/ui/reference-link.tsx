import type { Reference, References } from '@signalbox/contract/references';
import { Link } from '@tanstack/react-router';
import { useOptionalProjectId } from '../lib/project-id.ts';
import css from './references-dialog.module.css';

export type ReferenceKind = keyof References;

/** Where an object is shown; kinds without a screen of their own are named without a link. */
export function ReferenceLink({ kind, reference }: { kind: ReferenceKind; reference: Reference }) {
  const id = useOptionalProjectId();
  const params = { projectId: String(id) };
  const edit = { edit: reference.id };
  switch (id === undefined ? undefined : kind) {
    case 'templates':
      return (
        <Link
          className={css.link}
          to="/project/$projectId/templates/$templateId"
          params={{ ...params, templateId: String(reference.id) }}
          search={{}}
        >
          {reference.name}
        </Link>
      );
    case 'inventories':
      return (
        <Link className={css.link} to="/project/$projectId/inventory" params={params} search={edit}>
          {reference.name}
        </Link>
      );
    case 'repositories':
      return (
        <Link className={css.link} to="/project/$projectId/repositories" params={params} search={edit}>
          {reference.name}
        </Link>
      );
    case 'integrations':
      return (
        <Link
          className={css.link}
          to="/project/$projectId/integrations/$integrationId"
          params={{ ...params, integrationId: String(reference.id) }}
          search={{}}
        >
          {reference.name}
        </Link>
      );
    case 'schedules':
      return (
        <Link className={css.link} to="/project/$projectId/schedule" params={params} search={edit}>
          {reference.name}
        </Link>
      );
    default:
      return reference.name;
  }
}
