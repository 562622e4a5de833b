import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { indentJson } from '../../lib/json-text.ts';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from '../../ui/dialog-frame.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { LoadingDialog } from './loading-dialog.tsx';
import { stateQuery, type WorkspacePlace } from './workspace-data.ts';
import css from './workspaces.module.css';

const width = 920;

type StateViewerProps = { place: WorkspacePlace; stateId: number; workspace: string; onClose: () => void };

/** One stored state, to read and to copy. */
export function StateViewer({ place, stateId, workspace, onClose }: StateViewerProps) {
  const { data: state, error } = useQuery(stateQuery(place, stateId));
  const title = t('states.viewer', { workspace });
  const isGone = error instanceof ApiError && error.status === 404;
  if (state === undefined && !isGone) {
    return <LoadingDialog title={title} width={width} error={error} onClose={onClose} />;
  }
  return (
    <DialogFrame isOpen onClose={onClose} width={width}>
      <DialogHeader
        title={title}
        subtitle={
          state === undefined ? undefined : (
            <span className={css.viewerMeta}>
              <span>
                {t('states.serialOf', { serial: state.serial })} · <TimeAgo time={state.created} />
              </span>
              <CopyButton text={state.state} label={t('states.copy')} />
            </span>
          )
        }
      />
      <DialogContent>
        {state === undefined ? (
          <EmptyState title={t('states.none')} />
        ) : (
          <CodeEditor
            label={title}
            isLabelHidden
            isReadOnly
            language="json"
            rows={16}
            value={indentJson(state.state)}
            onChange={() => undefined}
          />
        )}
      </DialogContent>
      <DialogFooter>
        <Button onClick={onClose} data-autofocus>
          {t('ui.close')}
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}
