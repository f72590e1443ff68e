// Requested domains that are not in the registry. A read never writes, so misses are counted in memory and written by the
// background loop once a minute.

import { type Context, transact } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { DomainLookup } from '../../contract/lookup.ts';
import { normalizeDomain } from '../../domain/slugs.ts';
import { lookUpDomain } from '../../entities/lookups/by-domain.ts';
import type { Store } from '../../store/store.ts';

interface Miss {
  first: string;
  last: string;
  hits: number;
}

// Callers choose the names, so their number is bounded.
const MAX_DOMAINS = 10_000;

const misses = new WeakMap<Store, Map<string, Miss>>();

// `lookUpDomain`, which also counts a miss.
export async function lookUpWantedDomain(ctx: Context, input: { domain: string }): Promise<DomainLookup> {
  try {
    return await lookUpDomain(ctx, input);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') noteMiss(ctx, input.domain);
    throw error;
  }
}

function noteMiss(ctx: Context, text: string): void {
  const domain = normalizeDomain(text);
  const counted = misses.get(ctx.store) ?? new Map<string, Miss>();
  misses.set(ctx.store, counted);
  if (domain === null || (counted.size >= MAX_DOMAINS && !counted.has(domain))) return;
  const at = ctx.clock().toISOString();
  const before = counted.get(domain);
  counted.set(domain, { first: before?.first ?? at, last: at, hits: (before?.hits ?? 0) + 1 });
}

// Writes the counts since the last call; returns the number of domains.
export async function writeDemand(ctx: Context): Promise<number> {
  const counted = misses.get(ctx.store);
  if (!counted || counted.size === 0) return 0;
  misses.set(ctx.store, new Map());
  // Sorted, so that two processes lock rows in the same order.
  const rows = [...counted].sort(([a], [b]) => (a < b ? -1 : 1));
  await transact(
    ctx,
    async ({ tx }) => {
      for (const [domain, { first, last, hits }] of rows) {
        await tx
          .insertInto('domain_demand')
          .values({ domain, first_at: first, last_at: last, hits, probed_at: null })
          .onConflict((conflict) =>
            conflict.column('domain').doUpdateSet((eb) => ({
              hits: eb('domain_demand.hits', '+', hits),
              last_at: last,
            })),
          )
          .execute();
      }
    },
    'bookkeeping',
  );
  return rows.length;
}
