import { z } from 'zod';
import { field, idOf } from './fields.ts';
import { summaryText } from './source.ts';

export const SUMMARY_TYPES = ['rolling', 'monthly'] as const;

export const summaryRow = z
  .object({ id: idOf('sum'), sourceId: field.sourceId, orgId: field.orgId.nullable(), ...summaryText.shape })
  .meta({ id: 'SummaryRow' });

// A rolling text covers the days up to now, a monthly one the month that it names.
export const summaryInput = z
  .object({
    type: z.enum(SUMMARY_TYPES).describe('A window up to now, or a calendar month.'),
    summary: field.summary.min(1).max(20_000),
    releaseCount: field.releaseCount,
    year: field.year.min(1970).max(9999).optional(),
    month: field.month.min(1).max(12).optional(),
    windowDays: field.windowDays.min(1).max(366).default(30),
  })
  .superRefine((input, context) => {
    if (input.type !== 'monthly') return;
    for (const field of ['year', 'month'] as const) {
      if (input[field] !== undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: 'is required for a monthly summary' });
    }
  })
  .meta({ id: 'SummaryInput' });

export type SummaryType = (typeof SUMMARY_TYPES)[number];
export type SummaryRowShape = z.infer<typeof summaryRow>;
export type SummaryInput = z.output<typeof summaryInput>;
