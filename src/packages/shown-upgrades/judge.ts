// Judges the last major step of the packages that lists show, and again whenever what the answer rests on has changed.
import { sql } from 'kysely';
import { type Context, now, plainAnswer, queries, transact } from '../../context.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import { upgradeLine } from '../../domain/upgrade/report/upgrade-line.ts';
import type { ShownUpgradeRow } from '../../store/schema/shown-upgrades.ts';
import { findPackage, type KnownPackage } from '../details/known-package.ts';
import { lastMajorStep } from '../details/steps.ts';
import { versionsOfPackage } from '../details/versions.ts';
import { whatsChangedBatch } from '../whats-changed/index.ts';
import { addShown } from '../whats-changed/note-asked.ts';

const AT_ONCE = 20;
// Those that are asked for least are forgotten beyond this number.
const KEPT = 1000;
// Where nobody has asked yet, the packages with the most notes are shown.
const FIRST_SHOWN = 16;

// True when more may wait.
export async function judgeShown(ctx: Context, signal: AbortSignal): Promise<boolean> {
  const anonymous: Context = { ...ctx, caller: ANONYMOUS, answer: plainAnswer() };
  if ((await beginShown(ctx)) === 0) return false;
  const due = await dueUpgrades(ctx);
  for (const row of due) {
    if (signal.aborted) return true;
    const judged = await judgeLastMajor(anonymous, row);
    await transact(
      ctx,
      async ({ tx }) => {
        const { ecosystem, name, basis } = row;
        const same = tx.updateTable('shown_upgrades').where('ecosystem', '=', ecosystem).where('name', '=', name);
        const isSame =
          row.judged_at !== null && Object.entries(judged).every(([key, is]) => row[key as keyof typeof judged] === is);
        const seen = { basis, judged_at: now(ctx) };
        // What has not changed is not written, so that nothing in a cache becomes stale.
        await (isSame ? same.set(seen) : same.set({ ...judged, ...seen })).execute();
      },
      'derived',
    );
  }
  return due.length === AT_ONCE;
}

// How many rows there are at least.
async function beginShown(ctx: Context): Promise<number> {
  const db = queries(ctx);
  const any = await db.selectFrom('shown_upgrades').select('name').limit(1).execute();
  if (any.length > 0) return any.length;
  const first = await db
    .selectFrom('packages as m')
    .innerJoin('source_figures as f', 'f.source_id', 'm.source_id')
    .select(['m.ecosystem', 'm.name'])
    .where('f.release_count', '>', 1)
    .orderBy('f.release_count', 'desc')
    .orderBy('m.name')
    .limit(FIRST_SHOWN)
    .execute();
  if (first.length > 0) {
    const rows = first.map((named) => ({ ...named, times: 0 }));
    await transact(ctx, ({ tx }) => addShown(tx, rows), 'bookkeeping');
  }
  return first.length;
}

type DueUpgrade = ShownUpgradeRow;

async function dueUpgrades(ctx: Context): Promise<DueUpgrade[]> {
  const { rows } = await sql<DueUpgrade>`
    SELECT u.ecosystem, u.name, u.spelling, u.asked, u.from_version, u.to_version, u.level, u.reason, u.versions, u.breaking,
      u.unnoted, u.proven, u.likely, u.steps, u.judged_at, u.seen AS basis
    FROM (SELECT u.*, COALESCE(f.changed_at, '') || ' ' || COALESCE(m.updated_at, '') || ' ' || COALESCE(t.listed_at, '') || ' '
        || COALESCE((SELECT MAX(e.compared_at) FROM evidence_pairs e WHERE e.ecosystem = u.ecosystem AND e.name = u.name), '') AS seen
      FROM shown_upgrades u
      LEFT JOIN packages m ON m.ecosystem = u.ecosystem AND m.name = u.name
      LEFT JOIN source_figures f ON f.source_id = m.source_id
      LEFT JOIN package_states t ON t.ecosystem = u.ecosystem AND t.name = u.name) u
    WHERE u.judged_at IS NULL OR u.basis IS NULL OR u.basis <> u.seen
    ORDER BY u.judged_at IS NOT NULL, u.asked DESC, u.name LIMIT ${sql.lit(AT_ONCE)}`.execute(queries(ctx));
  return rows;
}

type JudgedUpgrade = Omit<ShownUpgradeRow, 'ecosystem' | 'name' | 'asked' | 'basis' | 'judged_at'>;

async function judgeLastMajor(ctx: Context, { ecosystem, name }: DueUpgrade): Promise<JudgedUpgrade> {
  const known = await findPackage(ctx, { ecosystem, name });
  const step = known && (await majorStepOf(ctx, known));
  if (!step) return nothingShown(known?.spelling ?? name);
  const question = { package: known.spelling, ecosystem, from: step.from, to: step.to };
  const [answer] = (await whatsChangedBatch(ctx, { items: [question] }, null)).items;
  if (answer === undefined || 'error' in answer) return nothingShown(known.spelling);
  const { level, reason } = upgradeLine(answer);
  return {
    spelling: known.spelling,
    from_version: step.from,
    to_version: step.to,
    level,
    reason,
    versions: answer.total + (answer.history?.withoutNotesCount ?? 0),
    breaking: answer.summary.breaking.major,
    unnoted: answer.history?.withoutNotesCount ?? 0,
    proven: answer.evidence?.counts.proven ?? 0,
    likely: answer.evidence?.counts.likely ?? 0,
    steps: answer.steps.length + (answer.moreSteps ?? 0),
  };
}

export async function majorStepOf(ctx: Context, known: KnownPackage): Promise<{ from: string; to: string } | null> {
  return lastMajorStep(await versionsOfPackage(ctx, known));
}

function nothingShown(spelling: string): JudgedUpgrade {
  const counts = { versions: 0, breaking: 0, unnoted: 0, proven: 0, likely: 0, steps: 0 };
  return { spelling, from_version: null, to_version: null, level: null, reason: null, ...counts };
}

export async function forgetLeastAsked(ctx: Context): Promise<void> {
  await transact(
    ctx,
    ({ tx }) =>
      sql`DELETE FROM shown_upgrades WHERE (ecosystem, name) IN (
        SELECT ecosystem, name FROM shown_upgrades ORDER BY asked DESC, ecosystem, name LIMIT 100000 OFFSET ${sql.lit(KEPT)})`.execute(
        tx,
      ),
    'bookkeeping',
  );
}
