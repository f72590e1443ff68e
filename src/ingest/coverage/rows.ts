// Reads the input of the coverage rules: rows without bodies, with source and product, which of them are near in time, and
// which releases bodies link to.
import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { type CoverableRelease, WINDOW_MS } from '../../domain/coverage/release.ts';
import { linksIn } from '../../domain/html/text.ts';
import { readerOf } from '../../domain/source-types.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import { together } from '../../store/pipeline.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';

const COLUMNS = [
  'id',
  'source_id',
  'product_id',
  'title',
  'version',
  'version_sort',
  'package_part',
  'type',
  'published_at',
  'feed_at',
  'url',
  'content_chars',
  'listing',
  'coverage_of',
] as const;

export type LightRow = Pick<ReleaseRow, (typeof COLUMNS)[number]>;

const PAGE = 400;
const MAX_IN_INTERVAL = 2_000;

export async function rowsById(ctx: WriteContext, ids: readonly string[]): Promise<LightRow[]> {
  const queries = Array.from(pages(ids), (part) =>
    ctx.tx.selectFrom('releases').select(COLUMNS).where('id', 'in', part).execute(),
  );
  return (await together(queries)).flat();
}

export async function bodiesById(ctx: WriteContext, ids: readonly string[]): Promise<Map<string, string>> {
  const queries = Array.from(pages(ids), (part) =>
    ctx.tx.selectFrom('releases').select(['id', 'content']).where('id', 'in', part).execute(),
  );
  return new Map((await together(queries)).flat().map(({ id, content }) => [id, content]));
}

type RowScope = { org: string; exceptSource: string } | { source: string };

// Listed releases near these times. Overlapping windows are merged, so that each is read once.
export async function rowsNear(
  ctx: WriteContext,
  { scope, times, windowMs }: { scope: RowScope; times: readonly string[]; windowMs: number },
): Promise<LightRow[]> {
  const windows = windowsAround(times, windowMs);
  const { dialect } = ctx.store;
  // A server plans one statement instead of one a window.
  if (dialect.hasLateral && windows.length > 1) {
    const own =
      'org' in scope
        ? sql`org_id = ${scope.org} AND source_id <> ${scope.exceptSource}`
        : sql`source_id = ${scope.source}`;
    const bounds = windows.map(({ from, to }) => [from, to]);
    const { rows } = await sql<LightRow>`
      SELECT near.* FROM ${dialect.textRows(bounds, 'windows')} CROSS JOIN LATERAL (
        SELECT ${sql.join(COLUMNS.map((column) => sql.ref(column)))} FROM releases
        WHERE listing IN (1, 2) AND published_at IS NOT NULL AND ${own}
          AND feed_at >= windows.v0 AND feed_at <= windows.v1
        ORDER BY feed_at LIMIT ${sql.lit(MAX_IN_INTERVAL)}) AS near
      ORDER BY near.feed_at`.execute(ctx.tx);
    return rows;
  }
  const queries = windows.map(({ from, to }) => {
    let query = ctx.tx
      .selectFrom('releases')
      .select(COLUMNS)
      .where('listing', 'in', [1, 2])
      .where('published_at', 'is not', null)
      .where('feed_at', '>=', from)
      .where('feed_at', '<=', to);
    query =
      'org' in scope
        ? query.where('org_id', '=', scope.org).where('source_id', '!=', scope.exceptSource)
        : query.where('source_id', '=', scope.source);
    return query.orderBy('feed_at').limit(MAX_IN_INTERVAL).execute();
  });
  return (await together(queries)).flat();
}

function windowsAround(times: readonly string[], windowMs: number): { from: string; to: string }[] {
  const merged: { from: number; to: number }[] = [];
  for (const at of times.map((time) => Date.parse(time)).sort((a, b) => a - b)) {
    const last = merged.at(-1);
    if (last && at - windowMs <= last.to) last.to = at + windowMs;
    else merged.push({ from: at - windowMs, to: at + windowMs });
  }
  return merged.map(({ from, to }) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() }));
}

// The rows as the rules see them; undated ones and those of a source that is gone are left out.
export async function asCoverable(ctx: WriteContext, rows: readonly LightRow[]): Promise<CoverableRelease[]> {
  const sourceIds = rows.map(({ source_id }) => source_id);
  const productIds = rows.flatMap(({ product_id }) => product_id ?? []);
  const [sources, products] = await together([byId(ctx, 'sources', sourceIds), byId(ctx, 'products', productIds)]);
  return rows.flatMap((row) => {
    const source = sources.get(row.source_id);
    const product = row.product_id === null ? undefined : products.get(row.product_id);
    if (!source || row.published_at === null) return [];
    return {
      id: row.id,
      source: {
        id: source.id,
        type: readerOf({ ...source, feed_url: null }),
        name: source.name,
        repository: source.github_coordinate,
        isPrimary: source.is_primary === 1,
      },
      product: product ? { id: product.id, name: product.name } : null,
      title: row.title,
      version: row.version_sort,
      versionText: row.version,
      packagePart: row.package_part,
      type: row.type,
      publishedAt: row.published_at,
      url: row.url === null ? null : normalizeUrl(row.url),
      contentChars: row.content_chars,
    };
  });
}

