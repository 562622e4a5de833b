import { afterAll, beforeAll, expect, it } from 'vitest';
import { Yard } from './test/fixtures.ts';
import type { Track } from './test/protocol-server.ts';

let yard: Yard;

beforeAll(async () => {
  yard = await Yard.open();
});

afterAll(async () => {
  await yard.close();
  expect(yard.server.problems).toEqual([]);
  expect(yard.output).toBe('');
});

async function run(script: string, change: Parameters<Yard['script']>[1] = {}): Promise<Track> {
  const track = yard.server.add(yard.script(script, change));
  await yard.server.finished(track, 60_000);
  return track;
}

/** The lines of the tool: what follows the runner's own line about starting it. */
function toolLines(track: Track): Track['lines'] {
  const start = track.lines.findIndex((line) => line.text.toString().startsWith('Running '));
  return track.lines.slice(start + 1);
}

function toolText(track: Track): string[] {
  return toolLines(track).map((line) => line.text.toString());
}

it('keeps the exact order of stdout and stderr', async () => {
  const track = await run('for i in $(seq 1 500); do echo out $i; echo err $i >&2; done');
  const expected = Array.from({ length: 500 }, (_value, index) => [`out ${index + 1}`, `err ${index + 1}`]).flat();
  expect(toolText(track)).toEqual(expected);
});

it('lets a script open its output again as /dev/stderr and /dev/stdout', async () => {
  const track = await run('echo one > /dev/stderr; echo two > /dev/stdout; echo three | tee /dev/stderr');
  expect(track.finish?.outcome).toBe('success');
  expect(toolText(track)).toEqual(['one', 'two', 'three', 'three']);
});

it('stores NUL bytes and broken UTF-8 as they were written', async () => {
  const track = await run(String.raw`printf 'a\0b\xff\xfe\xc3(\n\xe2\x82\n'`);
  const lines = toolLines(track).map((line) => line.text);
  expect(lines).toEqual([Buffer.from('a\0b\xff\xfe\xc3(', 'latin1'), Buffer.from('\xe2\x82', 'latin1')]);
});

it('cuts a line of 10 MB without an end into records that join to the same bytes', async () => {
  const track = await run("head -c 10000000 /dev/zero | tr '\\0' x");
  const lines = toolLines(track);
  expect(lines.every((line) => line.text.length <= 65_536)).toBe(true);
  expect(lines.slice(0, -1).every((line) => line.continued)).toBe(true);
  expect(lines.at(-1)?.continued).toBe(false);
  const whole = Buffer.concat(lines.map((line) => line.text));
  expect(whole.length).toBe(10_000_000);
  expect(whole.every((byte) => byte === 120)).toBe(true);
});

it('keeps the last line when nothing ends it, and every CR, before LF and alone', async () => {
  const track = await run(String.raw`printf 'one\r\n10%%\r20%%\r\nlast'`);
  expect(toolText(track)).toEqual(['one\r', '10%\r20%\r', 'last']);
});

it('keeps every line of a quick writer, in order', async () => {
  const track = await run('seq 1 300000');
  const text = toolText(track);
  expect(text.length).toBe(300_000);
  expect(text.findIndex((line, index) => line !== String(index + 1))).toBe(-1);
});

it('masks secrets in all their forms, whatever else is printed', async () => {
  const secret = 'p"ss wörd/+1';
  const lines = [
    'echo "plain $TOKEN end"',
    'printf %s "$TOKEN" | base64',
    'printf %s "x$TOKEN" | base64',
    'printf %s "xy$TOKEN" | base64',
    `echo '${JSON.stringify({ token: secret })}'`,
    `echo '${encodeURIComponent(secret)}'`,
    'for part in $(seq 1 3); do printf %s "$TOKEN"; sleep 0.05; done; echo',
  ];
  const track = await run(lines.join('\n'), { secret_variables: { TOKEN: secret } });
  const text = toolText(track);
  expect(text[0]).toBe('plain *** end');
  expect(text[4]).toBe('{"token":"***"}');
  expect(text[5]).toBe('***');
  expect(text[6]).toBe('*********');
  for (const line of text.slice(1, 4)) expect(line).toContain('***');
  const bytes = Buffer.from(secret).toString('base64').slice(4, 12);
  expect(yard.server.textOf(track)).not.toContain(bytes);
});

it('says when secrets are too short to be masked', async () => {
  const track = await run('echo $PIN', { secret_variables: { PIN: '123' } });
  expect(yard.server.textOf(track)).toContain('1 of the secrets are shorter than 4 bytes');
});

it('gives scripts their secrets by environment and file, and never as an argument', async () => {
  const script =
    'echo "$#"; tr "\\0" " " < /proc/$$/cmdline; echo; stat -c %a "$SEMAPHORE_VARS_FILE"; sha256sum "$SEMAPHORE_VARS_FILE" | cut -c1-8; printf %s "$KEY" | sha256sum';
  const track = await run(script, { variables: { n: [1, 2] }, secret_variables: { KEY: 'open sesame' } });
  const [count, command, mode, , sum] = toolText(track);
  expect(count).toBe('1');
  expect(command).not.toContain('sesame');
  expect(command).toContain('n=[1,2]');
  expect(mode).toBe('600');
  // sha256 of "open sesame"
  expect(sum).toBe(
    `${Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('open sesame'))).toString('hex')}  -`,
  );
});

it('starts tools with an environment that is built from nothing', async () => {
  const track = await run('env | cut -d= -f1 | sort', {
    env: { MINE: '1' },
    details: { username: 'ann', url: 'http://x/1', message: 'm', incoming_version: null, target_version: '1.2' },
    task_type: 'build',
  });
  expect(toolText(track)).toEqual(
    [
      'HOME',
      'LANG',
      'LOGNAME',
      'MINE',
      'PATH',
      'PWD',
      'PYTHONUNBUFFERED',
      'SEMAPHORE_TASK_ID',
      'SEMAPHORE_TASK_MESSAGE',
      'SEMAPHORE_TASK_TARGET_VERSION',
      'SEMAPHORE_TASK_TYPE',
      'SEMAPHORE_TASK_URL',
      'SEMAPHORE_TASK_USERNAME',
      'SEMAPHORE_VARS_FILE',
      'SHLVL',
      'SIGNALBOX_RUNNER',
      'SIGNALBOX_TASK_CLAIM',
      'SIGNALBOX_TASK_ID',
      'SIGNALBOX_TASK_MESSAGE',
      'SIGNALBOX_TASK_TARGET_VERSION',
      'SIGNALBOX_TASK_TYPE',
      'SIGNALBOX_TASK_URL',
      'SIGNALBOX_TASK_USERNAME',
      'TERM',
      'TMPDIR',
      'USER',
      '_',
    ].sort(),
  );
});
