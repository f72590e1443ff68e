// What an export carries: one type of record for each public table, with the columns that the public may read. What can be
// worked out from these (counts, search rows, vectors, keys of names) is left out and made anew by the import.
import { z } from 'zod';
import {
  APP_PLATFORMS,
  BREAKING,
  CATEGORIES,
  DERIVED_BY,
  DISCOVERIES,
  ECOSYSTEMS,
  FEED_TYPES,
  FETCH_OUTCOMES,
  FETCH_PRIORITIES,
  KINDS,
  LOCATION_BASES,
  ORG_STATUSES,
  RELEASE_TYPES,
  REVISION_CAUSES,
  SOURCE_TYPES,
  VERSION_SCHEMES,
  VIDEO_PROVIDERS,
} from '../../contract/enums.ts';
import { PACKAGE_ORIGINS } from '../../contract/package.ts';
import type { Schema } from '../../store/schema/index.ts';
import {
  fieldName,
  flag,
  id,
  integer,
  json,
  nullableId,
  nullableInteger,
  nullableNumber,
  nullableOneOf,
  nullableText,
  nullableUrl,
  oneOf,
  type TransferColumn,
  text,
  url,
} from './columns.ts';

// The order of the file: whatever a record refers to stands before it.
export const RECORD_NAMES = [
  'category',
  'tag',
  'org',
  'product',
  'source',
  'location',
  'package',
  'release',
  'coverage',
  'changelogFile',
  'summary',
  'overview',
  'collection',
] as const;

export type RecordName = (typeof RECORD_NAMES)[number];

// The data of one line.
export type RecordData = Record<string, unknown>;

interface RecordType {
  name: RecordName;
  table: keyof Schema;
  // The column that tells records of this type apart.
  key: string;
  columns: Record<string, TransferColumn>;
  // Lists that stand in the record although they are tables of their own.
  children: Record<string, z.ZodType>;
  // Columns that name a record of another table, which must be there.
  parents: Record<string, 'orgs' | 'products' | 'sources' | 'releases'>;
  isSoftDeleted: boolean;
  isEmbedded: boolean;
}

const createdAt = { created_at: text };
const stamps = { created_at: text, updated_at: text };
const category = nullableOneOf(CATEGORIES);
const kind = nullableOneOf(KINDS);

const tags = z.array(z.string());
const aliases = z.array(z.object({ domain: z.string(), createdAt: z.string() }));
const accounts = z.array(z.object({ platform: z.string(), handle: z.string(), createdAt: z.string() }));
const members = z.array(
  z.object({
    orgId: z.string().nullable(),
    productId: z.string().nullable(),
    position: z.int(),
    createdAt: z.string(),
  }),
);
const citations = z.array(
  z.object({
    position: z.int(),
    sourceUrl: z.string(),
    title: z.string().nullable(),
    releaseId: z.string().nullable(),
    startIndex: z.int(),
    endIndex: z.int(),
    citedText: z.string(),
  }),
);
// Without the old texts: these are for writers only.
const revisions = z.array(
  z.object({
    id: z.string(),
    replacedAt: z.string(),
    cause: z.enum(REVISION_CAUSES),
    changed: z.array(z.string()),
    title: z.string(),
    version: z.string().nullable(),
    publishedAt: z.string().nullable(),
    prerelease: z.boolean(),
    contentHash: z.string(),
    previousUpdatedAt: z.string(),
  }),
);

