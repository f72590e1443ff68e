// Row types of digest mails: when an account wants one, and mails that wait to be handed over.
import type { Ecosystem } from '../../contract/enums.ts';
import type { Cadence } from '../../domain/digest-mail/schedule.ts';
import type { MIN_BREAKING } from '../../domain/meaning/passes-meaning.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface DigestTables {
  digest_settings: DigestSettingsRow;
  digest_mails: DigestMailRow;
}

export interface DigestSettingsRow {
  user_id: string;
  cadence: Cadence;
  weekday: number;
  hour: number;
  zone: string;
  min_breaking: (typeof MIN_BREAKING)[number] | null;
  min_importance: number | null;
  security: Bit;
  // The last event that a digest has told of, and when the last digest was made.
  event_seq: number;
  told_at: string;
  // Null while it is off.
  next_at: string | null;
  // Mails in a row that the server of the address refused for good.
  bounces: number;
  stopped_reason: string | null;
  created_at: string;
  updated_at: string;
}

export interface ToldPackage {
  stackId: string;
  ecosystem: Ecosystem;
  name: string;
}

// What a digest tells, by key, so that its text is written from what is known when it is sent.
interface ToldNews {
  // When the digest before was made, and this one.
  since: string;
  until: string;
  packages: ToldPackage[];
  releases: string[];
}

// It goes when the mail server has taken it. The id is that of the message, so that a repeated mail is known as the same.
export interface DigestMailRow {
  id: string;
  user_id: string;
  told: JsonText<ToldNews>;
  due_at: string;
  lease_until: string | null;
  attempts: number;
  created_at: string;
}
