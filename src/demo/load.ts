// Fills an empty registry with the demo data through the service's own write functions, all of it or nothing.
import { setImmediate } from 'node:timers/promises';
import { storeChangelogFile } from '../catalog/changelog-files/store-file.ts';
import { linkCoverage } from '../catalog/releases/coverage.ts';
import { draftFromInput } from '../catalog/releases/draft.ts';
import { writeDrafts } from '../catalog/releases/write-drafts.ts';
import { resolveSource } from '../catalog/resolve.ts';
import { createSource } from '../catalog/sources/create.ts';
import { type Context, transact, type WriteContext } from '../context.ts';
import { newId } from '../domain/ids.ts';
import { toJson } from '../store/json-text.ts';
import { computeInline } from '../threads/computed.ts';
import { at } from './at-time.ts';
import { loadCuration } from './load-curation.ts';
import { linkLocations, loadOrg } from './load-orgs.ts';
import { buildDemoRegistry } from './registry.ts';
import type { DemoRegistry, DemoSource, ReleaseRef } from './types.ts';

export interface DemoIds {
  sources: Map<string, string>;
  releases(ref: ReleaseRef): string | null;
}

interface DemoOptions {
  releases?: number;
  onProgress?: (done: number, total: number) => void;
  // Ends the load with the reason of the signal; nothing of it stays.
  signal?: AbortSignal;
}

const BATCH = 500;

// True when the data was loaded; a registry that holds anything is left alone.
export async function loadDemo(ctx: Context, options: DemoOptions = {}): Promise<boolean> {
  const { onProgress = () => {}, signal, ...size } = options;
  const registry = buildDemoRegistry({ now: ctx.clock(), ...size });
  const load = async (inner: WriteContext) => {
    await inner.store.dialect.lock(inner.tx, 'demo');
    const filled = await inner.tx.selectFrom('orgs').select('id').limit(1).executeTakeFirst();
    if (filled) return false;
    await loadRegistry(inner, registry, (done, total) => {
      signal?.throwIfAborted();
      onProgress(done, total);
    });
    signal?.throwIfAborted();
    return true;
  };
  return computeInline(() => transact(ctx, load));
}

async function loadRegistry(
  ctx: WriteContext,
  registry: DemoRegistry,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const total = registry.sources.reduce((sum, source) => sum + source.releases.length, 0);
  let done = 0;
  for (const org of registry.orgs) await loadOrg(ctx, org);
  const sources = new Map<string, string>();
  const releases = new Map<string, (string | null)[]>();
  for (const source of registry.sources) {
    const id = await loadSource(ctx, source);
    sources.set(source.key, id);
    releases.set(source.key, await loadReleases(ctx, id, source));
    done += source.releases.length;
    onProgress(done, total);
    // Requests are answered meanwhile.
    await setImmediate();
  }
  await linkLocations(ctx, registry.orgs, sources);
  const ids: DemoIds = { sources, releases: ({ source, row }) => releases.get(source)?.[row] ?? null };
  for (const { canonical, coverage, reason, decidedBy } of registry.coverage) {
    const [to, from] = [ids.releases(canonical), ids.releases(coverage)];
    if (to && from) await linkCoverage(ctx, to, { coverageIds: [from], reason, decidedBy });
  }
  await loadCuration(ctx, registry, ids);
}

async function loadSource(ctx: WriteContext, source: DemoSource): Promise<string> {
  const { id } = await createSource(at(ctx, source.createdAt), {
    name: source.name,
    slug: source.slug,
    url: source.url,
    type: source.type,
    orgSlug: source.orgSlug ?? undefined,
    productSlug: source.productSlug ?? undefined,
    metadata: source.metadata,
    kind: source.kind ?? undefined,
    isPrimary: source.isPrimary,
    isHidden: source.isHidden,
    // Nothing of the demo exists outside; orgs are paused as a whole, these one by one.
    fetchPriority: source.orgSlug === null ? 'paused' : source.fetchPriority,
    discovery: source.discovery,
  });
  const { state } = source;
  await ctx.tx
    .updateTable('sources')
    .set({
      stars: source.stars,
      notice: source.notice && toJson(source.notice),
      last_fetched_at: state.lastFetchedAt,
      last_polled_at: state.lastPolledAt,
      change_detected_at: state.changeDetectedAt,
      last_outcome: state.lastOutcome,
      failing_since: state.failingSince,
      consecutive_no_change: state.consecutiveNoChange,
      consecutive_errors: state.consecutiveErrors,
      stars_fetched_at: state.starsFetchedAt,
    })
    .where('id', '=', id)
    .execute();
  return id;
}

// Ids of the releases in the order of the rows; null where a row was not taken.
async function loadReleases(ctx: WriteContext, sourceId: string, source: DemoSource): Promise<(string | null)[]> {
  const place = await resolveSource(ctx, { src: sourceId });
  const ids: (string | null)[] = [];
  for (let start = 0; start < source.releases.length; start += BATCH) {
    const rows = source.releases.slice(start, start + BATCH);
    const drafts = rows.map(({ fetchedAt, ...row }) => ({ ...draftFromInput(row), firstSeenAt: fetchedAt }));
    const { items } = await writeDrafts(ctx, { sourceInOrg: place, drafts, writtenBy: 'import' });
    ids.push(...items.map((item) => item.id));
  }
  for (const [index, file] of source.changelogFiles.entries()) {
    await storeChangelogFile(ctx, { sourceId, canonical: index === 0, ...file });
  }
  await loadFetchLog(ctx, sourceId, source);
  return ids;
}

async function loadFetchLog(ctx: WriteContext, sourceId: string, source: DemoSource): Promise<void> {
  if (source.fetchLog.length === 0) return;
  const rows = source.fetchLog.map((row) => ({
    id: newId('fl', ctx.randomBytes),
    source_id: sourceId,
    trigger: row.trigger,
    status: row.status,
    error_category: row.errorCategory,
    error: row.error,
    releases_found: row.releasesFound,
    releases_inserted: row.releasesInserted,
    releases_updated: row.releasesUpdated,
    total_releases: row.totalReleases,
    duration_ms: row.durationMs,
    http_status: row.httpStatus,
    requests: row.requests,
    bytes: row.bytes,
    created_at: row.createdAt,
  }));
  await ctx.tx.insertInto('fetch_log').values(rows).execute();
}
