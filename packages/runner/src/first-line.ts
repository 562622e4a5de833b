/** What comes on stdin up to the end of its first line. */
export async function readFirstLine(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    parts.push(part);
    if (part.includes(10)) break;
  }
  return Buffer.concat(parts).toString('utf8').split('\n', 1)[0]?.trim() ?? '';
}
