// Counts for operators of documents with and without a vector. The counting runs on other threads than requests.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { EmbeddedCount, EmbedStatus } from '../../contract/embed-status.ts';
import { releaseText } from '../../domain/embedding/document-text.ts';
import { readSpace } from '../../domain/embedding/space.ts';
import { visibleProduct, visibleSource } from '../../entities/visible.ts';
import { createEmbedder } from './create-embedder.ts';
import { findIndexInDatabase } from './pgvector/choose.ts';
import { indexDatabase } from './pgvector/keep.ts';
import { readSpaces } from './spaces.ts';

const PAGE = 500;
// The beginning of a body, enough to see whether it has content.
const READ_CHARS = 16_000;
const NONE: EmbeddedCount = { total: 0, embedded: 0, unembedded: 0, pending: 0, failed: 0 };

export async function readEmbedStatus(ctx: Context): Promise<EmbedStatus> {
  const embedder = createEmbedder(ctx);
  const spaces = await readSpaces(ctx.store.read);
  // The space that is being filled is that of the configured embedder.
  const space = spaces?.filling ?? spaces?.active ?? '';
  const known = readSpace(space);
  const [releases, chunks, entities] = [
    await countReleases(ctx, space),
    await countChunks(ctx, space),
    await countEntities(ctx, space),
  ];
  return {
    configured: embedder !== null,
    model: embedder?.id ?? null,
    dimensions: embedder && (embedder.dims ?? (known?.embedder === embedder.id ? known.dims : null)),
    index: await indexOf(ctx, spaces?.active ?? null),
    releases,
    chunks,
    entities,
  };
}

// What the index threads of all processes choose.
async function indexOf(ctx: Context, space: string | null): Promise<EmbedStatus['index']> {
  const database = indexDatabase(ctx);
  if (!database) return { place: 'process', extension: null, filling: false };
  const { extension, ready, filling } = await findIndexInDatabase(database.read, space ?? '');
  return { place: ready ? 'database' : 'process', extension: extension?.version ?? null, filling };
}

// Whether releases or sections of changelog files still wait for a vector; false without an embedder. It reads two
// entries of indexes, so that it may be asked often.
export async function isEmbeddingPending(ctx: Context): Promise<boolean> {
  if (createEmbedder(ctx) === null) return false;
  const spaces = await readSpaces(ctx.store.read);
  const space = spaces?.filling ?? spaces?.active ?? '';
  const { rows } = await sql<{ release: number | null; chunk: number | null; embedded: number | null }>`SELECT
    (SELECT seq FROM releases ${ctx.store.dialect.byIndex('releases_unembedded')}
      WHERE embedded_at IS NULL AND listing > 0 ORDER BY seq LIMIT 1) AS release,
    (SELECT seq FROM changelog_chunks WHERE blank = 0 ORDER BY seq DESC LIMIT 1) AS chunk,
    (SELECT MAX(key) FROM vectors WHERE space = ${space} AND kind = 'chunk') AS embedded`.execute(ctx.store.search);
  const { release = null, chunk = null, embedded = null } = rows[0] ?? {};
  return release !== null || Number(chunk ?? 0) > Number(embedded ?? 0);
}

interface EmbeddingCounts {
  total: number;
  embedded: number;
  pending: number;
}

async function countOf({ store }: Context, counting: RawBuilder<unknown>): Promise<EmbeddingCounts> {
  const { rows } = await sql<EmbeddingCounts>`${counting}`.execute(store.search);
  const { total = 0, embedded = 0, pending = 0 } = rows[0] ?? {};
  return { total: Number(total ?? 0), embedded: Number(embedded ?? 0), pending: Number(pending ?? 0) };
}

function withFailures({ total, embedded, pending }: EmbeddingCounts, failed: number): EmbeddedCount {
  return { total, embedded, unembedded: total - embedded, pending, failed };
}

