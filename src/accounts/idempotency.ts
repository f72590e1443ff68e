// One effect for each idempotency key. The claim on a key is committed before the work begins, so that a second caller
// sees it; the effect and the answer to repeat are committed together, so that neither exists without the other. Only
// work that waits for strangers has no transaction around it: its answer is stored when it is done.
import { type Context, transact } from '../context.ts';
import { ApiError } from '../contract/errors.ts';
import { systemTimers, type Timers } from '../net/timers.ts';
import { leasesEndedBy, renewLease } from '../store/lease.ts';
import type { Queries } from '../store/schema/index.ts';
import type { IdempotencyRow } from '../store/schema/operation.ts';

const BEAT_MS = 1000;

interface IdempotentAnswer {
  reply: RepeatableReply;
  replayed: boolean;
}

type IdempotentWork = (ctx: Context) => Promise<RepeatableReply>;

export async function runOnce(ctx: Context, call: IdempotentCall, work: IdempotentWork): Promise<IdempotentAnswer> {
  const earlier = await claimKey(ctx, call);
  if ('answer' in earlier) return { reply: earlier.answer, replayed: true };
  const mine: OwnClaim = { ...call, claimedAt: [earlier.claimedAt] };
  try {
    const reply = call.outbound ? await workOutside(ctx, mine, work) : await workInside(ctx, mine, work);
    return { reply, replayed: false };
  } catch (error) {
    await ctx.store
      .transaction((tx) => releaseKey(tx, mine), 'bookkeeping')
      .catch((err) => ctx.log.warn({ err }, 'an idempotency key could not be freed'));
    throw error;
  }
}

// With one writer, whoever wants the claim waits for the transaction, and a renewal would wait, too.
function workInside(ctx: Context, mine: OwnClaim, work: IdempotentWork): Promise<RepeatableReply> {
  const letGo = ctx.store.dialect.hasOneWriter ? null : holdClaim(ctx, mine);
  return transact(ctx, async (ctx) => {
    const reply = await work(ctx);
    await settleKey(ctx.tx, mine, reply);
    return reply;
  }).finally(() => {
    // A renewal that is still under way finds the key settled; nobody has to wait for it.
    void letGo?.();
  });
}

async function workOutside(ctx: Context, mine: OwnClaim, work: IdempotentWork): Promise<RepeatableReply> {
  const letGo = holdClaim(ctx, mine);
  const reply = await work(ctx).finally(letGo);
  // The work is done, so its caller gets the answer even when it cannot be stored for repetition.
  await ctx.store
    .transaction((tx) => settleKey(tx, mine, reply), 'bookkeeping')
    .catch((err) => ctx.log.warn({ err }, 'an answer could not be stored under its idempotency key'));
  return reply;
}

// The claim of a long call is renewed while it runs, so that the call does not count as dead.
function holdClaim(ctx: Context, mine: OwnClaim): () => Promise<void> {
  return renewLease({
    everyMs: BEAT_MS,
    timers: mine.timers ?? systemTimers,
    renew: async () => {
      await ctx.store.transaction((tx) => renewClaim(tx, mine, ctx.clock()), 'bookkeeping');
      return true;
    },
    onError: (err) => ctx.log.warn({ err }, 'the claim on an idempotency key could not be renewed'),
  });
}

// The rows of idempotency keys: claiming one, renewing the claim, and storing the answer that repeats get.

const REPEATABLE_MS = 24 * 3_600_000;

// A run that is alive renews its claim far more often; that of a process which was killed is free again after this.
const ABANDONED_MS = 4000;

interface IdempotentCall {
  callerKey: string;
  key: string;
  fingerprint: string;
  // The work asks other servers, which no transaction may wait for.
  outbound?: boolean;
  timers?: Timers;
}

interface RepeatableReply {
  status: number;
  body: unknown;
  headers: Record<string, string>;
  // The body without what is shown only once.
  repeatable: unknown;
}

type KeyClaim = { claimedAt: string } | { answer: RepeatableReply };

async function claimKey(ctx: Context, call: IdempotentCall): Promise<KeyClaim> {
  try {
    // Most repeats are answered by this read; a claim needs the writer, which the first request may be holding.
    const known = await findRow(ctx.store.read, call);
    if (known && !isFree(known, ctx.clock())) return judge(known, call);
    return await ctx.store.transaction(async (tx) => {
      const at = ctx.clock();
      if (await takeRow(tx, call, at)) return { claimedAt: at.toISOString() };
      const winner = await findRow(tx, call);
      if (!winner) throw inProgress();
      return judge(winner, call);
    }, 'bookkeeping');
  } catch (error) {
    if (error instanceof ApiError) throw error;
    ctx.log.error({ err: error }, 'an idempotency key could not be stored');
    throw new ApiError('idempotency_unavailable', 'the idempotency key cannot be stored; the request did not run');
  }
}

