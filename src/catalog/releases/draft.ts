// A release as an operator or an adapter describes it, before it is compared with the stored one.
import type { Breaking, ReleaseType } from '../../contract/enums.ts';
import type { MediaItem } from '../../contract/release.ts';
import type { ReleaseInput } from '../../contract/release-input.ts';
import type { Identifiable } from '../../domain/release-identity.ts';
import { isPlaceholderVersion } from '../../domain/versions/index.ts';

interface GivenFields {
  summary?: string;
  titleGenerated?: string;
  titleShort?: string;
  breaking?: Breaking;
  migrationNotes?: string;
  importance?: number;
  composition?: { bugs: number; features: number; enhancements: number };
}

export interface Draft extends Identifiable {
  // Undefined when the caller did not send the field.
  media?: MediaItem[];
  type?: ReleaseType;
  // `prerelease` decides; `prereleaseHint` counts only when the version is ambiguous.
  prerelease?: boolean;
  prereleaseHint?: boolean;
  origin: string;
  // The release is stored but suppressed from the start (`yanked`).
  suppressedReason?: string;
  // The time when it was first indexed, for importers that know it.
  firstSeenAt?: string;
  // Derived fields that the caller states explicitly.
  given?: GivenFields;
}

export function draftFromInput(row: ReleaseInput): Draft {
  const version = row.version && !isPlaceholderVersion(row.version) ? row.version : null;
  const title = row.title || row.version || '';
  const { summary, titleGenerated, titleShort, breaking, migrationNotes, importance, composition } = row;
  return {
    title,
    content: row.content ?? '',
    version,
    url: row.url ?? null,
    guid: row.guid ?? row.id ?? null,
    publishedAt: row.publishedAt ?? firstOfNamedMonth(title),
    media: row.media,
    type: row.type,
    prerelease: row.prerelease,
    origin: 'api',
    given: { summary, titleGenerated, titleShort, breaking, migrationNotes, importance, composition },
  };
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

function firstOfNamedMonth(title: string): string | null {
  const match = /^([A-Za-z]+) (\d{4})$/.exec(title.trim());
  const month = MONTHS.indexOf(match?.[1]?.toLowerCase() ?? '');
  const year = Number(match?.[2]);
  if (month < 0 || year < 1970) return null;
  return new Date(Date.UTC(year, month, 1)).toISOString();
}
