// The row of a release as wire fields. Feeds, details, search hits and events select from these.
import type { LeanReleaseItem, MediaItem, ReleaseFields, StoredReleaseFields } from '../contract/release.ts';
import { releaseWebUrl } from '../domain/release-address.ts';
import { parseJson, toJson } from '../store/json-text.ts';
import type { ReleaseRow } from '../store/schema/releases.ts';

// The columns that `releaseFields` reads.
export const RELEASE_COLUMNS = [
  'id',
  'source_id',
  'version',
  'title',
  'summary',
  'published_at',
  'fetched_at',
  'updated_at',
  'url',
  'media',
  'type',
  'prerelease',
  'title_generated',
  'title_short',
  'breaking',
  'migration_notes',
  'importance',
  'coverage_count',
  'coverage_of',
  'content_chars',
  'content_tokens',
  'composition',
  'security',
] as const satisfies (keyof ReleaseRow)[];

export type ReleaseColumns = Pick<ReleaseRow, (typeof RELEASE_COLUMNS)[number]>;

// When the org of the release is known, its id comes second, as in items.
export function releaseFields(
  row: ReleaseColumns,
  webUrl: string,
  orgId: string | null = null,
): ReleaseFields & Pick<LeanReleaseItem, 'orgId'> {
  return {
    id: row.id,
    orgId,
    sourceId: row.source_id,
    version: row.version,
    title: row.title,
    summary: row.summary,
    description: row.summary,
    publishedAt: row.published_at,
    fetchedAt: row.fetched_at,
    updatedAt: row.updated_at,
    url: row.url,
    webUrl: releaseWebUrl(webUrl, row),
    media: readMedia(row.media),
    type: row.type,
    prerelease: row.prerelease === 1,
    titleGenerated: row.title_generated,
    titleShort: row.title_short,
    breaking: row.breaking,
    migrationNotes: row.migration_notes,
    importance: row.importance,
    coverageCount: row.coverage_count,
    coverageOf: row.coverage_of,
    contentChars: row.content_chars,
    contentTokens: row.content_tokens,
    composition: row.composition && parseJson(row.composition),
    security: row.security === 1,
  };
}

// Further fields of the row that only writers may see.
export function storedReleaseFields(row: ReleaseRow): StoredReleaseFields {
  return {
    guid: row.guid,
    versionSort: row.version_sort,
    packagePart: row.package_part,
    contentHash: row.content_hash,
    suppressed: row.suppressed === 1,
    suppressedReason: row.suppressed_reason,
    suppressedBy: row.suppressed_by,
    pinned: parseJson(row.pinned),
    revisionCount: row.revision_count,
    embeddedAt: row.embedded_at,
  };
}

const NO_MEDIA = toJson<MediaItem>([]);

function readMedia(stored: ReleaseRow['media']): MediaItem[] {
  if (stored === NO_MEDIA) return [];
  try {
    const value = parseJson(stored);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

// The first picture, for lists that show one.
export function thumbnailOf({ media }: Pick<ReleaseFields, 'media'>) {
  const image = media.find((item) => item.type !== 'video');
  return image ? { url: image.url, ...(image.alt ? { alt: image.alt } : {}) } : null;
}