interface OwnerName {
  id: string;
  name: string;
  type: string;
  github_coordinate: string | null;
  is_primary: number;
}

async function byId(
  ctx: WriteContext,
  table: 'sources' | 'products',
  ids: readonly string[],
): Promise<Map<string, OwnerName>> {
  const found = new Map<string, OwnerName>();
  for (const part of pages([...new Set(ids)])) {
    const rows =
      table === 'sources'
        ? await ctx.tx
            .selectFrom('sources')
            .select(['id', 'name', 'type', 'github_coordinate', 'is_primary'])
            .where('id', 'in', part)
            .execute()
        : await ctx.tx.selectFrom('products').select(['id', 'name']).where('id', 'in', part).execute();
    for (const row of rows) found.set(row.id, { type: '', github_coordinate: null, is_primary: 0, ...row });
  }
  return found;
}

export function* pages<T>(values: readonly T[]): Generator<T[]> {
  for (let at = 0; at < values.length; at += PAGE) yield values.slice(at, at + PAGE);
}

// Which stored releases a new one is compared with: those of other sources, nearest in time.

const MAX_CANDIDATES = 200;

export async function candidatesNear(
  ctx: WriteContext,
  scope: { org: string; exceptSource: string },
  fresh: readonly LightRow[],
): Promise<LightRow[]> {
  const times = fresh.flatMap(({ published_at }) => published_at ?? []);
  const near = await rowsNear(ctx, { scope, times, windowMs: WINDOW_MS });
  const present = ctx.clock().getTime();
  return near.filter(({ feed_at }) => Date.parse(feed_at) <= present);
}

type Timeline = { release: CoverableRelease; at: number }[];

export function timelineOf(releases: readonly CoverableRelease[]): Timeline {
  return releases
    .map((release) => ({ release, at: Date.parse(release.publishedAt) }))
    .sort((a, b) => a.at - b.at || (a.release.id < b.release.id ? -1 : 1));
}

export function nearest(release: CoverableRelease, timeline: Timeline): CoverableRelease[] {
  const at = Date.parse(release.publishedAt);
  const start = firstFrom(timeline, at - WINDOW_MS);
  const end = firstFrom(timeline, at + WINDOW_MS + 1);
  return timeline
    .slice(start, end)
    .sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))
    .slice(0, MAX_CANDIDATES)
    .map((one) => one.release);
}

function firstFrom(timeline: Timeline, at: number): number {
  let [low, high] = [0, timeline.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timeline[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Which releases the bodies of others link to.

const NONE: ReadonlySet<string> = new Set();

// `read` are the releases whose bodies are looked into; `among` those that a link could join them with.
export async function bodyLinks(
  ctx: WriteContext,
  { orgId, read, among }: { orgId: string; read: readonly string[]; among: readonly CoverableRelease[] },
): Promise<(id: string) => ReadonlySet<string>> {
  const wanted = new Set(among.flatMap(({ url }) => url ?? []));
  const linked = new Map<string, string[]>();
  for (const [id, content] of await bodiesById(ctx, read)) {
    const addresses = linksIn(content).flatMap((url) => normalizeUrl(url) ?? []);
    // Other bodies are read only when one links to a release in question.
    if (addresses.some((address) => wanted.has(address))) linked.set(id, addresses);
  }
  const releases = await releasesAt(ctx, orgId, [...new Set([...linked.values()].flat())]);
  const targets = new Map<string, ReadonlySet<string>>();
  for (const [id, addresses] of linked) {
    const others = addresses.flatMap((address) => releases.get(address) ?? []).filter((other) => other !== id);
    targets.set(id, new Set(others));
  }
  return (id) => targets.get(id) ?? NONE;
}

// Looked up by identity key, which the index holds for every source.
async function releasesAt(
  ctx: WriteContext,
  orgId: string,
  addresses: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (addresses.length === 0) return found;
  const sources = await ctx.tx.selectFrom('sources').select('id').where('org_id', '=', orgId).execute();
  for (const part of pages(addresses)) {
    const rows = await ctx.tx
      .selectFrom('releases')
      .select(['id', 'identity_key'])
      .where(
        'source_id',
        'in',
        sources.map(({ id }) => id),
      )
      .where(
        'identity_key',
        'in',
        part.map((address) => `u:${address}`),
      )
      .execute();
    for (const { id, identity_key } of rows) {
      const address = identity_key.slice(2);
      found.set(address, [...(found.get(address) ?? []), id]);
    }
  }
  return found;
}
