import { type Context, now, transact, type WriteContext } from '../../context.ts';
import type { SummaryInput, SummaryRowShape } from '../../contract/summary.ts';
import { newId } from '../../domain/ids.ts';
import { recordAudit } from '../../entities/audit.ts';
import { resolveSource, type SourcePath } from '../../entities/resolve.ts';
import type { SummaryRow } from '../../store/schema/insight.ts';
import { monthPeriod, periodBasis, rollingPeriod } from './basis.ts';
import { summaryTextOf } from './list.ts';

// There is one rolling summary per source and window, and one monthly summary per source and month; a new text replaces
// it.
export async function upsertSummary(
  ctx: Context,
  input: { path: SourcePath; summary: SummaryInput },
): Promise<SummaryRowShape> {
  return transact(ctx, async (ctx) => {
    const { source } = await resolveSource(ctx, input.path);
    await ctx.store.dialect.lock(ctx.tx, `summaries ${source.id}`);
    const text = await textColumns(ctx, source.id, input.summary);
    const stored = await findStored(ctx, source.id, text);
    const row: SummaryRow = { id: stored?.id ?? newId('sum', ctx.randomBytes), source_id: source.id, ...text };
    if (stored)
      await ctx.tx
        .updateTable('summaries')
        .set(text)
        .where('id', '=', row.id)
        .where('source_id', '=', source.id)
        .execute();
    else await ctx.tx.insertInto('summaries').values(row).execute();
    await recordAudit(ctx, {
      action: 'summary.write',
      targetType: 'source',
      targetId: source.id,
      before: stored && summaryTextOf(stored),
      after: summaryTextOf(row),
    });
    return { id: row.id, sourceId: source.id, orgId: source.org_id, ...summaryTextOf(row) };
  });
}

type TextColumns = Omit<SummaryRow, 'id' | 'source_id'>;

// A rolling summary belongs to the month in which it was written.
async function textColumns(ctx: Context, sourceId: string, input: SummaryInput): Promise<TextColumns> {
  const generated_at = now(ctx);
  const rolling = input.type === 'rolling';
  const year = (rolling ? undefined : input.year) ?? Number(generated_at.slice(0, 4));
  const month = (rolling ? undefined : input.month) ?? Number(generated_at.slice(5, 7));
  const period = rolling ? rollingPeriod(ctx, input.windowDays) : monthPeriod(year, month);
  return {
    type: input.type,
    year,
    month,
    window_days: rolling ? input.windowDays : 0,
    // An operator's text stays until the releases that it is about change.
    basis: await periodBasis(ctx, sourceId, period),
    summary: input.summary,
    release_count: input.releaseCount,
    generated_at,
  };
}

function findStored(ctx: WriteContext, sourceId: string, text: TextColumns): Promise<SummaryRow | undefined> {
  const own = ctx.tx
    .selectFrom('summaries')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('type', '=', text.type);
  return text.type === 'rolling'
    ? own.where('window_days', '=', text.window_days).executeTakeFirst()
    : own.where('year', '=', text.year).where('month', '=', text.month).executeTakeFirst();
}
