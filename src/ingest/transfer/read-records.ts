// Reads records for an export: pages of public ones, or those with given keys.
import { type RawBuilder, sql } from 'kysely';
import { seenPackage } from '../../entities/packages/viewer.ts';
import { visibleProduct, visibleSource, WITHDRAWN_RELEASE } from '../../entities/visible.ts';
import type { Queries } from '../../store/schema/index.ts';
import { fieldName } from './columns.ts';
import { childrenOf } from './read-children.ts';
import type { RecordData } from './record-children.ts';
import { type ExportScope, keyOf, RECORD_TYPES, type RecordName } from './record-types.ts';

interface RecordSelection {
  alias: string;
  // All joins are outer joins, so that records can also be read by their keys alone.
  from: RawBuilder<unknown>;
  where(scope: ExportScope): RawBuilder<unknown>;
  // Columns that the export contains in a reduced form.
  shown?(scope: ExportScope): Record<string, RawBuilder<unknown>>;
}

const ALL = sql`1 = 1`;
const VISIBLE_ORG = sql`(o.deleted_at IS NULL AND o.is_hidden = 0)`;
const ORG_OF_T = sql`LEFT JOIN orgs o ON o.id = t.org_id`;
const SOURCE_OF_T = sql`LEFT JOIN sources s ON s.id = t.source_id LEFT JOIN orgs o ON o.id = s.org_id
  LEFT JOIN products p ON p.id = s.product_id`;

const inOrg = (column: string, { org }: ExportScope) => (org === undefined ? ALL : sql`${sql.ref(column)} = ${org}`);
const sinceOf = (column: string, { since }: ExportScope) =>
  since === undefined ? ALL : sql`${sql.ref(column)} >= ${since}`;
const ofSource = (scope: ExportScope, changed: string) =>
  sql`${visibleSource()} AND ${inOrg('s.org_id', scope)} AND ${sinceOf(changed, scope)}`;
const publicPackage = ({ privateScopes = new Set() }: ExportScope) => seenPackage(privateScopes, 't');
// The releases of a source that is exported: what it has withdrawn belongs to its version ranges.
const exportedRelease = (scope: ExportScope) => sql`((r.listing > 0 OR ${WITHDRAWN_RELEASE})
  AND r.feed_at <= ${scope.now} AND ${inOrg('r.org_id', scope)})`;
const shownRelease = (alias: string, scope: ExportScope) => sql`(${sql.ref(`${alias}.listing`)} > 0
  AND ${sql.ref(`${alias}.feed_at`)} <= ${scope.now} AND ${inOrg(`${alias}.org_id`, scope)})`;

const SELECTIONS: Record<RecordName, RecordSelection> = {
  category: { alias: 't', from: sql`categories t`, where: ({ org }) => (org === undefined ? ALL : sql`1 = 0`) },
  tag: {
    alias: 't',
    from: sql`tags t`,
    where: (scope) => sql`(EXISTS (SELECT 1 FROM org_tags l JOIN orgs o ON o.id = l.org_id
        WHERE l.tag_id = t.id AND ${VISIBLE_ORG} AND ${inOrg('o.id', scope)})
      OR EXISTS (SELECT 1 FROM product_tags l JOIN products p ON p.id = l.product_id JOIN orgs o ON o.id = p.org_id
        WHERE l.tag_id = t.id AND ${visibleProduct()} AND ${inOrg('o.id', scope)}))`,
  },
  org: { alias: 'o', from: sql`orgs o`, where: (scope) => sql`${VISIBLE_ORG} AND ${inOrg('o.id', scope)}` },
  product: {
    alias: 'p',
    from: sql`products p LEFT JOIN orgs o ON o.id = p.org_id`,
    where: (scope) => sql`${visibleProduct()} AND ${inOrg('o.id', scope)}`,
  },
  source: {
    alias: 's',
    from: sql`sources s LEFT JOIN orgs o ON o.id = s.org_id LEFT JOIN products p ON p.id = s.product_id`,
    where: (scope) => sql`${visibleSource()} AND ${inOrg('s.org_id', scope)}`,
  },
  location: {
    alias: 't',
    from: sql`release_locations t ${ORG_OF_T} LEFT JOIN products p ON p.id = t.product_id
      LEFT JOIN sources s ON s.id = t.source_id LEFT JOIN products q ON q.id = s.product_id`,
    where: (scope) => sql`t.deleted_at IS NULL AND ${VISIBLE_ORG} AND ${inOrg('o.id', scope)}`,
    shown: () => ({
      product_id: sql`CASE WHEN p.deleted_at IS NULL AND p.is_hidden = 0 THEN p.id END`,
      source_id: sql`CASE WHEN s.deleted_at IS NULL AND s.is_hidden = 0 AND COALESCE(q.is_hidden, 0) = 0 THEN s.id END`,
    }),
  },
  package: {
    alias: 't',
    from: sql`packages t ${SOURCE_OF_T}`,
    where: (scope) => sql`${visibleSource()} AND ${inOrg('s.org_id', scope)} AND ${publicPackage(scope)}`,
  },
  // What nobody has a public source for was only asked for by somebody.
  listing: {
    alias: 't',
    from: sql`package_states t`,
    where: (scope) => sql`t.registry IS NULL AND t.listed_at IS NOT NULL AND ${publicPackage(scope)}
      AND ${sinceOf('t.listed_at', scope)}
      AND EXISTS (SELECT 1 FROM packages m JOIN sources s ON s.id = m.source_id LEFT JOIN orgs o ON o.id = s.org_id
        LEFT JOIN products p ON p.id = s.product_id
        WHERE m.ecosystem = t.ecosystem AND m.name = t.name AND ${visibleSource()} AND ${inOrg('s.org_id', scope)})`,
  },
  release: {
    alias: 'r',
    from: sql`releases r LEFT JOIN releases c ON c.id = r.coverage_of`,
    where: (scope) => sql`${exportedRelease(scope)} AND ${sinceOf('r.updated_at', scope)}`,
    shown: (scope) => ({
      coverage_of: sql`CASE WHEN ${shownRelease('c', scope)} THEN c.id END`,
      suppressed_reason: sql`CASE WHEN ${WITHDRAWN_RELEASE} THEN r.suppressed_reason END`,
      suppressed_by: sql`CASE WHEN ${WITHDRAWN_RELEASE} THEN r.suppressed_by END`,
    }),
  },
  coverage: {
    alias: 't',
    from: sql`release_coverage t LEFT JOIN releases r ON r.id = t.coverage_id LEFT JOIN releases c ON c.id = t.canonical_id`,
    where: (scope) =>
      sql`${shownRelease('r', scope)} AND ${shownRelease('c', scope)} AND ${sinceOf('r.updated_at', scope)}`,
  },
  changelogFile: {
    alias: 't',
    from: sql`changelog_files t ${SOURCE_OF_T}`,
    where: (scope) => ofSource(scope, 't.fetched_at'),
  },
  summary: {
    alias: 't',
    from: sql`summaries t ${SOURCE_OF_T}`,
    where: (scope) => ofSource(scope, 't.generated_at'),
  },
  overview: {
    alias: 't',
    from: sql`pages t ${ORG_OF_T} LEFT JOIN products p ON p.id = t.product_id`,
    where: (scope) => sql`t.scope IN ('org', 'product') AND ${VISIBLE_ORG} AND ${inOrg('o.id', scope)}
      AND (t.product_id IS NULL OR (p.deleted_at IS NULL AND p.is_hidden = 0)) AND ${sinceOf('t.updated_at', scope)}`,
  },
  collection: { alias: 't', from: sql`collections t`, where: ({ org }) => (org === undefined ? ALL : sql`1 = 0`) },
};

