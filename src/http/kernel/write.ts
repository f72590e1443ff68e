// POST, PUT, PATCH, DELETE: key, body, path, query and body rules, `run`.
import type { Context } from '../../context.ts';
import { ApiError, type Issue, validationFailed } from '../../contract/errors.ts';
import type { Answer } from './answer.ts';
import { parseJson, readBody } from './body.ts';
import { tidyBody } from './body-text.ts';
import type { CompiledRoute } from './compile.ts';
import type { Exchange } from './exchange.ts';
import { callerKeyOf, checkKey, fingerprintOf } from './idempotency.ts';
import { bodyIssues } from './issues.ts';
import type { Kernel } from './kernel.ts';
import { takeFurtherReads } from './limits.ts';
import { checkPathIds } from './path-ids.ts';
import { type ReadRequest, readQueryInput } from './read.ts';
import { renderReply, toReply } from './render.ts';
import type { Reply } from './route.ts';
import { verifyReply } from './verify.ts';

export async function executeWrite(kernel: Kernel, request: ReadRequest): Promise<Answer> {
  const { ctx, route, exchange } = request;
  const key = idempotencyKey(route, exchange);
  const body = route.body === null ? Buffer.alloc(0) : await readBody(exchange.request, route.bodyLimit);
  // Checked before the key is taken, so that no transaction waits for it; told after, as the order of checks wants.
  const input = await withFurtherIssues(
    request,
    body,
    attempt(() => readInput(request, body)),
  );
  const { reads } = route.declaration;
  if (reads) takeFurtherReads(kernel.tiers, ctx.caller, exchange, reads(input().body) - 1);
  const work = async (inner: Context): Promise<Reply> => {
    const reply = toReply(await route.declaration.run(inner, input() as never));
    if (kernel.verifyAnswers) verifyReply(route.declaration, reply);
    return reply;
  };
  const reply = key === null ? await work(ctx) : await runOnce(kernel, request, { key, body, work });
  return renderReply(ctx, route, exchange, reply);
}

function idempotencyKey(route: CompiledRoute, exchange: Exchange): string | null {
  const given = exchange.request.headers['idempotency-key'];
  const { method, reads } = route.declaration;
  if (method !== 'POST' || reads || !route.underApi || given === undefined) return null;
  return checkKey(String(given));
}

async function runOnce(
  kernel: Kernel,
  { ctx, route, exchange }: ReadRequest,
  call: { key: string; body: Buffer; work: (ctx: Context) => Promise<Reply> },
): Promise<Reply> {
  const { key, body, work } = call;
  const fingerprint = fingerprintOf({ method: 'POST', ...exchange.target, body });
  const { outbound = false } = route.declaration;
  const { reply, replayed } = await kernel.idempotency.run(
    ctx,
    { callerKey: callerKeyOf(ctx.caller), key, fingerprint, outbound },
    work,
  );
  if (replayed) exchange.response.setHeader('Idempotency-Replayed', 'true');
  return reply;
}

// One answer names everything that is wrong with a body, what only the registry knows included.
async function withFurtherIssues<T>({ ctx, route, exchange }: ReadRequest, bytes: Buffer, input: () => T) {
  const { bodyIssues: check, method } = route.declaration;
  if (!check) return input;
  return attemptAsync(async () => {
    const [failed, value] = outcomeOf(input);
    if (failed !== null && !isValidationFailure(failed)) throw failed;
    const tidied = tidyBody(parseJson(bytes, exchange.request.headers), { dropNulls: method === 'POST' });
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

function readInput({ route, exchange, params }: ReadRequest, bytes: Buffer) {
  const json = route.body === null ? undefined : parseJson(bytes, exchange.request.headers);
  const checked = checkPathIds(params);
  const query = readQueryInput(route, exchange.target.query);
  return { params: checked, query, body: route.body === null ? undefined : readBodyInput(route, json) };
}

function readBodyInput({ declaration, body }: CompiledRoute, json: unknown): unknown {
  if (declaration.method === 'PATCH' && isEmptyObject(json)) {
    const reason = 'must name at least one field';
    throw new ApiError('bad_request', `body: ${reason}`, { field: 'body', reason });
  }
  const tidied = tidyBody(json, { dropNulls: declaration.method === 'POST' });
  const result = body?.safeParse(tidied.value);
  const issues = [...tidied.issues, ...(result && !result.success ? bodyIssues(result.error) : [])];
  if (issues.length > 0) throw validationFailed(issues, declaration.reads && itemOf(issues));
  return result?.data;
}

// The place in its list of the first item that is wrong.
function itemOf(issues: readonly Issue[]): { index: number } | undefined {
  const places = issues.flatMap(({ path }) => /^items\.(\d+)(?:\.|$)/.exec(path)?.[1] ?? []);
  return places.length === 0 ? undefined : { index: Math.min(...places.map(Number)) };
}

function isEmptyObject(json: unknown): boolean {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && Object.keys(json).length === 0;
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
