import { randomBytes } from 'node:crypto';
import { JobRepository, type Probe } from '@signalbox/contract/job';
import { type ProbeAnswer, sealProbeAad } from '@signalbox/contract/runner-protocol';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '../db/database.ts';
import { placeOf } from '../db/sealed-columns.ts';
import type { ProbeTable } from '../db/tables.ts';
import type { Logger } from '../logger.ts';
import { mayServe } from './choose-tasks.ts';
import type { Clock } from './clock.ts';
import { type JobSettings, locateRepository } from './make-job.ts';
import type { RunnerSession } from './runner-session.ts';
import { sealFor } from './seal-job.ts';
import { openKey } from './stored-secrets.ts';

const channel = 'signalbox_probes';
/** How long a question waits for a runner, and then for its answer. */
const usualPatienceMs = 30_000;
/** A runner that was not heard of for so long does not answer any more. */
const silentMs = 15_000;
const maxAttempts = 2;
/** What nobody waits for any more: the server that asked is gone. */
const keepMs = 300_000;

export type Question = {
  readonly projectId: number;
  readonly kind: Probe['kind'];
  readonly repositoryId: number;
  /** That of the repository where it is not said. */
  readonly branch?: string;
  /** Of the runner that is to answer; none where it is not said. */
  readonly runnerTag?: string | null;
};
export type Finding = { readonly ok: boolean; readonly text: string };

export type ProbeParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly settings: JobSettings & { readonly patienceMs?: number };
  readonly sessions: () => Iterable<RunnerSession>;
};

const StoredQuestion = z.object({ kind: z.enum(['remote_head', 'repository_test']), repository: JobRepository });
const place = (id: string) => placeOf('probe', id);

/**
 * Questions that only a runner may answer, because it runs git with a text of a user. A question is a row, so that any
 * server may hand it out and any may take the answer; it is asked once more when its runner is lost.
 */
export class ProbeBoard {
  readonly #parts: ProbeParts;
  /** Those who wait here for an answer. */
  readonly #waiting = new Map<string, (finding: Finding) => void>();
  /** Questions that no runner has, as far as this server knows. */
  readonly #open = new Set<string>();
  readonly #stopListening: () => void;

  constructor(parts: ProbeParts) {
    this.#parts = parts;
    this.#stopListening = parts.database.notices.listen(channel, (text) => void this.#receive(text));
  }

