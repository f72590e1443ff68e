// Writes the summaries of a source that changed, and removes those of periods without a release.
import type { MonthBasis } from '../../catalog/summaries/basis.ts';
import { type Context, now, transact } from '../../context.ts';
import { newId } from '../../domain/ids.ts';
import type { SummaryRow } from '../../store/schema/insight.ts';

export type WrittenSummary = Omit<SummaryRow, 'id' | 'source_id' | 'generated_at'>;

// Summaries of months without a release are removed, and all summaries of a source without any release.
export async function removeEmpty(
  ctx: Context,
  input: { sourceId: string; stored: readonly SummaryRow[]; months: readonly MonthBasis[]; isSilent: boolean },
): Promise<number> {
  const { sourceId, stored, months, isSilent } = input;
  const withReleases = new Set(months.map(({ year, month }) => `${year}-${month}`));
  const empty = stored
    .filter((row) => row.basis !== null && row.basis !== 'none')
    .filter((row) => (row.type === 'monthly' ? !withReleases.has(`${row.year}-${row.month}`) : isSilent));
  if (empty.length === 0) return 0;
  const ids = empty.map((row) => row.id);
  await transact(
    ctx,
    ({ tx }) => tx.deleteFrom('summaries').where('source_id', '=', sourceId).where('id', 'in', ids).execute(),
    'derived',
  );
  return ids.length;
}

// Stores a summary unless another writer was faster; its text is checked the next time.
export async function storeSummary(
  ctx: Context,
  sourceId: string,
  { text, seen }: { text: WrittenSummary; seen: readonly SummaryRow[] },
): Promise<boolean> {
  const before = findSummary(seen, text);
  return transact(
    ctx,
    async (ctx) => {
      const { tx } = ctx;
      await ctx.store.dialect.lock(tx, `summaries ${sourceId}`);
      const current = findSummary(
        await tx.selectFrom('summaries').selectAll().where('source_id', '=', sourceId).execute(),
        text,
      );
      if (current?.generated_at !== before?.generated_at || current?.basis !== before?.basis) return false;
      const columns = { ...text, generated_at: now(ctx) };
      if (current)
        await tx
          .updateTable('summaries')
          .set(columns)
          .where('id', '=', current.id)
          .where('source_id', '=', sourceId)
          .execute();
      else
        await tx
          .insertInto('summaries')
          .values({ id: newId('sum', ctx.randomBytes), source_id: sourceId, ...columns })
          .execute();
      return true;
    },
    'derived',
  );
}

export function findSummary(rows: readonly SummaryRow[], wanted: Partial<SummaryRow>): SummaryRow | undefined {
  return rows.find((row) =>
    wanted.type === 'rolling'
      ? row.type === 'rolling' && row.window_days === wanted.window_days
      : row.type === 'monthly' && row.year === wanted.year && row.month === wanted.month,
  );
}
