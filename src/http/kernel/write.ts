// Executes POST, PUT, PATCH and DELETE: idempotency key, body, path and query, then `run`.
import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Caller } from '../../contract/caller.ts';
import { ApiError, type Issue, validationFailed } from '../../contract/errors.ts';
import { type Admission, admit, type Execution } from './admit.ts';
import { type Answer, renderReply } from './answer.ts';
import { parseJson, readBody, readForm } from './body.ts';
import { readBodyInput, readFormInput, tidyBody } from './body-input.ts';
import { cutLists } from './cut-lists.ts';
import { requireOwnForm } from './forms.ts';
import type { HttpExchange } from './kernel.ts';
import { takeFurtherReads } from './limits.ts';
import { Reply, toReply } from './reply.ts';
import { type CompiledRoute, runRoute, verifyReply } from './router.ts';
import { checkPathIds, readQueryInput } from './target.ts';
import { judgeUnknownFields } from './unknown-fields.ts';

interface Arrived extends Admission {
  execution: Execution;
  bytes: Buffer;
  // Returns the body as JSON or throws its error.
  json: () => unknown;
}

export async function executeWrite(execution: Execution): Promise<Answer> {
  const { kernel, exchange, match } = execution;
  const { route } = match;
  const admission = await admit(execution);
  const { ctx } = admission;
  const key = idempotencyKey(route, exchange);
  const bytes = route.body === null ? Buffer.alloc(0) : await readBody(exchange.request, route.bodyLimit);
  const form = await formOf(execution, bytes);
  const json = await attemptAsync(async () =>
    route.body === null || form ? undefined : parseJson(bytes, exchange.request.headers),
  );
  const arrived: Arrived = { ...admission, request: { ...admission.request, form }, execution, bytes, json };
  // The input is checked before the key is claimed, so that no transaction waits for it; an error is thrown afterwards,
  // to preserve the documented order of checks.
  const input = await withFurtherIssues(
    arrived,
    attempt(() => readInput(arrived)),
  );
  nameIgnoredFields(arrived);
  const { reads, takesReads } = route.declaration;
  if (reads && !takesReads) {
    takeFurtherReads(kernel.tiers, { caller: ctx.caller, exchange, reads: reads(input().body) - 1 });
  }
  const run = async (callCtx: Context): Promise<Reply> => {
    const reply = toReply(
      await runRoute(route.declaration, { ctx: callCtx, input: input(), request: arrived.request }),
    );
    if (kernel.verifyAnswers) verifyReply(route.declaration, reply);
    return reply;
  };
  const reply = key === null ? await run(ctx) : await runOnce(arrived, key, run);
  return renderReply(ctx, { route, exchange, reply, written: null });
}

const MAX_NAMED = 1000;

function nameIgnoredFields({ execution: { exchange, match }, json, request }: Arrived): void {
  const { route } = match;
  if (!route.group.isApi || request.form || (route.declaration.accepts ?? 'json') !== 'json') return;
  const [failed, body] = outcomeOf(json);
  if (failed !== null) return;
  const names = judgeUnknownFields(route, route.body ? cutLists(route.body, body) : body).ignored.map((name) =>
    encodeURIComponent(name.toWellFormed()),
  );
  if (names.length > 0) exchange.response.setHeader('X-Ignored-Fields', names.join(', ').slice(0, MAX_NAMED));
}

function idempotencyKey(route: CompiledRoute, exchange: HttpExchange): string | null {
  const given = exchange.request.headers['idempotency-key'];
  const { method, reads } = route.declaration;
  if (method !== 'POST' || reads || !route.group.isApi || given === undefined) return null;
  return checkKey(String(given));
}

async function runOnce(
  { ctx, execution, bytes }: Arrived,
  key: string,
  work: (ctx: Context) => Promise<Reply>,
): Promise<Reply> {
  const { kernel, exchange, match } = execution;
  const fingerprint = fingerprintOf({ method: 'POST', ...exchange.target, body: bytes });
  const { outbound = false } = match.route.declaration;
  const call = { callerKey: callerKeyOf(ctx.caller), key, fingerprint, outbound };
  const { reply, replayed } = await kernel.idempotency.run(ctx, call, work);
  if (replayed) exchange.response.setHeader('Idempotency-Replayed', 'true');
  return new Reply(reply.status, reply.body, { ...reply.headers });
}

