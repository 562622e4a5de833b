import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Read by Terraform and OpenTofu after all other files of the directory, so that it adds to what they say. */
const overrideName = 'signalbox_backend_override.tf';
const codeName = /\.(tf|tofu)(\.json)?$/;

/** Comments are no code; strings are kept, as a `#` in one begins none. */
function dropComments(code: string): string {
  return code.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?\*\/|(?:#|\/\/)[^\n]*/g, (found) =>
    found.startsWith('"') ? found : ' ',
  );
}

function namesBackend(name: string, code: string): boolean {
  if (name.endsWith('.json')) return /"(backend|cloud)"\s*:/.test(code);
  const plain = dropComments(code);
  return /\bbackend\s+"[^"]*"\s*\{/.test(plain) || /\bcloud\s*\{/.test(plain);
}

/** Whether the code says itself where its state is. */
export function hasBackend(directory: string): boolean {
  return readdirSync(directory, { withFileTypes: true }).some(
    ({ name }) => codeName.test(name) && namesBackend(name, readFileSync(join(directory, name), 'utf8')),
  );
}

/** Its address and password come by the environment of each step: none of them is written here. */
export function writeStateBackend(directory: string): void {
  writeFileSync(join(directory, overrideName), 'terraform {\n  backend "http" {}\n}\n', { flag: 'wx' });
}
