// What both related lists have in common: their question, their fallback, and five minutes of memory.
import { resolveOrg } from '../../catalog/resolve.ts';
import type { Context } from '../../context.ts';
import type { RelatedReleases, RelatedScope } from '../../contract/related.ts';
import type { Store } from '../../store/store.ts';
import { noteDegraded } from '../degraded.ts';

export interface RelatedQuestion {
  scope: RelatedScope;
  limit: number;
  /** A slug, id or domain; what belongs to it is left out of global lists. */
  excludeOrg?: string;
}

export interface Related<Item> {
  scope: RelatedScope;
  items: Item[];
  degraded: boolean;
  degradedReason?: RelatedReleases['degradedReason'];
}

const KEPT_MS = 5 * 60_000;
const MOST = 1_000;
const LEAST_NEIGHBOURS = 50;
const MOST_NEIGHBOURS = 200;

export function neighbourCount(limit: number): number {
  return Math.min(MOST_NEIGHBOURS, Math.max(LEAST_NEIGHBOURS, limit * 10));
}

export async function excludedOrgIds(ctx: Context, { scope, excludeOrg }: RelatedQuestion): Promise<string[]> {
  if (excludeOrg === undefined) return [];
  const { id } = await resolveOrg(ctx, excludeOrg, { parameter: 'excludeOrgSlug' });
  return scope === 'global' ? [id] : [];
}

interface Kept {
  at: number;
  answer: Promise<Related<unknown>>;
}

const memories = new WeakMap<Store, Map<string, Kept>>();

/** An answer that lacks something is not kept: the next one may be whole. */
export async function remembered<Item>(
  ctx: Context,
  name: readonly unknown[],
  make: () => Promise<Related<Item>>,
): Promise<Related<Item>> {
  const memory = memories.get(ctx.store) ?? new Map<string, Kept>();
  memories.set(ctx.store, memory);
  const key = JSON.stringify(name);
  const at = ctx.clock().getTime();
  const known = memory.get(key);
  if (known && at - known.at < KEPT_MS) return told(ctx, known.answer as Promise<Related<Item>>);
  const answer = make();
  memory.delete(key);
  memory.set(key, { at, answer });
  const [oldest] = memory.keys();
  if (memory.size > MOST && oldest !== undefined) memory.delete(oldest);
  const forget = () => {
    if (memory.get(key)?.answer === answer) memory.delete(key);
  };
  answer.then(({ degraded }) => degraded && forget(), forget);
  return told(ctx, answer);
}

async function told<Item>(ctx: Context, answer: Promise<Related<Item>>): Promise<Related<Item>> {
  const related = await answer;
  noteDegraded(ctx, related.degradedReason);
  return related;
}
