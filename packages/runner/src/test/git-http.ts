import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves the repositories of a directory over http with git's own program, behind a name and a password. */
export class GitHttpServer {
  readonly #root: string;
  readonly #wanted: string;
  readonly #server: Server;
  /** Every Authorization header that arrived. */
  readonly seen: string[] = [];

  constructor(root: string, login: string, password: string) {
    this.#root = root;
    this.#wanted = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const authorization = request.headers.authorization;
    if (authorization !== undefined) this.seen.push(authorization);
    if (authorization !== this.#wanted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://x');
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH ?? '',
        GIT_PROJECT_ROOT: this.#root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: 'x',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    request.pipe(child.stdin);
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('close', () => {
      const whole = Buffer.concat(parts);
      const end = whole.indexOf('\r\n\r\n');
      const headers = Object.fromEntries(
        whole
          .toString('latin1', 0, end)
          .split('\r\n')
          .map((line) => line.split(': ', 2)),
      );
      response.writeHead(Number.parseInt(headers.Status ?? '200', 10), headers).end(whole.subarray(end + 4));
    });
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
