// The digest mail of an account.
import { z } from 'zod';
import { CADENCES, isZone } from '../domain/digest-mail/schedule.ts';
import { meaningFields } from './meaning.ts';
import { timestamp } from './scalars.ts';

const cadence = z.enum(CADENCES).describe('How often a mail comes; `off` is the default.');
const weekday = z.int().min(0).max(6).describe('Day of a weekly mail; 0 is Sunday.');
const hour = z.int().min(0).max(23).describe('Hour of the day in the zone.');
const zone = z.string().max(64).refine(isZone, 'must be a time zone such as Europe/Lisbon').describe('Time zone.');

export const digestInput = z
  .object({ cadence, weekday: weekday.optional(), hour: hour.optional(), zone: zone.optional(), ...meaningFields })
  .meta({ id: 'DigestInput' });

export const digestSettings = z
  .object({
    cadence,
    weekday,
    hour,
    zone: z.string().describe('Time zone.'),
    minBreaking: meaningFields.minBreaking,
    minImportance: meaningFields.minImportance,
    security: z.boolean().meta({ description: 'Whether security fixes pass the filter.', example: false }),
    isAvailable: z.boolean().describe('Whether this registry can send mail.'),
    isVerified: z.boolean().describe('Whether the address of the account is verified; without that no mail is sent.'),
    nextAt: timestamp.nullable().describe('When the next digest is due; null: none is.'),
    stoppedReason: z.string().nullable().describe('Why it was switched off by the service; null: it was not.'),
  })
  .meta({ id: 'DigestSettings' });

export type DigestInput = z.output<typeof digestInput>;
export type DigestSettings = z.output<typeof digestSettings>;
