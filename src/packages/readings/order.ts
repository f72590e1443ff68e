// Orders what questions lack. A question that was asked by others already has their reading.
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import type { ReadingState } from '../../contract/reading.ts';
import type { PackageName } from '../../domain/ecosystems/index.ts';
import { packageKey } from '../../domain/published-package.ts';
import { type Asker, askerPriority, endedLately, type Missing } from '../../domain/readings/reading.ts';
import { turnsInLine } from '../../domain/readings/turns.ts';
import { elementAt } from '../../domain/records.ts';
import { toJson } from '../../store/json-text.ts';
import type { ReadingRow } from '../../store/schema/readings.ts';
import { describeReadings } from './describe.ts';
import { payForReadings, readingPayer } from './pay.ts';

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
  const { taken, refusedUntil } = await payForReadings(ctx, fresh, asker);
  const at = now(ctx);
  const payer = readingPayer(ctx);
  const turns = await nextTurns(ctx, { payer, priority, count: taken.length });
  const rows = taken.map(
    (one, index): ReadingRow => ({
      id: `rdg_${Buffer.from(ctx.randomBytes(16)).toString('base64url')}`,
      ecosystem: one.ecosystem,
      name: one.name,
      spelling: one.spelling,
      question: questionKey(one),
      from_version: one.from,
      to_version: one.to,
      priority,
      anonymous: ctx.caller.kind === 'anonymous' ? 1 : 0,
      payer,
      state: 'waiting',
      parts: toJson([]),
      reason: null,
      ordered_at: at,
      turn_at: elementAt(turns, index),
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
  if (raised.length > 0) {
    const [turn_at = at] = await nextTurns(ctx, { payer, priority, count: 1 });
    const ids = raised.map(({ id }) => id);
    await ctx.tx.updateTable('readings').set({ priority, turn_at }).where('id', 'in', ids).execute();
  }
  await ctx.ports.readings.enqueue(ctx, [...rows, ...raised]);
  return refusedUntil;
}

interface InLine {
  payer: string | null;
  priority: number;
  count: number;
}

async function nextTurns(ctx: WriteContext, { payer, priority, count }: InLine): Promise<string[]> {
  if (count === 0) return [];
  const open = ctx.tx.selectFrom('readings').where('ended_at', 'is', null).where('priority', '=', priority);
  const head = await open
    .select(({ fn }) => fn.min('turn_at').as('at'))
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  const own =
    payer === null
      ? undefined
      : await open
          .select(({ fn }) => fn.max('turn_at').as('at'))
          .where('payer', '=', payer)
          .executeTakeFirst();
  return turnsInLine({ at: ctx.clock(), head: head?.at ?? null, own: own?.at ?? null }, count);
}