async function countReleases(ctx: Context, space: string): Promise<EmbeddedCount> {
  const counted = await countOf(
    ctx,
    sql`SELECT count(*) AS total, count(v.key) AS embedded,
        SUM(CASE WHEN v.key IS NULL AND r.embedded_at IS NULL THEN 1 ELSE 0 END) AS pending
      FROM releases r LEFT JOIN vectors v ON v.space = ${space} AND v.kind = 'release' AND v.key = r.seq AND v.deleted = 0
      WHERE r.listing > 0`,
  );
  return withFailures(counted, await countRefused(ctx, space));
}

// Releases that the embedder refused: they were processed and have no vector although they have content.
async function countRefused({ store }: Context, space: string): Promise<number> {
  let refused = 0;
  for (let after = 0; ; ) {
    const { rows } = await sql<UnembeddedRow>`
      SELECT r.seq, r.title, r.version, r.summary, substr(r.content, 1, ${sql.lit(READ_CHARS)}) AS content
      FROM releases r LEFT JOIN vectors v ON v.space = ${space} AND v.kind = 'release' AND v.key = r.seq AND v.deleted = 0
      WHERE r.seq > ${after} AND r.listing > 0 AND r.embedded_at IS NOT NULL AND v.key IS NULL
      ORDER BY r.seq LIMIT ${PAGE}`.execute(store.search);
    refused += rows.filter((row) => releaseText(row) !== null).length;
    if (rows.length < PAGE) return refused;
    after = rows.at(-1)?.seq ?? after;
  }
}

interface UnembeddedRow {
  seq: number;
  title: string;
  version: string | null;
  summary: string;
  content: string;
}

// Chunks get their vectors in the order of their numbers, so those without one below the last number were refused.
async function countChunks(ctx: Context, space: string): Promise<EmbeddedCount> {
  const counted = await countOf(
    ctx,
    sql`SELECT count(*) AS total, count(v.key) AS embedded,
        SUM(CASE WHEN v.key IS NULL AND c.seq > (SELECT COALESCE(MAX(key), 0) FROM vectors
          WHERE space = ${space} AND kind = 'chunk') THEN 1 ELSE 0 END) AS pending
      FROM changelog_chunks c
      LEFT JOIN vectors v ON v.space = ${space} AND v.kind = 'chunk' AND v.key = c.seq AND v.deleted = 0
      WHERE c.blank = 0`,
  );
  return withFailures(counted, counted.total - counted.embedded - counted.pending);
}

async function countEntities(ctx: Context, space: string): Promise<EmbedStatus['entities']> {
  const of = async (alias: string, tables: RawBuilder<unknown>, visible: RawBuilder<unknown>) => {
    const counted = await countOf(
      ctx,
      sql`SELECT count(*) AS total, count(v.key) AS embedded,
          SUM(CASE WHEN v.key IS NULL AND ${sql.ref(`${alias}.embedded_at`)} IS NULL THEN 1 ELSE 0 END) AS pending
        FROM ${tables} LEFT JOIN vectors v
          ON v.space = ${space} AND v.kind = 'entity' AND v.ref = ${sql.ref(`${alias}.id`)} AND v.deleted = 0
        WHERE ${visible}`,
    );
    return withFailures(counted, counted.total - counted.embedded - counted.pending);
  };
  const breakdown = {
    org: await of('o', sql`orgs o`, sql`o.deleted_at IS NULL AND o.is_hidden = 0`),
    product: await of('p', sql`products p JOIN orgs o ON o.id = p.org_id`, visibleProduct()),
    source: await of(
      's',
      sql`sources s LEFT JOIN orgs o ON o.id = s.org_id LEFT JOIN products p ON p.id = s.product_id`,
      visibleSource(),
    ),
    collection: NONE,
  };
  return { ...Object.values(breakdown).reduce(sumOf), breakdown };
}

function sumOf(a: EmbeddedCount, b: EmbeddedCount): EmbeddedCount {
  return {
    total: a.total + b.total,
    embedded: a.embedded + b.embedded,
    unembedded: a.unembedded + b.unembedded,
    pending: a.pending + b.pending,
    failed: a.failed + b.failed,
  };
}
