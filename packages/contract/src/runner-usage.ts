/** What is put into a text of how to start a runner: what the answer to its creation held, and where the server is. */
export type RunnerUsage = {
  /** Address of the server as runners reach it. */
  readonly server: string;
  readonly token: string;
  /** PEM. */
  readonly privateKey: string;
};

export const runnerUsageKinds = ['config', 'setup', 'env', 'docker'] as const;
export type RunnerUsageKind = (typeof runnerUsageKinds)[number];

/**
 * How to start a runner, in each of the ways. `config` is a file; the others are lines for a shell. No secret is ever an
 * argument of a program, where every user of the machine could read it.
 */
export function writeRunnerUsage(kind: RunnerUsageKind, usage: RunnerUsage): string {
  switch (kind) {
    case 'config':
      return writeConfig(usage);
    case 'setup':
      return writeSetup(usage);
    case 'env':
      return writeEnvironment(usage);
    case 'docker':
      return writeDocker(usage);
  }
}

const keyFile = 'signalbox-runner.key';
const variableFile = 'signalbox-runner.env';

function writeConfig({ server, token, privateKey }: RunnerUsage): string {
  const key = privateKey
    .trim()
    .split('\n')
    .map((line) => `  ${line}`);
  return lines(
    '# config.yaml: chmod 600 it, then signalbox-runner start --config config.yaml',
    `server: ${JSON.stringify(server)}`,
    `token: ${JSON.stringify(token)}`,
    'private_key: |',
    ...key,
  );
}

function writeSetup(usage: RunnerUsage): string {
  return lines(
    ...writeKeyFile(usage),
    `signalbox-runner setup --server ${quote(usage.server)} --private-key-file ${keyFile} --token-stdin <<'END'`,
    usage.token,
    'END',
    `rm ${keyFile}`,
    'signalbox-runner start',
  );
}

function writeEnvironment(usage: RunnerUsage): string {
  return lines(
    ...writeKeyFile(usage),
    `export SIGNALBOX_SERVER=${quote(usage.server)}`,
    `export SIGNALBOX_RUNNER_TOKEN=${quote(usage.token)}`,
    `export SIGNALBOX_RUNNER_PRIVATE_KEY_FILE="$PWD/${keyFile}"`,
    'signalbox-runner start',
  );
}

function writeDocker(usage: RunnerUsage): string {
  const inside = `/run/${keyFile}`;
  return lines(
    ...writeKeyFile(usage),
    `cat > ${variableFile} <<'END'`,
    `SIGNALBOX_SERVER=${usage.server}`,
    `SIGNALBOX_RUNNER_TOKEN=${usage.token}`,
    `SIGNALBOX_RUNNER_PRIVATE_KEY_FILE=${inside}`,
    'END',
    'docker run --detach --name signalbox-runner --restart unless-stopped \\',
    `  --env-file ${variableFile} --volume "$PWD/${keyFile}:${inside}:ro" \\`,
    '  --volume signalbox-runner:/var/lib/signalbox-runner signalbox-runner',
  );
}

function writeKeyFile({ privateKey }: RunnerUsage): string[] {
  return ['umask 077', `cat > ${keyFile} <<'END'`, privateKey.trim(), 'END'];
}

const lines = (...parts: string[]): string => `${parts.join('\n')}\n`;
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
