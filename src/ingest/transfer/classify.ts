// Decides what an import does with records: add, change, skip, or refuse them. It only reads, so that a dry run gives
// the same result.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import { LOCATOR_KEYS } from '../../contract/manifest.ts';
import { foldName } from '../../domain/clean-text.ts';
import { scopeOf } from '../../domain/ecosystems/index.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import { locatorKey } from '../../entities/orgs/locations.ts';
import type { Queries } from '../../store/schema/index.ts';
import { fieldName } from './columns.ts';
import type { FileRecord } from './export-file.ts';
import { ecosystemOfListing } from './listing-records.ts';
import { recordsByKeys, type StoredRecord } from './read-records.ts';
import type { RecordData } from './record-children.ts';
import { keyOf, RECORD_TYPES, type RecordName } from './record-types.ts';

export type ImportOutcome = 'inserted' | 'updated' | 'unchanged' | 'skipped';

export interface Classified {
  record: FileRecord;
  outcome: ImportOutcome;
  stored: StoredRecord | null;
  // The reason of a skipped record.
  reason?: string;
}

// Records of one type. `expected`, in a dry run: ids that an import would have written by now.
export async function classify(
  ctx: Context,
  records: readonly FileRecord[],
  expected: ReadonlySet<string> | null,
): Promise<Classified[]> {
  const [first] = records;
  if (!first) return [];
  const type = RECORD_TYPES[first.name];
  const db = queries(ctx);
  const keys = records.map(({ data }) => keyOf(type, data));
  const stored = await recordsByKeys(db, first.name, { scope: { now: now(ctx) }, keys });
  const missing = await missingParents(db, records, expected);
  const taken = first.name === 'release' ? await takenIdentities(db, records) : null;
  const results: Classified[] = [];
  for (const record of records) {
    const found = stored.get(keyOf(type, record.data)) ?? null;
    const reason = missing.get(record) ?? taken?.get(record) ?? (await conflictOf(db, record));
    if (reason) results.push({ record, stored: found, outcome: 'skipped', reason });
    else results.push({ record, stored: found, outcome: outcomeOf(record, found) });
  }
  return results;
}

function outcomeOf(record: FileRecord, stored: StoredRecord | null): ImportOutcome {
  if (!stored) return 'inserted';
  // An import never renames an existing tag.
  if (record.name === 'tag') return 'unchanged';
  // A newer listing of the same package stays.
  if (record.name === 'listing' && String(stored.data.listedAt ?? '') >= String(record.data.listedAt ?? '')) {
    return 'unchanged';
  }
  return !stored.isDeleted && comparable(record.name, record.data) === comparable(record.name, stored.data)
    ? 'unchanged'
    : 'updated';
}

// Coverage is compared by its own records, not by those of releases.
function comparable(name: RecordName, data: RecordData): string {
  return JSON.stringify(name === 'release' ? { ...data, coverageOf: null } : data);
}

