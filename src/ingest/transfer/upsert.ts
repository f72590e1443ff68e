// Upserts records of every type except releases, and updates all data that is derived from them.

import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { newId } from '../../domain/ids.ts';
import { refreshNames } from '../../entities/refresh-names.ts';
import { setFormerNames } from '../../entities/sources/former-names.ts';
import { insertCitations } from '../../insight/overviews/citations.ts';
import { storeListing } from '../../packages/listings/store-listing.ts';
import { refreshFigures, refreshOrgCount } from '../../releases/figures.ts';
import { rebuildChunks } from '../../releases/indexing/rebuild-chunks.ts';
import { changeListing } from '../../releases/write/change-listing.ts';
import { refreshCoverageCounts } from '../../releases/write/coverage-count.ts';
import { relistSources } from '../../releases/write/relist.ts';
import { type Classified, derivedColumns } from './classify.ts';
import { listingOf, textOrNull } from './listing-records.ts';
import type { RecordData } from './record-children.ts';
import { keyOf, RECORD_TYPES, type RecordName, storedColumns } from './record-types.ts';

// Replaces the public rows of the lists inside records by those of the file.

type TagLinks = { table: 'org_tags' | 'product_tags'; column: 'org_id' | 'product_id'; id: string };

async function replaceTags(ctx: WriteContext, { table, column, id }: TagLinks, data: RecordData): Promise<void> {
  const { tags: slugs = [] } = data;
  await sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${id}`.execute(ctx.tx);
  if (slugs.length === 0) return;
  await sql`INSERT INTO ${sql.table(table)} (${sql.ref(column)}, tag_id)
    SELECT ${id}, id FROM tags WHERE slug IN (${sql.join(slugs)})`.execute(ctx.tx);
}

async function replaceAccounts(ctx: WriteContext, orgId: string, data: RecordData): Promise<void> {
  const { accounts = [] } = data;
  await ctx.tx.deleteFrom('org_accounts').where('org_id', '=', orgId).where('deleted_at', 'is', null).execute();
  if (accounts.length === 0) return;
  const rows = accounts.map(({ platform, handle, createdAt }) => ({
    id: newId('oa', ctx.randomBytes),
    org_id: orgId,
    platform,
    handle,
    created_at: createdAt,
    deleted_at: null,
  }));
  await ctx.tx.insertInto('org_accounts').values(rows).execute();
}

async function replaceAliases(
  ctx: WriteContext,
  { column, id }: { column: 'org_id' | 'product_id'; id: string },
  data: RecordData,
): Promise<void> {
  const { aliases = [] } = data;
  await ctx.tx.deleteFrom('domain_aliases').where(column, '=', id).where('deleted_at', 'is', null).execute();
  if (aliases.length === 0) return;
  const rows = aliases.map(({ domain, createdAt }) => ({
    id: newId('da', ctx.randomBytes),
    domain,
    org_id: column === 'org_id' ? id : null,
    product_id: column === 'product_id' ? id : null,
    created_at: createdAt,
    deleted_at: null,
  }));
  await ctx.tx.insertInto('domain_aliases').values(rows).execute();
}

// Hidden members stay, because a file never contains them. Members that do not exist here are left out.
async function replaceMembers(ctx: WriteContext, data: RecordData, before: RecordData | null): Promise<void> {
  const collectionId = String(data.id);
  const { members = [] } = data;
  const gone = [...(before?.members ?? []), ...members];
  for (const [column, ids] of [
    ['org_id', gone.flatMap(({ orgId }) => orgId ?? [])],
    ['product_id', gone.flatMap(({ productId }) => productId ?? [])],
  ] as const) {
    if (ids.length === 0) continue;
    await ctx.tx
      .deleteFrom('collection_members')
      .where('collection_id', '=', collectionId)
      .where(column, 'in', ids)
      .execute();
  }
  for (const { orgId, productId, position, createdAt } of members) {
    const [table, id] = productId === null ? (['orgs', orgId] as const) : (['products', productId] as const);
    await sql`INSERT INTO collection_members (collection_id, org_id, product_id, position, created_at)
      SELECT ${collectionId}, ${sql.raw(productId === null ? 'id' : 'NULL')}, ${sql.raw(productId === null ? 'NULL' : 'id')},
        ${sql.lit(position)}, ${createdAt} FROM ${sql.table(table)} WHERE id = ${id}`.execute(ctx.tx);
  }
}

type WrittenRecord = Classified & { outcome: 'inserted' | 'updated' };

export async function upsertRecords(ctx: WriteContext, classified: readonly Classified[]): Promise<void> {
  for (const one of classified) {
    if (one.record.name === 'coverage' && one.outcome === 'skipped') await relistCoverage(ctx, one);
  }
  const written = classified.filter(
    (one): one is WrittenRecord => one.outcome === 'inserted' || one.outcome === 'updated',
  );
  const [first] = written;
  if (!first) return;
  const { name } = first.record;
  for (const one of written) {
    await deleteReplaced(ctx, name, one.record.data);
    await writeRow(ctx, one);
    await AFTER_UPSERT[name]?.(ctx, one);
  }
  await refreshRecordNames(ctx, name, written);
}

async function writeRow(ctx: WriteContext, { record, outcome }: WrittenRecord): Promise<void> {
  const type = RECORD_TYPES[record.name];
  const values: Record<string, unknown> = {
    ...storedColumns(type, record.data),
    ...derivedColumns(record.name, record.data),
    ...(type.isSoftDeleted ? { deleted_at: null } : {}),
    ...(type.isEmbedded ? { embedded_at: null } : {}),
  };
  const table = sql.table(type.table);
  if (outcome === 'updated') {
    const { [type.key]: _, ...changes } = values;
    const assignments = Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    await sql`UPDATE ${table} SET ${sql.join(assignments)}
      WHERE ${sql.ref(type.key)} = ${keyOf(type, record.data)}`.execute(ctx.tx);
    return;
  }
  const row = { ...(record.name === 'tag' ? { id: newId('tag', ctx.randomBytes) } : {}), ...values };
  await sql`INSERT INTO ${table} (${sql.join(Object.keys(row).map((column) => sql.ref(column)))})
    VALUES (${sql.join(Object.values(row))})`.execute(ctx.tx);
}

// Texts that this registry has generated or fetched are deleted first, because the unique key allows only one of a
// kind.
async function deleteReplaced(ctx: WriteContext, name: RecordName, data: RecordData): Promise<void> {
  const { id, sourceId, path, type, windowDays, year, month, orgId, productId, scope } = data;
  if (name === 'changelogFile') {
    await sql`DELETE FROM changelog_files WHERE source_id = ${sourceId} AND path = ${path} AND id <> ${id}`.execute(
      ctx.tx,
    );
  } else if (name === 'summary') {
    const same = type === 'rolling' ? sql`window_days = ${windowDays}` : sql`year = ${year} AND month = ${month}`;
    await sql`DELETE FROM summaries
      WHERE source_id = ${sourceId} AND type = ${type} AND ${same} AND id <> ${id}`.execute(ctx.tx);
  } else if (name === 'overview') {
    const owner = productId === null ? sql`org_id = ${orgId} AND product_id IS NULL` : sql`product_id = ${productId}`;
    await sql`DELETE FROM pages WHERE scope = ${scope} AND ${owner} AND id <> ${id}`.execute(ctx.tx);
  }
}

const AFTER_UPSERT: Partial<Record<RecordName, (ctx: WriteContext, one: WrittenRecord) => Promise<void>>> = {
  async org(ctx, { record: { data }, stored }) {
    const id = String(data.id);
    await replaceTags(ctx, { table: 'org_tags', column: 'org_id', id }, data);
    await replaceAccounts(ctx, id, data);
    await replaceAliases(ctx, { column: 'org_id', id }, data);
    if (stored && differ(data, stored.data, ['category'])) await relistOf(ctx, 'org_id', id);
    if (stored?.isDeleted) await relistOf(ctx, 'org_id', id);
  },
  async product(ctx, { record: { data }, stored }) {
    const id = String(data.id);
    await replaceTags(ctx, { table: 'product_tags', column: 'product_id', id }, data);
    await replaceAliases(ctx, { column: 'product_id', id }, data);
    if (stored && differ(data, stored.data, ['category', 'kind', 'name'])) await relistOf(ctx, 'product_id', id);
  },
  async source(ctx, { record: { data }, stored }) {
    const id = String(data.id);
    await setFormerNames(ctx, id, data.formerCoordinates ?? []);
    if (!stored) {
      await refreshFigures(ctx, { id, visible: false }, new Set());
      await refreshOrgCount(ctx, typeof data.orgId === 'string' ? data.orgId : null);
      return;
    }
    if (
      stored.isDeleted ||
      differ(data, stored.data, ['orgId', 'productId', 'kind', 'type', 'settings', 'versionScheme'])
    ) {
      await relistSources(ctx, [id]);
      const before = stored.data.orgId;
      if (before !== data.orgId && typeof before === 'string') await refreshOrgCount(ctx, before);
    }
  },
  async coverage(ctx, { record: { data } }) {
    const [coverageId, canonicalId] = [String(data.coverageId), String(data.canonicalId)];
    const row = await ctx.tx
      .selectFrom('releases')
      .select(['coverage_of'])
      .where('id', '=', coverageId)
      .executeTakeFirst();
    if (row?.coverage_of === canonicalId) return refreshCoverageCounts(ctx, { ids: [canonicalId] });
    await changeListing(ctx, coverageId, { coverage_of: canonicalId });
    if (row?.coverage_of) await refreshCoverageCounts(ctx, { ids: [row.coverage_of] });
  },
  async changelogFile(ctx, { record: { data } }) {
    await rebuildChunks(ctx, { sourceId: String(data.sourceId), path: String(data.path) });
  },
  async listing(ctx, { record: { data } }) {
    await storeListing(ctx, listingOf(data), { listedAt: textOrNull(data.listedAt) });
  },
  async overview(ctx, { record: { data } }) {
    const pageId = String(data.id);
    const { citations = [] } = data;
    const cited = citations.flatMap(({ releaseId }) => releaseId ?? []);
    const rows = await ctx.tx
      .selectFrom('releases')
      .select('id')
      .where('id', 'in', [...cited, ''])
      .execute();
    const present = new Set(rows.map((row) => row.id));
    await ctx.tx.deleteFrom('page_citations').where('page_id', '=', pageId).execute();
    await insertCitations(
      ctx,
      pageId,
      citations.map(({ sourceUrl, title, releaseId, startIndex, endIndex, citedText }) => ({
        sourceUrl,
        title,
        releaseId: releaseId && present.has(releaseId) ? releaseId : null,
        start_index: startIndex,
        end_index: endIndex,
        cited_text: citedText,
      })),
    );
  },
  async collection(ctx, { record: { data }, stored }) {
    await replaceMembers(ctx, data, stored?.data ?? null);
  },
};

function differ(a: RecordData, b: RecordData, fields: readonly string[]): boolean {
  return fields.some((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]));
}

async function relistOf(ctx: WriteContext, column: 'org_id' | 'product_id', id: string): Promise<void> {
  const rows = await ctx.tx.selectFrom('sources').select('id').where(column, '=', id).execute();
  await relistSources(
    ctx,
    rows.map((row) => row.id),
  );
}

async function refreshRecordNames(
  ctx: WriteContext,
  name: RecordName,
  written: readonly WrittenRecord[],
): Promise<void> {
  if (name !== 'org' && name !== 'product' && name !== 'source' && name !== 'collection') return;
  await refreshNames(
    ctx,
    written.map(({ record }) => ({ type: name, id: String(record.data.id) })),
  );
}

// A release whose canonical release is missing is listed again.
async function relistCoverage(ctx: WriteContext, { record: { data } }: Classified): Promise<void> {
  const row = await ctx.tx
    .selectFrom('releases as r')
    .leftJoin('release_coverage as c', 'c.coverage_id', 'r.id')
    .select(['r.id', 'c.canonical_id'])
    .where('r.id', '=', String(data.coverageId))
    .where('r.coverage_of', '=', String(data.canonicalId))
    .executeTakeFirst();
  if (row && row.canonical_id === null) await changeListing(ctx, row.id, { coverage_of: null });
}
