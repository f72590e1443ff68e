// The work of comparing packages as operators see it.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { EvidenceWork } from '../../contract/evidence.ts';
import { RULES_VERSION } from '../../domain/evidence/finding.ts';
import { priorityOf } from '../../domain/pairs/orders.ts';
import { recordOf } from '../../domain/records.ts';
import { volumeOfToday } from './volume.ts';

const MAX_REFUSED = 10;
const OUTCOMES = ['compared', 'no_types', 'too_large', 'not_available'] as const;

export async function readEvidenceWork(ctx: Context): Promise<EvidenceWork> {
  const { on, dailyMb } = ctx.config.evidence;
  const { used } = await volumeOfToday(ctx);
  const counts = await queries(ctx)
    .selectFrom('evidence_pairs')
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .where('rules', '=', RULES_VERSION)
    .groupBy('status')
    .execute();
  return {
    on,
    waiting: await waitingPairs(ctx),
    today: { ...used, limitBytes: dailyMb * 1_000_000 },
    stored: recordOf(OUTCOMES, (outcome) => Number(counts.find(({ status }) => status === outcome)?.count ?? 0)),
    refused: await refusedPairs(ctx),
  };
}

async function waitingPairs(ctx: Context): Promise<EvidenceWork['waiting']> {
  const isAhead = sql`priority = ${sql.lit(priorityOf('ahead'))}`;
  const { rows } = await sql<{ asked: number; ahead: number; failing: number; oldest: string | null }>`SELECT
      SUM(CASE WHEN ${isAhead} THEN 0 ELSE 1 END) AS asked, SUM(CASE WHEN ${isAhead} THEN 1 ELSE 0 END) AS ahead,
      SUM(CASE WHEN attempts > 0 THEN 1 ELSE 0 END) AS failing,
      MIN(CASE WHEN ${isAhead} THEN NULL ELSE ordered_at END) AS oldest
    FROM evidence_orders`.execute(queries(ctx));
  const [row] = rows;
  return {
    asked: Number(row?.asked ?? 0),
    ahead: Number(row?.ahead ?? 0),
    failing: Number(row?.failing ?? 0),
    oldestAt: row?.oldest ?? null,
  };
}

async function refusedPairs(ctx: Context): Promise<EvidenceWork['refused']> {
  const rows = await queries(ctx)
    .selectFrom('evidence_pairs')
    .select(['name', 'from_version as from', 'to_version as to', 'status', 'reason', 'compared_at as comparedAt'])
    .where('rules', '=', RULES_VERSION)
    .where('status', 'in', ['too_large', 'not_available'])
    .orderBy('compared_at', 'desc')
    .limit(MAX_REFUSED)
    .execute();
  return rows.map((row) => ({ ...row, status: row.status === 'too_large' ? 'too_large' : 'not_available' }));
}