function findRow(db: Queries, { callerKey, key }: IdempotentCall): Promise<IdempotencyRow | undefined> {
  return db
    .selectFrom('idempotency')
    .selectAll()
    .where('caller_key', '=', callerKey)
    .where('key', '=', key)
    .executeTakeFirst();
}

function isFree(row: IdempotencyRow, at: Date): boolean {
  return (
    row.expires_at <= at.toISOString() || (row.state === 'running' && row.created_at <= leasesEndedBy(at, ABANDONED_MS))
  );
}

// Inserts the claim, or takes over a row that has expired or whose run has died; the condition is judged under the row's lock.
async function takeRow(tx: Queries, { callerKey, key, fingerprint }: IdempotentCall, at: Date): Promise<boolean> {
  const fresh = {
    fingerprint,
    state: 'running',
    status: null,
    body: null,
    location: null,
    created_at: at.toISOString(),
    expires_at: new Date(at.getTime() + REPEATABLE_MS).toISOString(),
  };
  const row = await tx
    .insertInto('idempotency')
    .values({ caller_key: callerKey, key, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['caller_key', 'key'])
        .doUpdateSet(fresh)
        .where((eb) =>
          eb.or([
            eb('idempotency.expires_at', '<=', fresh.created_at),
            eb.and([
              eb('idempotency.state', '=', 'running'),
              eb('idempotency.created_at', '<=', leasesEndedBy(at, ABANDONED_MS)),
            ]),
          ]),
        ),
    )
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

function judge(row: IdempotencyRow, call: IdempotentCall): KeyClaim {
  if (row.fingerprint !== call.fingerprint) {
    throw new ApiError('idempotency_conflict', 'this idempotency key belongs to another request');
  }
  if (row.state === 'running') throw inProgress();
  const body: unknown = row.body === null ? null : JSON.parse(row.body);
  const headers: Record<string, string> = row.location === null ? {} : { Location: row.location };
  return { answer: { status: row.status ?? 200, body, headers, repeatable: body } };
}

// More than can be under way at once.
const MAX_RENEWALS = 10;

interface OwnClaim extends IdempotentCall {
  // The times at which the claim was made and renewed. A renewal may be committed before or after its run is told, so
  // all of them are ours.
  claimedAt: string[];
}

async function settleKey(tx: Queries, mine: OwnClaim, reply: RepeatableReply): Promise<void> {
  if (reply.status >= 400) await releaseKey(tx, mine);
  else await storeAnswer(tx, mine, reply);
}

async function renewClaim(tx: Queries, mine: OwnClaim, at: Date): Promise<void> {
  const renewedAt = at.toISOString();
  mine.claimedAt = [...mine.claimedAt, renewedAt].slice(-MAX_RENEWALS);
  await tx
    .updateTable('idempotency')
    .set({ created_at: renewedAt })
    .where('caller_key', '=', mine.callerKey)
    .where('key', '=', mine.key)
    .where('state', '=', 'running')
    .where('created_at', 'in', mine.claimedAt)
    .execute();
}

async function storeAnswer(
  tx: Queries,
  { callerKey, key, claimedAt }: OwnClaim,
  reply: RepeatableReply,
): Promise<void> {
  const stored = await tx
    .updateTable('idempotency')
    .set({
      state: 'done',
      status: reply.status,
      body: reply.repeatable === undefined ? null : JSON.stringify(reply.repeatable),
      location: reply.headers.Location ?? null,
    })
    .where('caller_key', '=', callerKey)
    .where('key', '=', key)
    .where('state', '=', 'running')
    .where('created_at', 'in', claimedAt)
    .returning('key')
    .executeTakeFirst();
  // Another caller has taken over the claim and runs the request itself, so this effect is rolled back.
  if (!stored) throw inProgress();
}

async function releaseKey(tx: Queries, { callerKey, key, claimedAt }: OwnClaim): Promise<void> {
  await tx
    .deleteFrom('idempotency')
    .where('caller_key', '=', callerKey)
    .where('key', '=', key)
    .where('state', '=', 'running')
    .where('created_at', 'in', claimedAt)
    .execute();
}

function inProgress(): ApiError {
  const message = 'the first request with this idempotency key is still running';
  return new ApiError('idempotency_in_progress', message, undefined, { 'Retry-After': '1' });
}
