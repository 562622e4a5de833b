import { id, mayReference, number, references, type Table, text, unique } from '../schema-builder.ts';

const project = references('project', 'cascade');
/** Either of them owns a state: a workspace inventory, or the template for code without a backend of its own. */
const owner = { inventory_id: mayReference('inventory', 'cascade'), template_id: mayReference('template', 'cascade') };
const oneOwner = (table: string, columns: string[]) =>
  ['inventory', 'template'].map((name) => ({
    name: `${table}_${name}`,
    columns: [`${name}_id`, ...columns],
    unique: true,
    where: { sqlite: `${name}_id is not null`, postgres: `${name}_id is not null` },
  }));

/** The state backend for the Terraform family. */
export const terraformTables: readonly Table[] = [
  {
    name: 'terraform_alias',
    columns: {
      id,
      project_id: project,
      inventory_id: references('inventory', 'cascade'),
      alias: unique(text),
      auth_key_id: references('key', 'block'),
    },
  },
  {
    name: 'terraform_state',
    columns: {
      id,
      project_id: project,
      ...owner,
      workspace: text,
      task_id: mayReference('task', 'set null'),
      created: number,
      serial: number,
      state: text,
    },
    indexes: oneOwner('terraform_state', ['workspace', 'id']),
  },
  {
    name: 'terraform_lock',
    columns: {
      id,
      project_id: project,
      ...owner,
      workspace: text,
      lock_id: text,
      lock: text,
      task_id: mayReference('task', 'set null'),
      created: number,
    },
    indexes: oneOwner('terraform_lock', ['workspace']),
  },
];
