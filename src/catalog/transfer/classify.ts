// What an import would do with records: add, change, leave, or refuse them. Reads alone, so that a dry run tells the same.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { Queries } from '../../store/schema/index.ts';
import { fieldName } from './columns.ts';
import { locationKey } from './derived-columns.ts';
import type { FileRecord } from './export-file.ts';
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
  // An import never renames a tag that is here already.
  if (record.name === 'tag') return 'unchanged';
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
    // A dry run does not remember which releases it has seen; there are too many.
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

// Another entity here may own a name that the record claims; it keeps the name, and the record is skipped.
async function conflictOf(db: Queries, { name, data }: FileRecord): Promise<string | null> {
  for (const { query, tell } of CLAIMS[name]?.(data) ?? []) {
    const { rows } = await sql<{ id: string }>`${query} LIMIT 1`.execute(db);
    const [other] = rows;
    if (other) return `${tell} belongs to ${other.id} here`;
  }
  return null;
}

// Releases of one source, all at once because they are many. What an operator has deleted for good does not come back.
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
  tell: string;
}

const CLAIMS: Partial<Record<RecordName, (data: RecordData) => NameClaim[]>> = {
  org: ({ id, slug, domain, accounts, aliases }) => [
    {
      tell: `the slug ${slug}`,
      query: sql`SELECT id FROM orgs WHERE slug = ${slug} AND deleted_at IS NULL AND id <> ${id}`,
    },
    ...(domain
      ? [
          {
            tell: `the domain ${domain}`,
            query: sql`SELECT id FROM orgs WHERE domain = ${domain} AND deleted_at IS NULL AND id <> ${id}`,
          },
        ]
      : []),
    ...(accounts ?? []).map(({ platform, handle }) => ({
      tell: `the ${platform} account ${handle}`,
      query: sql`SELECT org_id AS id FROM org_accounts
        WHERE platform = ${platform} AND handle = ${handle} AND deleted_at IS NULL AND org_id <> ${id}`,
    })),
    ...(aliases ?? []).map((alias) => ({
      tell: `the domain ${alias.domain}`,
      query: sql`SELECT org_id AS id FROM domain_aliases
        WHERE domain = ${alias.domain} AND deleted_at IS NULL AND org_id IS NOT NULL AND org_id <> ${id}`,
    })),
  ],
  product: ({ id, orgId, slug }) => [
    {
      tell: `the slug ${slug}`,
      query: sql`SELECT id FROM products WHERE org_id = ${orgId} AND slug = ${slug} AND deleted_at IS NULL AND id <> ${id}`,
    },
  ],
  source: ({ id, orgId, slug }) => [
    {
      tell: `the slug ${slug}`,
      query: sql`SELECT id FROM sources WHERE slug = ${slug} AND deleted_at IS NULL AND id <> ${id}
        AND ${orgId === null ? sql`org_id IS NULL` : sql`org_id = ${orgId}`}`,
    },
  ],
  location: (data) => [
    {
      tell: 'the same place',
      query: sql`SELECT id FROM release_locations WHERE org_id = ${data.orgId} AND match_key = ${locationKey(data)}
        AND deleted_at IS NULL AND id <> ${data.id}`,
    },
  ],
  package: ({ id, ecosystem, name }) => [
    {
      tell: `the package ${name}`,
      query: sql`SELECT id FROM packages WHERE ecosystem = ${ecosystem} AND name = ${name} AND id <> ${id}`,
    },
  ],
  // Coverage has one level, so the canonical release must not be covered itself.
  coverage: ({ canonicalId }) => [
    {
      tell: `its canonical release ${canonicalId} is no longer one and`,
      query: sql`SELECT coverage_of AS id FROM releases WHERE id = ${canonicalId} AND coverage_of IS NOT NULL`,
    },
  ],
  collection: ({ id, slug }) => [
    { tell: `the slug ${slug}`, query: sql`SELECT id FROM collections WHERE slug = ${slug} AND id <> ${id}` },
  ],
};