// Where a form is required, JSON counts as a form without fields, which the CSRF check refuses.
async function formOf(execution: Execution, bytes: Buffer): Promise<URLSearchParams | null> {
  const { accepts = 'json' } = execution.match.route.declaration;
  if (accepts === 'json') return null;
  const { headers } = execution.exchange.request;
  const form = await readForm(bytes, headers);
  if (form) return form;
  if (accepts === 'any') return null;
  await parseJson(bytes, headers);
  return new URLSearchParams();
}

function readInput({ ctx, request, execution, json: readJson }: Arrived) {
  const { route, params } = execution.match;
  const { form } = request;
  const isJson = (route.declaration.accepts ?? 'json') === 'json';
  const json = readJson();
  if (form && route.declaration.accepts === 'form') requireOwnForm(ctx, { ...request, form });
  const checked = checkPathIds(params);
  const query = readQueryInput(route, request.target.query);
  return { params: checked, query, body: bodyInput(route, { form, json, isJson }) };
}

function bodyInput(
  route: CompiledRoute,
  { form, json, isJson }: { form: URLSearchParams | null; json: unknown; isJson: boolean },
): unknown {
  if (route.body === null) return undefined;
  if (form) return readFormInput(route, form);
  return isJson ? readBodyInput(route, json) : json;
}

// One response lists everything that is wrong with a body, including checks that need the database.
async function withFurtherIssues<T>({ ctx, execution, json }: Arrived, input: () => T): Promise<() => T> {
  const { bodyIssues: check, method } = execution.match.route.declaration;
  if (!check) return input;
  return attemptAsync(async () => {
    const [failed, value] = outcomeOf(input);
    if (failed !== null && !isValidationFailure(failed)) throw failed;
    const tidied = tidyBody(json(), { dropNulls: method === 'POST' });
    const known = failed?.details?.issues ?? [];
    const further = (await check(ctx, tidied.value)).filter(({ path }) => known.every((issue) => issue.path !== path));
    if (further.length > 0) throw validationFailed([...known, ...further]);
    if (failed !== null) throw failed;
    return value as T;
  });
}

type ValidationFailure = ApiError & { details: { issues: Issue[] } };

function isValidationFailure(error: unknown): error is ValidationFailure {
  return error instanceof ApiError && error.code === 'validation_failed';
}

function outcomeOf<T>(input: () => T): [unknown, T | null] {
  try {
    return [null, input()];
  } catch (error) {
    return [error, null];
  }
}

async function attemptAsync<T>(work: () => Promise<T>): Promise<() => T> {
  try {
    const value = await work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function attempt<T>(work: () => T): () => T {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

// Repeated POSTs: the interface of the store for their replies.

interface IdempotentRequest {
  callerKey: string;
  key: string;
  // A hash of method, path, query and body.
  fingerprint: string;
  // The work sends requests to other servers, so it must not run inside a transaction.
  outbound: boolean;
}

export interface Idempotency {
  // Runs the work once per key. Unless it is outbound, the work gets the context of the transaction in which the reply
  // is stored.
  run(
    ctx: Context,
    call: IdempotentRequest,
    work: (ctx: Context) => Promise<Reply>,
  ): Promise<{ reply: Pick<Reply, 'status' | 'body' | 'headers'>; replayed: boolean }>;
}

const KEY = /^[\x21-\x7e]{16,255}$/;

function checkKey(value: string): string {
  if (KEY.test(value)) return value;
  const reason = 'must have 16 to 255 visible ASCII characters';
  throw new ApiError('bad_request', `Idempotency-Key: ${reason}`, { parameter: 'Idempotency-Key', reason });
}

function callerKeyOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return `ip:${caller.ip}`;
  if (caller.account) return `account:${caller.account.userId}`;
  return caller.tokenId === null ? caller.kind : `token:${caller.tokenId}`;
}

function fingerprintOf(request: { method: string; path: string; query: string; body: Uint8Array }): string {
  // Neither the path nor the query can contain a line feed.
  const head = `${request.method}\n${request.path}\n${request.query}\n`;
  return createHash('sha256').update(head).update(request.body).digest('hex');
}

// Without a store a request with a key is refused, because it could not be recognized when it is repeated.
export const NO_IDEMPOTENCY: Idempotency = {
  async run() {
    throw new ApiError('idempotency_unavailable', 'the key cannot be stored; the request did not run');
  },
};
