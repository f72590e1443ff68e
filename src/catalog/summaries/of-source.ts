// What source detail shows: the rolling text of the usual window, and two years of months.
import { type Context, queries } from '../../context.ts';
import type { SourceDetail } from '../../contract/source.ts';
import { summaryTextOf } from './row.ts';

const USUAL_WINDOW = 30;
const MONTHS = 24;

export async function sourceSummaries(ctx: Context, sourceId: string): Promise<SourceDetail['summaries']> {
  const rows = queries(ctx).selectFrom('summaries').selectAll().where('source_id', '=', sourceId);
  const rolling = await rows.where('type', '=', 'rolling').orderBy('generated_at', 'desc').orderBy('id').execute();
  const monthly = await rows
    .where('type', '=', 'monthly')
    .orderBy('year', 'desc')
    .orderBy('month', 'desc')
    .limit(MONTHS)
    .execute();
  const shown = rolling.find((row) => row.window_days === USUAL_WINDOW) ?? rolling[0];
  return { rolling: shown ? summaryTextOf(shown) : null, monthly: monthly.map(summaryTextOf) };
}
