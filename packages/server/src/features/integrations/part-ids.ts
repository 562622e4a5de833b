import { AppError } from '../../errors.ts';
import { requireSameIds } from '../references/references.ts';

type Place = { projectId: number; integrationId: number; id?: number };
type Given = { project_id?: number | undefined; integration_id?: number | undefined; id?: number | undefined };

/** The body of a matcher or a value may repeat the ids of its address, and no others. */
export function requirePartIds({ projectId, integrationId, id }: Place, given: Given): void {
  requireSameIds(id === undefined ? { projectId } : { projectId, id }, given);
  if (given.integration_id !== undefined && given.integration_id !== integrationId) throw differs();
}

function differs(): AppError {
  const message = 'is not the one of the address';
  return new AppError('invalid', `integration_id ${message}`, [{ path: 'integration_id', message }]);
}