const TYPES: Record<RecordName, Pick<RecordType, 'table' | 'columns'> & Partial<RecordType>> = {
  category: {
    table: 'categories',
    key: 'slug',
    columns: {
      slug: oneOf(CATEGORIES),
      name: nullableText,
      description: nullableText,
      aliases: json,
      updated_at: text,
    },
  },
  // By its slug, as records name it: two registries give the same tag different ids.
  tag: { table: 'tags', key: 'slug', columns: { slug: text, name: text, ...createdAt } },
  org: {
    table: 'orgs',
    columns: {
      id: id('org'),
      slug: text,
      name: text,
      domain: nullableText,
      description: nullableText,
      category,
      avatar_url: nullableUrl,
      status: oneOf(ORG_STATUSES),
      discovery: oneOf(DISCOVERIES),
      featured: flag,
      fetch_paused: flag,
      auto_generate_content: flag,
      overview_cadence_days: nullableInteger,
      tracking_requested_at: nullableText,
      notice: json,
      self_declared: json,
      ...stamps,
    },
    children: { tags, accounts, aliases },
    isSoftDeleted: true,
    isEmbedded: true,
  },
  product: {
    table: 'products',
    columns: {
      id: id('prod'),
      org_id: id('org'),
      slug: text,
      name: text,
      url: nullableUrl,
      description: nullableText,
      category,
      kind,
      avatar_url: nullableUrl,
      notice: json,
      ...stamps,
    },
    children: { tags, aliases },
    parents: { org_id: 'orgs' },
    isSoftDeleted: true,
    isEmbedded: true,
  },
  source: {
    table: 'sources',
    columns: {
      id: id('src'),
      org_id: nullableId('org'),
      product_id: nullableId('prod'),
      slug: text,
      name: text,
      type: oneOf(SOURCE_TYPES),
      url,
      kind,
      feed_url: nullableUrl,
      feed_type: nullableOneOf(FEED_TYPES),
      github_coordinate: nullableText,
      github_id: nullableInteger,
      former_coordinates: json,
      is_fork: flag,
      app_id: nullableText,
      app_platform: nullableOneOf(APP_PLATFORMS),
      app_storefront: nullableText,
      app_icon_url: nullableUrl,
      video_provider: nullableOneOf(VIDEO_PROVIDERS),
      video_feed: nullableUrl,
      changelog_url: nullableUrl,
      parser: nullableText,
      release_type: nullableOneOf(RELEASE_TYPES),
      version_scheme: nullableOneOf(VERSION_SCHEMES),
      settings: json,
      extra: json,
      is_primary: flag,
      discovery: oneOf(DISCOVERIES),
      fetch_priority: oneOf(FETCH_PRIORITIES),
      last_fetched_at: nullableText,
      last_polled_at: nullableText,
      change_detected_at: nullableText,
      next_fetch_after: nullableText,
      last_outcome: nullableOneOf(FETCH_OUTCOMES),
      failing_since: nullableText,
      releases_written_at: nullableText,
      listing_completed_at: nullableText,
      consecutive_no_change: integer,
      consecutive_errors: integer,
      median_gap_days: nullableNumber,
      last_retiered_at: nullableText,
      stars: nullableInteger,
      stars_fetched_at: nullableText,
      archived: flag,
      notice: json,
      ...stamps,
    },
    parents: { org_id: 'orgs', product_id: 'products' },
    isSoftDeleted: true,
    isEmbedded: true,
  },
  location: {
    table: 'release_locations',
    columns: {
      id: id('loc'),
      org_id: id('org'),
      product_id: nullableId('prod'),
      source_id: nullableId('src'),
      url: nullableText,
      feed: nullableText,
      github: nullableText,
      appstore: nullableText,
      file: nullableText,
      title: nullableText,
      canonical: flag,
      basis: oneOf(LOCATION_BASES),
      ...stamps,
    },
    parents: { org_id: 'orgs', product_id: 'products', source_id: 'sources' },
    isSoftDeleted: true,
  },
  package: {
    table: 'packages',
    columns: {
      id: id('pkg'),
      ecosystem: oneOf(ECOSYSTEMS),
      name: text,
      source_id: id('src'),
      package_part: nullableText,
      origin: oneOf(PACKAGE_ORIGINS),
      ...stamps,
    },
    parents: { source_id: 'sources' },
  },
  release: {
    table: 'releases',
    columns: {
      id: id('rel'),
      source_id: id('src'),
      identity_key: text,
      guid: nullableText,
      url: nullableText,
      version: nullableText,
      version_sort: nullableText,
      package_part: nullableText,
      type: oneOf(RELEASE_TYPES),
      origin: text,
      title: text,
      content: text,
      summary: text,
      title_generated: nullableText,
      title_short: nullableText,
      breaking: oneOf(BREAKING),
      migration_notes: nullableText,
      importance: nullableInteger,
      composition: json,
      derived_by: oneOf(DERIVED_BY),
      media: json,
      content_hash: text,
      source_hash: text,
      content_chars: integer,
      content_tokens: integer,
      published_at: nullableText,
      feed_at: text,
      prerelease: flag,
      coverage_of: nullableId('rel'),
      pinned: json,
      revision_count: integer,
      fetched_at: text,
      updated_at: text,
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
      reason: nullableText,
      decided_by: text,
      decided_at: text,
    },
    parents: { coverage_id: 'releases', canonical_id: 'releases' },
  },
  changelogFile: {
    table: 'changelog_files',
    columns: {
      id: id('scf'),
      source_id: id('src'),
      path: text,
      filename: text,
      url,
      raw_url: url,
      content: text,
      blob_hash: text,
      bytes: integer,
      total_chars: integer,
      total_tokens: integer,
      headings: json,
      truncated_at: nullableInteger,
      canonical: flag,
      fetched_at: text,
      parser_version: integer,
    },
    parents: { source_id: 'sources' },
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
      summary: text,
      release_count: integer,
      generated_at: text,
      basis: nullableText,
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
      content: text,
      release_count: integer,
      last_contributing_release_at: nullableText,
      generated_at: text,
      updated_at: text,
      origin: text,
    },
    children: { citations },
    parents: { org_id: 'orgs', product_id: 'products' },
  },
  collection: {
    table: 'collections',
    columns: { id: id('col'), slug: text, name: text, description: nullableText, is_featured: flag, ...stamps },
    children: { members },
    isEmbedded: true,
  },
};

export const RECORD_TYPES = Object.fromEntries(
  RECORD_NAMES.map((name) => {
    const rest = { key: 'id', children: {}, parents: {}, isSoftDeleted: false, isEmbedded: false };
    return [name, { name, ...rest, ...TYPES[name] }];
  }),
) as Record<RecordName, RecordType>;

// The check of a record, which also puts its fields into the order of the file.
export const RECORD_SCHEMAS = Object.fromEntries(
  RECORD_NAMES.map((name) => {
    const { columns, children } = RECORD_TYPES[name];
    const fields = Object.entries(columns).map(([column, { schema }]) => [fieldName(column), schema]);
    return [name, z.object({ ...Object.fromEntries(fields), ...children })];
  }),
) as unknown as Record<RecordName, z.ZodType<RecordData>>;

export function keyOf({ key }: RecordType, data: RecordData): string {
  return String(data[fieldName(key)]);
}

// The columns of a record as the table holds them.
export function storedColumns({ columns }: RecordType, data: RecordData): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([column, { toStored }]) => [column, toStored(data[fieldName(column)] ?? null)]),
  );
}
