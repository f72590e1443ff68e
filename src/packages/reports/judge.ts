// Answers about the packages of a report: asked when somebody reads it, and stored, so that a report of thousands of packages
// is read and not worked out. They are those that everybody may see.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, plainAnswer, queries, transact } from '../../context.ts';
import { seesHidden } from '../../contract/caller.ts';
import { MAX_BATCH_ITEMS } from '../../contract/whats-changed.ts';
import { packAnswer } from '../../domain/stacks/answer.ts';
import { toJson } from '../../store/json-text.ts';
import type { ReportPackageRow } from '../../store/schema/reports.ts';
import { toldAnswer } from '../told-answer.ts';
import { whatsChangedOfAll } from '../whats-changed/index.ts';

// A reader waits so long for rows that nobody has asked about; the others come with the next look.
const PATIENCE_MS = 1500;
// Everything is asked again after this time, whatever is known to have changed.
const OLDEST_MS = 6 * 3_600_000;
// A change has the time at which it was made, and is committed a little later; that of a large import much later.
const COMMITTED_MS = 2000;
const IMPORTED_MS = 90_000;
const ASKED_AGAIN_MS = 7000;

type AskedRow = Pick<ReportPackageRow, 'report_id' | 'place' | 'ecosystem' | 'name' | 'from_version' | 'to_version'>;

// Asks about the rows that are new, or of which something has changed, the first ones first.
export async function judgeReport(ctx: Context, id: string, hidden: ReadonlySet<number>): Promise<void> {
  const stale = (await staleRows(ctx, id)).filter(({ place }) => !hidden.has(place));
  const until = performance.now() + PATIENCE_MS;
  for (let start = 0; start < stale.length && performance.now() < until; start += MAX_BATCH_ITEMS) {
    await judgeRows(ctx, stale.slice(start, start + MAX_BATCH_ITEMS));
  }
}

// Nobody's rights but those of everybody are in a report. The caller is still who orders what is missing.
function asEverybody(ctx: Context): Context {
  const { caller } = ctx;
  return { ...ctx, caller: seesHidden(caller) ? { ...caller, scope: 'read' } : caller, answer: plainAnswer() };
}

async function judgeRows(ctx: Context, rows: readonly AskedRow[]): Promise<void> {
  const items = rows.map(({ ecosystem, name, from_version: from, to_version: to }) => {
    return { package: name, ecosystem, from, to };
  });
  const at = new Date(ctx.clock().getTime() - COMMITTED_MS).toISOString();
  const answers = await whatsChangedOfAll(asEverybody(ctx), items, 'list');
  await transact(
    ctx,
    async ({ tx }) => {
      for (const [slot, { report_id, place, ecosystem, name, from_version: from, to_version: to }] of rows.entries()) {
        const found = toldAnswer({ ecosystem, name, from, to }, answers[slot]);
        await tx
          .updateTable('report_packages')
          .set({
            target: found.target,
            judgement: found.answer.judgement,
            security: found.answer.security ? 1 : 0,
            answer: toJson(packAnswer(found.answer)),
            judged_at: at,
            reading_id: found.readingId,
            refused_until: found.refusedUntil,
          })
          .where('report_id', '=', report_id)
          .where('place', '=', place)
          .execute();
      }
    },
    'bookkeeping',
  );
}

async function staleRows(ctx: Context, id: string): Promise<AskedRow[]> {
  const before = (ms: number) => new Date(ctx.clock().getTime() - ms).toISOString();
  const oldest = before(OLDEST_MS);
  const late = { changed: before(IMPORTED_MS), judged: before(ASKED_AGAIN_MS) };
  const { rows } = await sql<AskedRow>`SELECT p.report_id, p.place, p.ecosystem, p.name, p.from_version, p.to_version
    FROM report_packages p WHERE p.report_id = ${id}
      AND (p.judged_at IS NULL OR p.judged_at < ${oldest} OR p.refused_until <= ${now(ctx)} OR ${changedSince(late)})
    ORDER BY CASE WHEN p.judged_at IS NULL THEN 1 ELSE 0 END, p.place`.execute(queries(ctx));
  return rows;
}

// Whatever a stored answer about `p` rests on has changed since, or was read meanwhile.
function changedSince(late: { changed: string; judged: string }): RawBuilder<boolean> {
  return sql<boolean>`(EXISTS (SELECT 1 FROM packages m JOIN source_figures f ON f.source_id = m.source_id
        WHERE m.ecosystem = p.ecosystem AND m.name = p.name
          AND (f.changed_at >= p.judged_at OR (f.changed_at > ${late.changed} AND p.judged_at < ${late.judged})))
      OR EXISTS (SELECT 1 FROM packages m
        WHERE m.ecosystem = p.ecosystem AND m.name = p.name AND m.updated_at >= p.judged_at)
      OR EXISTS (SELECT 1 FROM package_states s
        WHERE s.ecosystem = p.ecosystem AND s.name = p.name AND s.listed_at >= p.judged_at)
      OR EXISTS (SELECT 1 FROM evidence_pairs e
        WHERE e.ecosystem = p.ecosystem AND e.name = p.name AND e.compared_at >= p.judged_at)
      OR EXISTS (SELECT 1 FROM readings d WHERE d.id = p.reading_id AND d.ended_at >= p.judged_at))`;
}
