import type { Inventory } from '@signalbox/contract/inventories';
import type { Template } from '@signalbox/contract/templates';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useSearch } from '@tanstack/react-router';
import { fitsApp, hasWorkspaces } from '../../lib/app-inventories.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { inventoriesQuery } from '../../lib/project-lists.ts';
import { systemQuery, useProjectAccess } from '../../lib/session.ts';
import { templateQuery } from '../../lib/task-queries.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { StateAliases } from './state-aliases.tsx';
import { StateList } from './state-list.tsx';
import { useTemplateId } from './template-screen.tsx';
import { linkToTemplate, useViewId } from './use-view.ts';
import { WorkspaceList } from './workspace-list.tsx';

/** Workspaces of a template for Terraform or OpenTofu, and the state of the one that is chosen. */
export function TemplateStateScreen() {
  const projectId = useProjectId();
  const templateId = useTemplateId();
  const viewId = useViewId();
  const { data: template } = useQuery(templateQuery(projectId, templateId));
  const inventories = useQuery(inventoriesQuery(projectId));
  if (template === undefined) return null;
  if (!hasWorkspaces(template.app)) return <Navigate {...linkToTemplate(projectId, viewId, templateId)} replace />;
  if (inventories.data === undefined && inventories.error !== null) {
    return <ErrorState error={inventories.error} onRetry={() => void inventories.refetch()} />;
  }
  return <Workspaces template={template} inventories={inventories.data} />;
}

type WorkspacesProps = { template: Template; inventories: readonly Inventory[] | undefined };

function Workspaces({ template, inventories }: WorkspacesProps) {
  const { data: system } = useQuery(systemQuery);
  const canEdit = useProjectAccess(template.project_id).can('resources');
  const { workspace } = useSearch({ strict: false });
  const fitting = inventories?.filter(({ type }) => fitsApp(template.app, type));
  const own = fitting?.filter(({ template_id: holder }) => holder === template.id);
  // The default one is what tasks change, unless another was asked for.
  const chosen = own?.find(({ id }) => id === workspace) ?? own?.find(({ id }) => id === template.inventory_id);
  const isBackendOn = system?.premium_features.terraform_backend ?? false;
  const shared = { projectId: template.project_id, isBackendOn, canEdit };
  return (
    <>
      <WorkspaceList
        template={template}
        workspaces={own}
        free={fitting?.filter(({ template_id: holder }) => holder === null) ?? []}
        chosen={chosen}
        canEdit={canEdit}
      />
      {chosen === undefined || system === undefined ? null : (
        <>
          <StateAliases key={`aliases-${chosen.id}`} workspace={chosen} {...shared} />
          <StateList key={`states-${chosen.id}`} workspace={chosen} {...shared} />
        </>
      )}
    </>
  );
}
