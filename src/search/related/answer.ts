// What both related lists share: their input, their fallback and a cache of neighbours.

import type { Context } from '../../context.ts';
import type { RelatedReleases, RelatedScope } from '../../contract/related.ts';
import type { VectorHit } from '../../domain/retrieval/retrievers.ts';
import { resolveOrg } from '../../entities/resolve.ts';
import type { Store } from '../../store/store.ts';
import { noteDegraded } from '../search-connection.ts';

export interface RelatedQuestion {
  scope: RelatedScope;
  limit: number;
  // The slug, id or domain of an org that is left out of global lists.
  excludeOrg?: string;
}

export interface Related<Item> {
  scope: RelatedScope;
  items: Item[];
  degraded: boolean;
  degradedReason?: RelatedReleases['degradedReason'];
}

const CACHED_MS = 5 * 60_000;
const MAX_CACHED = 1_000;
const MIN_NEIGHBOURS = 50;
const MAX_NEIGHBOURS = 200;

export function neighbourCount(limit: number): number {
  return Math.min(MAX_NEIGHBOURS, Math.max(MIN_NEIGHBOURS, limit * 10));
}

export async function excludedOrgIds(ctx: Context, { scope, excludeOrg }: RelatedQuestion): Promise<string[]> {
  if (excludeOrg === undefined) return [];
  const { id } = await resolveOrg(ctx, excludeOrg, { parameter: 'excludeOrgSlug' });
  return scope === 'global' ? [id] : [];
}

// The scope is checked for every answer, because a cached neighbour may have moved to another org.
export function isInScope(
  orgId: string | null,
  { scope, anchorOrg, excluded }: { scope: RelatedScope; anchorOrg: string | null; excluded: readonly string[] },
): boolean {
  if (scope === 'org') return orgId === anchorOrg;
  return orgId === null || !excluded.includes(orgId);
}

// The neighbours of an anchor in the index; their visibility is checked for every answer.
export type Neighbours = { hits: VectorHit[] } | { degraded: NonNullable<RelatedReleases['degradedReason']> };

interface CachedNeighbours {
  at: number;
  neighbours: Promise<Neighbours>;
}

const caches = new WeakMap<Store, Map<string, CachedNeighbours>>();

// Caches the neighbours of an anchor for five minutes. Degraded results are not cached, because the next one may be complete.
export async function cachedNeighbours(
  ctx: Context,
  name: readonly unknown[],
  find: () => Promise<Neighbours>,
): Promise<Neighbours> {
  const cache = caches.get(ctx.store) ?? new Map<string, CachedNeighbours>();
  caches.set(ctx.store, cache);
  const key = JSON.stringify(name);
  const at = ctx.clock().getTime();
  const known = cache.get(key);
  if (known && at - known.at < CACHED_MS) return known.neighbours;
  const neighbours = find();
  cache.delete(key);
  cache.set(key, { at, neighbours });
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  const forget = () => {
    if (cache.get(key)?.neighbours === neighbours) cache.delete(key);
  };
  neighbours.then((found) => 'degraded' in found && forget(), forget);
  return neighbours;
}

export function degradedAnswer(
  ctx: Context,
  scope: RelatedScope,
  { degraded }: { degraded: NonNullable<RelatedReleases['degradedReason']> },
): Related<never> {
  noteDegraded(ctx, degraded);
  return { scope, items: [], degraded: true, degradedReason: degraded };
}
