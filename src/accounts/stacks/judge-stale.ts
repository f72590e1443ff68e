// Which packages of stacks are asked about again in the background: those whose source, entry in the package map, listing or
// comparison has changed since the stored answer.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { onBehalfOf } from '../on-behalf-of.ts';
import { ASKED_COLUMNS, type AskedPackage, judgePackages } from './judge.ts';

// Everything is asked again after this time, whatever is known to have changed.
const OLDEST_MS = 6 * 3_600_000;
const AT_ONCE = 500;
const PART = 100;
// A change has the time at which it was made, and may be committed that much later.
const COMMITTED_MS = 90_000;

interface StaleInput {
  signal: AbortSignal;
  // Changes before it are known to have been asked about.
  since?: Date;
  // Also asks again about what changed so lately that the stored answer may have missed its commit.
  isThorough?: boolean;
}

// True when more may wait.
export async function judgeStale(ctx: Context, { signal, since, isThorough = false }: StaleInput): Promise<boolean> {
  const before = ctx.clock().getTime();
  const oldest = new Date(before - OLDEST_MS).toISOString();
  const from = since === undefined ? oldest : new Date(since.getTime() - COMMITTED_MS).toISOString();
  const missed = isThorough ? new Date(before - COMMITTED_MS).toISOString() : null;
  const unasked = await unaskedPackages(ctx, oldest);
  const changed = await changedPackages(ctx, { from, missed });
  const rows = [...new Map([...unasked, ...changed].map((row) => [stackedKey(row), row])).values()];
  for (const [userId, own] of Map.groupBy(rows, ({ user_id }) => user_id)) {
    for (let start = 0; start < own.length; start += PART) {
      if (signal.aborted) return true;
      await judgePackages(onBehalfOf(ctx, userId), own.slice(start, start + PART));
    }
  }
  return unasked.length >= AT_ONCE || changed.length >= AT_ONCE;
}

type OwnedPackage = AskedPackage & { user_id: string };

function stackedKey({ stack_id, ecosystem, name, version }: OwnedPackage): string {
  return [stack_id, ecosystem, name, version].join('\n');
}

const OWNED = sql.raw(`${ASKED_COLUMNS.map((column) => `p.${column}`).join(', ')}, k.user_id`);

async function unaskedPackages(ctx: Context, oldest: string): Promise<OwnedPackage[]> {
  const part = (which: RawBuilder<unknown>) =>
    sql<OwnedPackage>`SELECT ${OWNED} FROM stack_packages p JOIN stacks k ON k.id = p.stack_id
      WHERE ${which} LIMIT ${sql.lit(AT_ONCE)}`.execute(queries(ctx));
  const { rows: never } = await part(sql`p.judged_at IS NULL`);
  const { rows: old } = await part(sql`p.judged_at < ${oldest}`);
  return [...never, ...old];
}

// The order of the joins is given: each engine could begin with all packages of all stacks.
async function changedPackages(
  ctx: Context,
  { from, missed }: { from: string; missed: string | null },
): Promise<OwnedPackage[]> {
  const { rows } = await sql<OwnedPackage>`WITH changes AS (
      SELECT m.ecosystem, m.name, f.changed_at AS at FROM source_figures f CROSS JOIN packages m
        WHERE f.changed_at > ${from} AND m.source_id = f.source_id
      UNION ALL SELECT ecosystem, name, updated_at FROM packages WHERE updated_at > ${from}
      UNION ALL SELECT ecosystem, name, listed_at FROM package_states WHERE listed_at > ${from}
      UNION ALL SELECT ecosystem, name, compared_at FROM evidence_pairs WHERE compared_at > ${from}),
    newest AS (SELECT ecosystem, name, MAX(at) AS at FROM changes GROUP BY ecosystem, name)
    SELECT ${OWNED} FROM newest c CROSS JOIN stack_packages p CROSS JOIN stacks k
    WHERE p.ecosystem = c.ecosystem AND p.name = c.name AND k.id = p.stack_id
      AND (c.at >= p.judged_at ${missed === null ? sql`` : sql`OR c.at > ${missed}`})
    ORDER BY p.judged_at LIMIT ${sql.lit(AT_ONCE)}`.execute(queries(ctx));
  return rows;
}
