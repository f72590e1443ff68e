// Records of sources, their packages and changelog files.
import { z } from 'zod';
import {
  APP_PLATFORMS,
  DISCOVERIES,
  ECOSYSTEMS,
  FEED_TYPES,
  FETCH_OUTCOMES,
  FETCH_PRIORITIES,
  KINDS,
  RELEASE_TYPES,
  SOURCE_TYPES,
  VERSION_SCHEMES,
  VIDEO_PROVIDERS,
} from '../../contract/enums.ts';
import { PACKAGE_ORIGINS } from '../../contract/package.ts';
import { count } from '../../contract/pagination.ts';
import { SETTINGS, SETTINGS_WITH_COLUMN } from '../../contract/source-settings.ts';
import {
  counter,
  flag,
  id,
  json,
  longText,
  nullableCounter,
  nullableId,
  nullableNumber,
  nullableOneOf,
  nullableText,
  nullableTime,
  nullableUrl,
  oneOf,
  plainText,
  type RecordTable,
  text,
  time,
  url,
} from './columns.ts';
import { childSlug, coordinate, notice } from './record-texts.ts';

const [, appId] = SETTINGS_WITH_COLUMN.appId;
const [, storefront] = SETTINGS_WITH_COLUMN.appStorefront;
// Settings that this program does not know are kept, as far as they are small.
const MAX_EXTRA_LENGTH = 32 * 1024;
const extra = z
  .record(z.string(), z.unknown())
  .refine((value) => jsonLength(value) <= MAX_EXTRA_LENGTH, 'at most 32 KiB');

// Endless for what nests too deeply to be written.
function jsonLength(value: unknown): number {
  try {
    const text = JSON.stringify(value);
    return text.includes('\u0000') ? Infinity : text.length;
  } catch {
    return Infinity;
  }
}

const MAX_FILE_LENGTH = 5 * 1024 * 1024;
const path = plainText(1024, 1).refine(
  (value) => !value.startsWith('/') && !value.split('/').includes('..'),
  'must be a path inside of its repository',
);
const headingIndex = z.object({ offsets: z.array(count), sectionTokens: z.array(count) });

export const SOURCE_RECORDS = {
  source: {
    table: 'sources',
    columns: {
      id: id('src'),
      org_id: nullableId('org'),
      product_id: nullableId('prod'),
      slug: text(childSlug),
      name: text(plainText(200, 1)),
      type: oneOf(SOURCE_TYPES),
      url,
      kind: nullableOneOf(KINDS),
      feed_url: nullableUrl,
      feed_type: nullableOneOf(FEED_TYPES),
      github_coordinate: nullableText(coordinate),
      github_id: nullableCounter,
      former_coordinates: json(z.array(coordinate).max(100)),
      is_fork: flag,
      app_id: nullableText(appId),
      app_platform: nullableOneOf(APP_PLATFORMS),
      app_storefront: nullableText(storefront),
      app_icon_url: nullableUrl,
      video_provider: nullableOneOf(VIDEO_PROVIDERS),
      video_feed: nullableUrl,
      changelog_url: nullableUrl,
      parser: nullableText(plainText(60, 1)),
      release_type: nullableOneOf(RELEASE_TYPES),
      version_scheme: nullableOneOf(VERSION_SCHEMES),
      settings: json(z.strictObject(SETTINGS).partial()),
      extra: json(extra),
      is_primary: flag,
      discovery: oneOf(DISCOVERIES),
      fetch_priority: oneOf(FETCH_PRIORITIES),
      last_fetched_at: nullableTime,
      last_polled_at: nullableTime,
      change_detected_at: nullableTime,
      next_fetch_after: nullableTime,
      last_outcome: nullableOneOf(FETCH_OUTCOMES),
      failing_since: nullableTime,
      releases_written_at: nullableTime,
      listing_completed_at: nullableTime,
      consecutive_no_change: counter,
      consecutive_errors: counter,
      median_gap_days: nullableNumber,
      last_retiered_at: nullableTime,
      stars: nullableCounter,
      stars_fetched_at: nullableTime,
      archived: flag,
      notice: json(notice),
      created_at: time,
      updated_at: time,
    },
    parents: { org_id: 'orgs', product_id: 'products' },
    isSoftDeleted: true,
    isEmbedded: true,
  },
  package: {
    table: 'packages',
    columns: {
      id: id('pkg'),
      ecosystem: oneOf(ECOSYSTEMS),
      name: text(plainText(214, 1)),
      source_id: id('src'),
      package_part: nullableText(plainText(214)),
      origin: oneOf(PACKAGE_ORIGINS),
      created_at: time,
      updated_at: time,
    },
    parents: { source_id: 'sources' },
  },
  changelogFile: {
    table: 'changelog_files',
    columns: {
      id: id('scf'),
      source_id: id('src'),
      path: text(path),
      filename: text(plainText(255, 1)),
      url,
      raw_url: url,
      content: text(longText(MAX_FILE_LENGTH)),
      blob_hash: text(plainText(100)),
      bytes: counter,
      total_chars: counter,
      total_tokens: counter,
      headings: json(headingIndex),
      truncated_at: nullableCounter,
      canonical: flag,
      fetched_at: time,
      parser_version: counter,
    },
    parents: { source_id: 'sources' },
  },
} satisfies Record<string, RecordTable>;
