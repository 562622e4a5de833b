import { FieldProblem } from '@signalbox/contract/errors';
import * as z from 'zod/mini';
import { ApiError, describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { PlaceList } from './place-list.tsx';

/** Why a backup was refused, with every place in the file that the server names. */
export function RestoreProblems({ error }: { error: unknown }) {
  const details = error instanceof ApiError ? z.safeParse(z.array(FieldProblem), error.details) : undefined;
  if (details?.success !== true || details.data.length === 0) return describeError(error);
  return (
    <>
      {t('projects.fileRefused')}
      <PlaceList places={details.data} />
    </>
  );
}
