import type { SummaryText } from '../../contract/source.ts';
import type { SummaryRow } from '../../store/schema.ts';

export function summaryTextOf(row: SummaryRow): SummaryText {
  return {
    type: row.type,
    year: row.year,
    month: row.month,
    windowDays: row.type === 'rolling' ? row.window_days : null,
    summary: row.summary,
    releaseCount: row.release_count,
    generatedAt: row.generated_at,
  };
}
