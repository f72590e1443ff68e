// Records of releases, of their coverage and of generated texts about them.
import { z } from 'zod';
import { BREAKING, DERIVED_BY, RELEASE_TYPES } from '../../contract/enums.ts';
import { composition } from '../../contract/release.ts';
import { timestamp } from '../../contract/scalars.ts';
import { WITHDRAWAL_REASONS } from '../../domain/withdrawal.ts';
import {
  counter,
  flag,
  id,
  integer,
  json,
  key,
  longText,
  nullableId,
  nullableKey,
  nullableText,
  nullableTime,
  nullableUrl,
  oneOf,
  optionalFlag,
  optionalOneOf,
  plainText,
  type RecordTable,
  text,
  time,
} from './columns.ts';
import { citations, revisions } from './record-children.ts';
import { media } from './record-texts.ts';

// As much as a local file may have.
const MAX_NOTES_LENGTH = 10 * 1024 * 1024;
const MAX_SUMMARY_LENGTH = 100_000;
const MAX_OVERVIEW_LENGTH = 100_000;

export const RELEASE_RECORDS = {
  release: {
    table: 'releases',
    columns: {
      id: id('rel'),
      source_id: id('src'),
      identity_key: key,
      guid: nullableKey,
      url: nullableUrl,
      version: nullableText(plainText(200, 1)),
      version_sort: nullableKey,
      package_part: nullableText(plainText(214)),
      type: oneOf(RELEASE_TYPES),
      origin: text(plainText(40, 1)),
      title: text(plainText(500)),
      content: text(longText(MAX_NOTES_LENGTH)),
      summary: text(longText(MAX_SUMMARY_LENGTH)),
      title_generated: nullableText(plainText(500)),
      title_short: nullableText(plainText(500)),
      breaking: oneOf(BREAKING),
      migration_notes: nullableText(longText(MAX_SUMMARY_LENGTH)),
      importance: nullableText(z.int().min(1).max(5)),
      composition: json(composition.nullable()),
      by_version: optionalFlag,
      security: optionalFlag,
      derived_by: oneOf(DERIVED_BY),
      media: json(media),
      content_hash: text(plainText(200)),
      source_hash: text(plainText(200)),
      content_chars: counter,
      content_tokens: counter,
      published_at: nullableTime,
      feed_at: text(z.union([timestamp, z.literal('')])),
      prerelease: flag,
      // Only releases that their author has withdrawn are in a file although they are suppressed.
      suppressed_reason: optionalOneOf(WITHDRAWAL_REASONS),
      suppressed_by: optionalOneOf(['source']),
      coverage_of: nullableId('rel'),
      pinned: json(z.array(plainText(60)).max(50)),
      revision_count: counter,
      fetched_at: time,
      updated_at: time,
    },
    children: { revisions },
    parents: { source_id: 'sources' },
  },
  coverage: {
    table: 'release_coverage',
    key: 'coverage_id',
    columns: {
      coverage_id: id('rel'),
      canonical_id: id('rel'),
      reason: nullableText(longText(2000)),
      decided_by: text(plainText(200)),
      decided_at: time,
    },
    parents: { coverage_id: 'releases', canonical_id: 'releases' },
  },
  summary: {
    table: 'summaries',
    columns: {
      id: id('sum'),
      source_id: id('src'),
      type: oneOf(['rolling', 'monthly']),
      year: integer,
      month: integer,
      window_days: integer,
      summary: text(longText(MAX_SUMMARY_LENGTH)),
      release_count: counter,
      generated_at: time,
      basis: nullableText(plainText(200)),
    },
    parents: { source_id: 'sources' },
  },
  overview: {
    table: 'pages',
    columns: {
      id: id('kp'),
      scope: oneOf(['org', 'product']),
      org_id: id('org'),
      product_id: nullableId('prod'),
      content: text(longText(MAX_OVERVIEW_LENGTH)),
      release_count: counter,
      last_contributing_release_at: nullableTime,
      generated_at: time,
      updated_at: time,
      origin: text(plainText(40, 1)),
    },
    children: { citations },
    parents: { org_id: 'orgs', product_id: 'products' },
  },
} satisfies Record<string, RecordTable>;