export interface StoredRecord {
  data: RecordData;
  isDeleted: boolean;
}

type RecordRow = Record<string, unknown>;

// Public records in the order of their keys, at most `limit` after `after`.
export async function recordPage(
  db: Queries,
  name: RecordName,
  { scope, after, limit }: { scope: ExportScope; after: string; limit: number },
): Promise<RecordData[]> {
  const { alias, where } = SELECTIONS[name];
  const key = sql.ref(`${alias}.${RECORD_TYPES[name].key}`);
  const condition = sql`${where(scope)} AND ${key} > ${after} ORDER BY ${key} LIMIT ${limit}`;
  return (await readRecords(db, name, { scope, condition })).map(({ data }) => data);
}

// Ids of the public releases of a source, in order.
export async function releaseIds(
  db: Queries,
  { scope, sourceId }: { scope: ExportScope; sourceId: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT r.id FROM releases r
    WHERE r.source_id = ${sourceId} AND ${SELECTIONS.release.where(scope)}`.execute(db);
  return rows.map((row) => row.id).sort();
}

// Records by their keys, public or not, in the order of their keys.
export async function recordsByKeys(
  db: Queries,
  name: RecordName,
  { scope, keys }: { scope: ExportScope; keys: readonly string[] },
): Promise<Map<string, StoredRecord>> {
  if (keys.length === 0) return new Map();
  const type = RECORD_TYPES[name];
  const key = sql.ref(`${SELECTIONS[name].alias}.${type.key}`);
  const condition = sql`${key} IN (${sql.join(keys)}) ORDER BY ${key}`;
  const records = await readRecords(db, name, { scope, condition });
  return new Map(records.map((record) => [keyOf(type, record.data), record]));
}

async function readRecords(
  db: Queries,
  name: RecordName,
  { scope, condition }: { scope: ExportScope; condition: RawBuilder<unknown> },
): Promise<StoredRecord[]> {
  const { alias, from, shown } = SELECTIONS[name];
  const { columns, isSoftDeleted } = RECORD_TYPES[name];
  const less = shown?.(scope) ?? {};
  const names = [...Object.keys(columns), ...(isSoftDeleted ? ['deleted_at'] : [])];
  const list = names.map((column) => sql`${less[column] ?? sql.ref(`${alias}.${column}`)} AS ${sql.ref(column)}`);
  const { rows } = await sql<RecordRow>`SELECT ${sql.join(list)} FROM ${from} WHERE ${condition}`.execute(db);
  const children = await childrenOf(db, name, { scope, rows });
  return rows.map((row, index) => ({
    data: { ...fieldsOf(name, row), ...children[index] },
    isDeleted: isSoftDeleted && row.deleted_at !== null,
  }));
}

function fieldsOf(name: RecordName, row: RecordRow): RecordData {
  const columns = Object.entries(RECORD_TYPES[name].columns);
  return Object.fromEntries(columns.map(([column, { toFile }]) => [fieldName(column), toFile(row[column])]));
}
