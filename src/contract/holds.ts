// What waits for an operator: sources that bring too much, and hosts that ask to be left alone.
import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { sourceType } from './enums.ts';
import { field, sourceUrl } from './fields.ts';
import { count, pageOf, rowsOf } from './pagination.ts';
import { timestamp } from './scalars.ts';

export const heldSource = z
  .object({
    ...pick(field, 'sourceId', 'sourceSlug', 'sourceName'),
    url: sourceUrl,
    type: sourceType,
    orgSlug: field.orgSlug.nullable(),
    orgName: field.orgName.nullable(),
    heldAt: timestamp.describe('When the source was held.'),
    reason: z.string().describe('Why the source is held, in words.'),
    found: count.describe('New releases of the run that was held; none of them is stored.'),
    allowed: count.describe('How many the habit of the source allows.'),
    acceptedAt: timestamp.nullable().describe('When an operator accepted them; null: not yet.'),
  })
  .meta({ id: 'HeldSource' });

export const heldSources = pageOf(heldSource).meta({ id: 'HeldSources' });

const WAIT_REASONS = ['retry_after', 'quota_used', 'quota_low', 'throttled'] as const;

const waitingHost = z
  .object({
    host: field.host,
    until: timestamp.meta({
      description: 'No request before this time; at most 24 hours ahead.',
      example: '2026-03-08T00:00:00.000Z',
    }),
    reason: z.enum(WAIT_REASONS).describe('What made the host wait.'),
    sources: count.describe('Sources that wait with it.'),
  })
  .meta({ id: 'WaitingHost' });

export const waitingHosts = z.object({ items: rowsOf(waitingHost) }).meta({ id: 'WaitingHosts' });
export const endedWait = z
  .object({ ended: z.literal(true).describe('The wait is over.'), sources: field.sourceCount })
  .meta({ id: 'EndedWait' });

export type HeldSource = z.infer<typeof heldSource>;
export type HeldSources = z.infer<typeof heldSources>;
export type WaitReason = (typeof WAIT_REASONS)[number];
export type WaitingHost = z.infer<typeof waitingHost>;
export type WaitingHosts = z.infer<typeof waitingHosts>;