async function missingParents(
  db: Queries,
  records: readonly FileRecord[],
  expected: ReadonlySet<string> | null,
): Promise<Map<FileRecord, string>> {
  const missing = new Map<FileRecord, string>();
  const parents = Object.entries(RECORD_TYPES[records[0]?.name ?? 'tag'].parents);
  for (const [column, table] of parents) {
    // A dry run does not remember the releases that it has seen, because there are too many.
    if (expected && table === 'releases') continue;
    const isExpected = (id: string) => expected?.has(id) ?? false;
    const idOf = ({ data }: FileRecord) => textOf(data[fieldName(column)]);
    const ids = [...new Set(records.flatMap((record) => idOf(record) ?? []))].filter((id) => !isExpected(id));
    if (ids.length === 0) continue;
    const live = table === 'releases' ? sql`` : sql`AND deleted_at IS NULL`;
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM ${sql.table(table)} WHERE id IN (${sql.join(ids)}) ${live}`.execute(db);
    const present = new Set(rows.map((row) => row.id));
    for (const record of records) {
      const id = idOf(record);
      if (id && !isExpected(id) && !present.has(id)) missing.set(record, `${id}, to which it belongs, is not here`);
    }
  }
  return missing;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

// Conflicts of an imported record: a name or an identity that another entity already has.

// Another entity may own a name that the record claims; it keeps the name, and the record is skipped.
async function conflictOf(db: Queries, { name, data }: FileRecord): Promise<string | null> {
  for (const { query, description } of CLAIMS[name]?.(data) ?? []) {
    const { rows } = await sql<{ id: string }>`${query} LIMIT 1`.execute(db);
    const [other] = rows;
    if (other) return `${description} belongs to ${other.id} here`;
  }
  return null;
}

// Releases of one source, checked together because they are many. Releases that an operator has deleted are not
// imported again.
async function takenIdentities(db: Queries, records: readonly FileRecord[]): Promise<Map<FileRecord, string>> {
  const ids = records.map(({ data }) => String(data.id));
  const sourceId = String(records[0]?.data.sourceId);
  const keys = records.map(({ data }) => String(data.identityKey));
  const { rows } = await sql<{ id: string; source_id: string; identity_key: string }>`
    SELECT id, source_id, identity_key FROM releases
    WHERE (source_id = ${sourceId} AND identity_key IN (${sql.join(keys)})) OR id IN (${sql.join(ids)})`.execute(db);
  const deleted = await sql<{ identity_key: string }>`SELECT identity_key FROM deleted_releases
    WHERE source_id = ${sourceId} AND identity_key IN (${sql.join(keys)})`.execute(db);
  const gone = new Set(deleted.rows.map((row) => row.identity_key));
  const holders = new Map(rows.filter((row) => row.source_id === sourceId).map((row) => [row.identity_key, row.id]));
  const sources = new Map(rows.map((row) => [row.id, row.source_id]));
  const taken = new Map<FileRecord, string>();
  for (const record of records) {
    const [id, identityKey] = [String(record.data.id), String(record.data.identityKey)];
    const holder = holders.get(identityKey);
    const owner = sources.get(id);
    if (gone.has(identityKey)) taken.set(record, 'it was deleted for good here');
    else if (holder !== undefined && holder !== id) taken.set(record, `it is ${holder} here`);
    else if (owner !== undefined && owner !== sourceId) taken.set(record, `its id belongs to ${owner} here`);
  }
  return taken;
}

interface NameClaim {
  query: RawBuilder<unknown>;
  description: string;
}

// A product belongs to the org of what refers to it.
function otherOrgs(orgId: unknown, productId: unknown): NameClaim[] {
  if (productId === null) return [];
  const other = orgId === null ? sql`` : sql`AND org_id <> ${orgId}`;
  return [
    {
      description: `its product ${productId}`,
      query: sql`SELECT org_id AS id FROM products WHERE id = ${productId} ${other}`,
    },
  ];
}

const CLAIMS: Partial<Record<RecordName, (data: RecordData) => NameClaim[]>> = {
  org: ({ id, slug, domain, accounts, aliases }) => [
    {
      description: `the slug ${slug}`,
      query: sql`SELECT id FROM orgs WHERE slug = ${slug} AND deleted_at IS NULL AND id <> ${id}`,
    },
    ...(domain
      ? [
          {
            description: `the domain ${domain}`,
            query: sql`SELECT id FROM orgs WHERE domain = ${domain} AND deleted_at IS NULL AND id <> ${id}`,
          },
        ]
      : []),
    ...(accounts ?? []).map(({ platform, handle }) => ({
      description: `the ${platform} account ${handle}`,
      query: sql`SELECT org_id AS id FROM org_accounts
        WHERE platform = ${platform} AND handle = ${handle} AND deleted_at IS NULL AND org_id <> ${id}`,
    })),
    ...(aliases ?? []).map((alias) => ({
      description: `the domain ${alias.domain}`,
      query: sql`SELECT org_id AS id FROM domain_aliases
        WHERE domain = ${alias.domain} AND deleted_at IS NULL AND org_id IS NOT NULL AND org_id <> ${id}`,
    })),
  ],
  product: ({ id, orgId, slug }) => [
    {
      description: `the slug ${slug}`,
      query: sql`SELECT id FROM products WHERE org_id = ${orgId} AND slug = ${slug} AND deleted_at IS NULL AND id <> ${id}`,
    },
  ],
  source: ({ id, orgId, productId, slug }) => [
    ...otherOrgs(orgId, productId),
    {
      description: `the slug ${slug}`,
      query: sql`SELECT id FROM sources WHERE slug = ${slug} AND deleted_at IS NULL AND id <> ${id}
        AND ${orgId === null ? sql`org_id IS NULL` : sql`org_id = ${orgId}`}`,
    },
  ],
  location: (data) => [
    ...otherOrgs(data.orgId, data.productId),
    {
      description: 'the same place',
      query: sql`SELECT id FROM release_locations WHERE org_id = ${data.orgId} AND match_key = ${locationKey(data)}
        AND deleted_at IS NULL AND id <> ${data.id}`,
    },
  ],
  package: ({ id, ecosystem, name }) => [
    {
      description: `the package ${name}`,
      query: sql`SELECT id FROM packages WHERE ecosystem = ${ecosystem} AND name = ${name} AND id <> ${id}`,
    },
  ],
  // Nothing that a stranger's file says is stored for a private registry.
  listing: (data) => [
    {
      description: `the package ${data.name}`,
      query: sql`SELECT registry AS id FROM package_states WHERE id = ${data.id} AND registry IS NOT NULL
        UNION SELECT scope FROM private_scopes
        WHERE scope = ${scopeOf({ ecosystem: ecosystemOfListing(data), name: String(data.name) }) ?? ''}`,
    },
  ],
  // Coverage has one level, so the canonical release must not be covered itself.
  coverage: ({ canonicalId }) => [
    {
      description: `its canonical release ${canonicalId} is no longer one and`,
      query: sql`SELECT coverage_of AS id FROM releases WHERE id = ${canonicalId} AND coverage_of IS NOT NULL`,
    },
  ],
  collection: ({ id, slug }) => [
    { description: `the slug ${slug}`, query: sql`SELECT id FROM collections WHERE slug = ${slug} AND id <> ${id}` },
  ],
};

// Columns that an export leaves out because they are computed from others.

export function derivedColumns(name: RecordName, data: RecordData): Record<string, unknown> {
  const url = String(data.url);
  switch (name) {
    case 'source':
      return { name_key: foldName(String(data.name)), url_key: normalizeUrl(url) ?? url };
    case 'tag':
    case 'org':
    case 'product':
    case 'collection':
      return { name_key: foldName(String(data.name)) };
    case 'listing':
      return { validators: 'null', outcome: 'listed' };
    case 'location':
      return { match_key: locationKey(data) };
    default:
      return {};
  }
}

function locationKey(data: RecordData): string {
  return locatorKey(Object.fromEntries(LOCATOR_KEYS.flatMap((key) => (data[key] === null ? [] : [[key, data[key]]]))));
}
