// Domains that were asked for and are not known. A read never writes, so misses are counted in the memory of the process
// that met them and written by its background, once a minute.
import { lookUpDomain } from '../../catalog/lookups/by-domain.ts';
import { type Context, transact } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { DomainLookup } from '../../contract/lookup.ts';
import { normalizeDomain } from '../../domain/hosts.ts';
import type { Store } from '../../store/store.ts';

interface Miss {
  first: string;
  last: string;
  hits: number;
}

// Strangers choose the names, so there is an end to how many are kept.
const MOST_DOMAINS = 10_000;

const misses = new WeakMap<Store, Map<string, Miss>>();

// As `lookUpDomain`; a miss is counted.
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
  if (domain === null || (counted.size >= MOST_DOMAINS && !counted.has(domain))) return;
  const at = ctx.clock().toISOString();
  const before = counted.get(domain);
  counted.set(domain, { first: before?.first ?? at, last: at, hits: (before?.hits ?? 0) + 1 });
}

// Writes what was counted since the last call; the number of domains.
export async function writeDemand(ctx: Context): Promise<number> {
  const counted = misses.get(ctx.store);
  if (!counted || counted.size === 0) return 0;
  misses.set(ctx.store, new Map());
  // Sorted, so that two processes with the same domains never wait for each other in a circle.
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