  stop(): void {
    this.#stopListening();
    for (const resolve of this.#waiting.values()) resolve({ ok: false, text: 'The server is shutting down' });
  }

  async ask(question: Question): Promise<Finding> {
    const { database, clock } = this.#parts;
    const repository = await this.#findRepository(question);
    if ('ok' in repository) return repository;
    const id = randomBytes(16).toString('hex');
    const text = JSON.stringify({ kind: question.kind, repository });
    await database.transact((db) =>
      db
        .insertInto('probe')
        .values({
          id,
          project_id: question.projectId,
          runner_tag: question.runnerTag ?? null,
          question: database.keyring.seal(text, place(id)),
          created: clock.now(),
          instance: null,
          claimed: null,
          attempts: 0,
          ok: null,
          answer: null,
        })
        .execute(),
    );
    try {
      return await this.#waitForAnswer(id);
    } finally {
      this.#open.delete(id);
      await database.transact((db) => db.deleteFrom('probe').where('id', '=', id).execute());
    }
  }

  /** Gives a runner the questions that it may answer. */
  async offer(session: RunnerSession): Promise<void> {
    for (const id of [...this.#open]) {
      if (!session.mayProbe) return;
      const probe = await this.#claim(id, session);
      if (probe !== undefined) session.giveProbe(probe);
    }
  }

  /** @returns the ids of all answers: what is not open any more need not be sent again either */
  async takeAnswers(answers: readonly ProbeAnswer[]): Promise<string[]> {
    const { database } = this.#parts;
    for (const { probe_id: id, ok, text } of answers) {
      // PostgreSQL has no NUL in texts, and a program may write one.
      const answer = text.replaceAll('\0', '').toWellFormed();
      const result = await database.transact((db) =>
        db.updateTable('probe').set({ ok, answer }).where('id', '=', id).where('ok', 'is', null).executeTakeFirst(),
      );
      if (result.numUpdatedRows === 0n) continue;
      this.#open.delete(id);
      const resolve = this.#waiting.get(id);
      if (resolve === undefined) await database.notices.send(channel, `done ${id}`);
      else resolve({ ok, text: answer });
    }
    return answers.map((answer) => answer.probe_id);
  }

  /** Questions whose runner did not get them, or was lost: another one, or it again, is asked once more. */
  async reopen(ids: readonly string[]): Promise<void> {
    const { database } = this.#parts;
    for (const id of ids) {
      const result = await database.transact((db) =>
        db
          .updateTable('probe')
          .set({ instance: null, claimed: null })
          .where('id', '=', id)
          .where('ok', 'is', null)
          .where('attempts', '<', maxAttempts)
          .executeTakeFirst(),
      );
      if (result.numUpdatedRows > 0n) await this.#announce(id);
    }
  }

  /** @param lastHeard of a runner process */
  async sweep(lastHeard: (instance: string) => number): Promise<void> {
    const { database, clock } = this.#parts;
    const now = clock.now();
    await database.transact((db) =>
      db
        .deleteFrom('probe')
        .where('created', '<', now - keepMs)
        .execute(),
    );
    const rows = await database.read
      .selectFrom('probe')
      .select(['id', 'instance'])
      .where('ok', 'is', null)
      .where('claimed', '<', now - silentMs)
      .execute();
    await this.reopen(
      rows
        .filter((row) => this.#waiting.has(row.id) && lastHeard(row.instance ?? '') < now - silentMs)
        .map(({ id }) => id),
    );
  }

  async #waitForAnswer(id: string): Promise<Finding> {
    const { promise, resolve } = Promise.withResolvers<Finding>();
    this.#waiting.set(id, resolve);
    const patienceMs = this.#parts.settings.patienceMs ?? usualPatienceMs;
    const giveUp = () => resolve({ ok: false, text: `No runner has answered within ${patienceMs / 1000} seconds` });
    // Twice, because the runner itself takes as long as that for one answer.
    const timer = setTimeout(giveUp, 2 * patienceMs);
    const unclaimed = setTimeout(() => this.#open.has(id) && giveUp(), patienceMs);
    try {
      await this.#announce(id);
      return await promise;
    } finally {
      clearTimeout(timer);
      clearTimeout(unclaimed);
      this.#waiting.delete(id);
    }
  }

  async #announce(id: string): Promise<void> {
    this.#open.add(id);
    await this.#parts.database.notices.send(channel, `open ${id}`);
    await this.#offerAll();
  }

  async #offerAll(): Promise<void> {
    for (const session of this.#parts.sessions()) await this.offer(session);
  }

  async #receive(text: string): Promise<void> {
    const [kind, id = ''] = text.split(' ');
    try {
      if (kind === 'open') {
        this.#open.add(id);
        await this.#offerAll();
        return;
      }
      const resolve = this.#waiting.get(id);
      if (resolve === undefined) return;
      const row = await this.#findProbe(id);
      if (row?.ok != null) resolve({ ok: row.ok, text: row.answer ?? '' });
    } catch (error) {
      this.#parts.log.warn('A notice about a question to a runner was lost', { cause: error });
    }
  }

  async #claim(id: string, session: RunnerSession) {
    const { database, clock, log } = this.#parts;
    const row = await this.#findProbe(id);
    if (row === undefined || row.ok !== null || row.instance !== null) {
      this.#open.delete(id);
      return undefined;
    }
    const contact = session.contact;
    const wanted = { projectId: row.project_id, runnerTag: row.runner_tag };
    if (contact === undefined || !mayServe(contact.identity, wanted)) return undefined;
    const result = await database.transact((db) =>
      db
        .updateTable('probe')
        .set((eb) => ({ instance: session.instance, claimed: clock.now(), attempts: eb('attempts', '+', 1) }))
        .where('id', '=', id)
        .where('instance', 'is', null)
        .executeTakeFirst(),
    );
    this.#open.delete(id);
    if (result.numUpdatedRows === 0n) return undefined;
    try {
      const question = z.parse(StoredQuestion, JSON.parse(database.keyring.open(row.question, place(id))));
      const probe: Probe = { probe_id: id, ...question };
      const text = JSON.stringify(probe);
      const sealed = sealFor(contact.request.public_key, text, sealProbeAad(id, session.instance));
      return { probe_id: id, sealed };
    } catch (error) {
      log.error('A question could not be made ready for a runner', { cause: error });
      this.#waiting.get(id)?.({ ok: false, text: 'The question could not be sent to a runner' });
      return undefined;
    }
  }

  #findProbe(id: string): Promise<Selectable<ProbeTable> | undefined> {
    return this.#parts.database.read.selectFrom('probe').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async #findRepository({ projectId, repositoryId, branch }: Question): Promise<JobRepository | Finding> {
    const { database, settings } = this.#parts;
    const row = await database.read
      .selectFrom('repository')
      .innerJoin('key', 'key.id', 'repository.ssh_key_id')
      .select(['repository.id', 'repository.git_url', 'repository.git_branch', 'repository.host_key_policy'])
      .select(['key.id as key_id', 'key.name as key_name', 'key.type as key_type', 'key.secret as key_secret'])
      .where('repository.id', '=', repositoryId)
      .where('repository.project_id', '=', projectId)
      .executeTakeFirst();
    if (row === undefined) return { ok: false, text: 'There is no such repository in this project' };
    try {
      const key = openKey(database.keyring, { id: row.key_id, type: row.key_type, secret: row.key_secret });
      const { id, host_key_policy } = row;
      return { id, ...locateRepository(row.git_url, settings), branch: branch ?? row.git_branch, key, host_key_policy };
    } catch (error) {
      const text = `The key "${row.key_name}" cannot be decrypted by this server`;
      this.#parts.log.warn(text, { cause: error });
      return { ok: false, text };
    }
  }
}
