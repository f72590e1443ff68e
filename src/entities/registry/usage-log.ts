// The use of models and its cost, by operation, model and source.
import { sql } from 'kysely';
import { type Context, now, queries, transact } from '../../context.ts';
import type { UsageGroup, UsageReport, UsageRow, UsageStats } from '../../contract/admin-logs.ts';
import { newId } from '../../domain/ids.ts';
import { recordAudit } from '../audit.ts';
import { resolveSource } from '../resolve.ts';

const DAY_MS = 86_400_000;

export async function reportUsage(ctx: Context, report: UsageReport): Promise<UsageRow> {
  return transact(ctx, async (ctx) => {
    if (report.sourceId) await resolveSource(ctx, { src: report.sourceId }, { field: 'sourceId' });
    const row: UsageRow = {
      id: newId('usg', ctx.randomBytes),
      operation: report.operation,
      model: report.model,
      inputTokens: report.inputTokens,
      outputTokens: report.outputTokens,
      sourceId: report.sourceId ?? null,
      releaseCount: report.releaseCount ?? null,
      createdAt: now(ctx),
    };
    await ctx.tx
      .insertInto('usage_log')
      .values({
        id: row.id,
        operation: row.operation,
        model: row.model,
        input_tokens: row.inputTokens,
        output_tokens: row.outputTokens,
        source_id: row.sourceId,
        release_count: row.releaseCount,
        created_at: row.createdAt,
      })
      .execute();
    await recordAudit(ctx, { action: 'usage_log.create', targetType: 'usage', targetId: row.id, after: row });
    return row;
  });
}

export async function usageStats(ctx: Context, { days }: { days: number }): Promise<UsageStats> {
  const cutoff = new Date(ctx.clock().getTime() - days * DAY_MS).toISOString();
  const byOperation = await usageBy(ctx, cutoff, 'operation');
  return {
    period: { days, cutoff },
    totals: {
      totalInput: total(byOperation, 'totalInput'),
      totalOutput: total(byOperation, 'totalOutput'),
      count: total(byOperation, 'count'),
    },
    byOperation,
    byModel: await usageBy(ctx, cutoff, 'model'),
    bySource: await usageBy(ctx, cutoff, 'source'),
  };
}

function total(group: UsageGroup, key: 'totalInput' | 'totalOutput' | 'count'): number {
  return group.reduce((sum, entry) => sum + entry[key], 0);
}

const LABELS = {
  operation: sql<string>`u.operation`,
  model: sql<string>`u.model`,
  // The usage of a deleted source still counts, under its id.
  source: sql<string>`COALESCE(s.slug, u.source_id)`,
};

// Sorted by usage, highest first.
async function usageBy(ctx: Context, cutoff: string, by: keyof typeof LABELS): Promise<UsageGroup> {
  let usage = queries(ctx)
    .selectFrom('usage_log as u')
    .leftJoin('sources as s', 's.id', 'u.source_id')
    .where('u.created_at', '>=', cutoff);
  usage = by === 'source' ? usage.where('u.source_id', 'is not', null).groupBy('u.source_id') : usage;
  const rows = await usage
    .select(LABELS[by].as('label'))
    .select(({ fn }) => [
      fn.sum('u.input_tokens').as('input'),
      fn.sum('u.output_tokens').as('output'),
      fn.countAll().as('count'),
    ])
    .groupBy(LABELS[by])
    .execute();
  const group = rows.map((row) => ({
    label: row.label,
    totalInput: Number(row.input),
    totalOutput: Number(row.output),
    count: Number(row.count),
  }));
  const cost = (entry: (typeof group)[number]) => entry.totalInput + entry.totalOutput;
  return group.sort((a, b) => cost(b) - cost(a) || (a.label < b.label ? -1 : 1));
}
