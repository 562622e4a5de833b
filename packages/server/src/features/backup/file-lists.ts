import type { BackupFile } from '@signalbox/contract/backup';

export type ListName =
  | 'views'
  | 'keys'
  | 'environments'
  | 'repositories'
  | 'inventories'
  | 'templates'
  | 'schedules'
  | 'integrations';
export type Item<Name extends ListName> = NonNullable<BackupFile[Name]>[number];

/** An item and where it stands in the file, such as `templates.3`: items may be left out, and made of members of others. */
export type Placed<T> = { readonly path: string; readonly item: T };

/** Says what of the file is not as it was. */
export type Note = (path: string, message: string) => void;

/** The lists of a file, none of them missing. */
export type FileLists = { readonly [Name in ListName]: readonly Placed<Item<Name>>[] } & {
  readonly integration_aliases: readonly Placed<string>[];
};

export function placeLists(file: BackupFile): FileLists {
  const place = <T>(name: string, items: readonly T[] | null | undefined): Placed<T>[] =>
    (items ?? []).map((item, at) => ({ path: `${name}.${at}`, item }));
  return {
    views: place('views', file.views),
    keys: place('keys', file.keys),
    environments: place('environments', file.environments),
    repositories: place('repositories', file.repositories),
    inventories: place('inventories', file.inventories),
    templates: place('templates', file.templates),
    schedules: place('schedules', file.schedules),
    integrations: place('integrations', file.integrations),
    integration_aliases: place('integration_aliases', file.integration_aliases),
  };
}
