import type { BackupFile } from '@signalbox/contract/backup';
import * as z from 'zod/mini';
import { t } from '../../lib/i18n.ts';

/** What the form needs to know of a backup; the server reads the rest. */
const BackupShape = z.looseObject({ meta: z.looseObject({ name: z.optional(z.string()) }) });
type BackupShape = z.infer<typeof BackupShape>;

/** @throws Error with a sentence for the person who has chosen the file */
export function readBackup(text: string): BackupShape {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(t('projects.fileNotJson'), { cause });
  }
  const backup = z.safeParse(BackupShape, value);
  if (!backup.success) throw new Error(t('projects.fileNoBackup'));
  return backup.data;
}

/** The backup with the name that the new project shall have. */
export function nameBackup(backup: BackupShape, name: string): BackupFile {
  // The server says what is wrong with the rest of it, member by member.
  return { ...backup, meta: { ...backup.meta, name: name.trim() } } as BackupFile;
}
