import type { TestAnswer, TestServer } from './start-test-server.ts';

const own = 'http://localhost';

/** A browser's way through a sign-in: it keeps the cookies of each host and follows redirects, step by step. */
export class TestBrowser {
  readonly #server: TestServer;
  readonly #jars = new Map<string, Map<string, string>>();

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** Asks our server; cookies come and go. */
  async ask(path: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
    const cookie = this.#cookies(own);
    const answer = await this.#server.fetch('GET', path, {
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
    });
    const set = answer.headers['set-cookie'];
    this.#keep(own, set === undefined ? [] : [set].flat());
    return answer;
  }

  /** Follows a provider's redirects until they lead to another host, and returns where to. */
  async follow(url: string): Promise<URL> {
    const start = new URL(url);
    let next = start;
    for (let step = 0; step < 10 && next.origin === start.origin; step++) {
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie: this.#cookies(next.origin) } });
      this.#keep(next.origin, answer.headers.getSetCookie());
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${next} answered ${answer.status}: ${await answer.text()}`);
      next = new URL(location, next);
    }
    return next;
  }

  /** A cookie of our server. */
  cookie(name: string): string | undefined {
    return this.#jars.get(own)?.get(name);
  }

  setCookie(name: string, value: string): void {
    this.#keep(own, [`${name}=${value}`]);
  }

  #cookies(origin: string): string {
    return [...(this.#jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(origin: string, headers: readonly string[]): void {
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    for (const header of headers) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === '' || /max-age=0\b/i.test(header)) jar.delete(name);
      else jar.set(name, value);
    }
  }
}
