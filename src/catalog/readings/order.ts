// Orders what questions lack. A question that was asked by others already has their reading.
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import type { ReadingState } from '../../contract/reading.ts';
import type { PackageName } from '../../domain/ecosystems/index.ts';
import { addressKey } from '../../domain/net/address-key.ts';
import { packageKey } from '../../domain/published-package.ts';
import {
  type Asker,
  askerPriority,
  dailyAllowance,
  endedLately,
  hourlyAllowance,
  type Missing,
} from '../../domain/readings/reading.ts';
import { toJson } from '../../store/json-text.ts';
import type { ReadingRow } from '../../store/schema/readings.ts';
import { type Allowance, allowanceLeft, allowanceRenewsAt, takeAllowance } from '../evidence/allowance.ts';
import { describeReadings } from './describe.ts';

export interface WantedReading extends PackageName {
  spelling: string;
  from: string | null;
  to: string | null;
  missing: Missing;
}

// The readings of these questions in their order; null for packages that do not exist.
export async function orderReadings(
  ctx: Context,
  wanted: readonly WantedReading[],
  asker: Asker,
): Promise<(ReadingState | null)[]> {
  if (wanted.length === 0) return [];
  const missing = await unknownNames(ctx, wanted);
  const asked = wanted.filter((one) => !missing.has(packageKey(one)));
  const known = await readingsOfQuestions(ctx, asked);
  const isUrgent = (one: WantedReading) => {
    const row = known.get(questionKey(one));
    return row !== undefined && row.ended_at === null && row.state === 'waiting' && row.priority > askerPriority(asker);
  };
  const fresh = distinctQuestions(asked.filter((one) => !known.has(questionKey(one))));
  const raised = asked.filter(isUrgent).flatMap((one) => known.get(questionKey(one)) ?? []);
  let refusedUntil: string | null = null;
  if (fresh.length + raised.length > 0) {
    refusedUntil = await transact(ctx, (ctx) => writeOrders(ctx, { fresh, raised, asker }), 'bookkeeping');
  }
  const rows = fresh.length + raised.length > 0 ? await readingsOfQuestions(ctx, asked) : known;
  const list = [...new Set(rows.values())];
  const described = await describeReadings(ctx, list);
  const byQuestion = new Map(list.map((row, index) => [row.question, described[index] ?? null]));
  return wanted.map((one) => {
    if (missing.has(packageKey(one))) return null;
    return byQuestion.get(questionKey(one)) ?? (refusedUntil === null ? null : refusedReading(refusedUntil));
  });
}

function refusedReading(retryAt: string): ReadingState {
  const reason = 'the limit of readings is reached';
  return { id: null, state: 'refused', parts: [], startedAt: null, waitAhead: 0, retryAt, reason };
}

function questionKey({ from, to, ...named }: WantedReading): string {
  return [packageKey(named), from ?? '', to ?? ''].join('\n');
}

function distinctQuestions(wanted: readonly WantedReading[]): WantedReading[] {
  return [...new Map(wanted.map((one) => [questionKey(one), one])).values()];
}

// Names that their registry did not know today.
async function unknownNames(ctx: Context, wanted: readonly WantedReading[]): Promise<Set<string>> {
  const rows = await queries(ctx)
    .selectFrom('lookups')
    .select('coordinate')
    .where('coordinate', 'in', [...new Set(wanted.map(packageKey))])
    .where('status', '=', 'not_found')
    .where('expires_at', '>', now(ctx))
    .execute();
  return new Set(rows.map(({ coordinate }) => coordinate));
}

// Those that are open or have ended a moment ago.
async function readingsOfQuestions(ctx: Context, wanted: readonly WantedReading[]): Promise<Map<string, ReadingRow>> {
  if (wanted.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('readings')
    .selectAll()
    .where('question', 'in', [...new Set(wanted.map(questionKey))])
    .orderBy('ordered_at')
    .execute();
  const current = rows.filter(({ ended_at }) => ended_at === null || endedLately(ended_at, ctx.clock()));
  return new Map(current.map((row) => [row.question, row]));
}

interface NewReadings {
  fresh: readonly WantedReading[];
  raised: readonly ReadingRow[];
  asker: Asker;
}

// Returns until when the caller may order nothing more, or null.
async function writeOrders(ctx: WriteContext, { fresh, raised, asker }: NewReadings): Promise<string | null> {
  const priority = askerPriority(asker);
  const { taken, refusedUntil } = await payFor(ctx, fresh);
  const at = now(ctx);
  const rows = taken.map(
    (one): ReadingRow => ({
      id: `rdg_${Buffer.from(ctx.randomBytes(16)).toString('base64url')}`,
      ecosystem: one.ecosystem,
      name: one.name,
      spelling: one.spelling,
      question: questionKey(one),
      from_version: one.from,
      to_version: one.to,
      priority,
      anonymous: ctx.caller.kind === 'anonymous' ? 1 : 0,
      state: 'waiting',
      parts: toJson([]),
      reason: null,
      ordered_at: at,
      started_at: null,
      ended_at: null,
    }),
  );
  for (const row of rows) {
    await ctx.tx
      .insertInto('readings')
      .values(row)
      .onConflict((conflict) => conflict.column('question').where('ended_at', 'is', null).doNothing())
      .execute();
  }
  for (const { id } of raised) await ctx.tx.updateTable('readings').set({ priority }).where('id', '=', id).execute();
  await ctx.ports.readings.enqueue(
    ctx,
    [...rows, ...raised].map(({ ecosystem, name }) => ({ ecosystem, name, priority })),
  );
  return refusedUntil;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Paid {
  taken: readonly WantedReading[];
  refusedUntil: string | null;
}

// As many as the caller and all callers together may still order.
async function payFor(ctx: WriteContext, fresh: readonly WantedReading[]): Promise<Paid> {
  const isAnonymous = ctx.caller.kind === 'anonymous';
  const { daily } = ctx.config.ask;
  const day = now(ctx).slice(0, 10);
  const all = (one: WantedReading) => one !== undefined;
  const shares: { allowance: Allowance; of: (one: WantedReading) => boolean }[] = [
    { allowance: { key: `ask:${day}`, limit: dailyAllowance(daily, false), windowMs: DAY_MS }, of: all },
  ];
  if (isAnonymous) {
    const allowance = { key: `ask:anonymous:${day}`, limit: dailyAllowance(daily, true), windowMs: DAY_MS };
    shares.push({ allowance, of: all });
  }
  const hourly = hourlyAllowance(ctx.caller);
  if (hourly) {
    const who = ctx.caller.account?.userId ?? `ip:${addressKey(ctx.caller.ip)}`;
    const share = (kind: string, limit: number) => ({ key: `ask:${kind}:${who}`, limit, windowMs: HOUR_MS });
    shares.push(
      { allowance: share('packages', hourly.packages), of: ({ missing }) => missing.listing },
      { allowance: share('comparisons', hourly.comparisons), of: ({ missing }) => missing.comparison },
    );
  }
  let taken = [...fresh];
  let refusedUntil: string | null = null;
  for (const { allowance, of } of shares) {
    let room = await allowanceLeft(ctx, allowance);
    const kept = taken.filter((one) => !of(one) || room-- > 0);
    if (kept.length < taken.length) refusedUntil = await allowanceRenewsAt(ctx, allowance);
    taken = kept;
  }
  for (const { allowance, of } of shares) await takeAllowance(ctx, allowance, taken.filter(of).length);
  return { taken, refusedUntil };
}
