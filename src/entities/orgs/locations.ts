import { type Context, now, queries, type WriteContext } from '../../context.ts';
import type { LocationBasis } from '../../contract/enums.ts';
import { LOCATOR_KEYS, type Locator } from '../../contract/manifest.ts';
import type { Location } from '../../contract/org.ts';
import { newId } from '../../domain/ids.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import type { ReleaseLocationRow } from '../../store/schema/orgs.ts';

// The locations where an org publishes, declared or found: canonical first, then by title.
export async function locationRows(ctx: Context, orgId: string): Promise<ReleaseLocationRow[]> {
  const rows = await queries(ctx)
    .selectFrom('release_locations')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.sort((a, b) => b.canonical - a.canonical || compareTitles(a.title, b.title));
}

// Locations with a title come before those without.
function compareTitles(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

// Ids of products and sources that the caller may not see are left out.
export function toLocation(row: ReleaseLocationRow, visible: ReadonlySet<string>): Location {
  const set = LOCATOR_KEYS.flatMap((key) => (row[key] === null ? [] : [[key, row[key]] as const]));
  return {
    ...Object.fromEntries(set),
    ...(row.title === null ? {} : { title: row.title }),
    canonical: row.canonical === 1,
    basis: row.basis,
    productId: row.product_id && visible.has(row.product_id) ? row.product_id : null,
    sourceId: row.source_id && visible.has(row.source_id) ? row.source_id : null,
  };
}

// The locators of a stub as rows: one per location, with the first of its names.
export interface StubLocator {
  locator: Locator;
  productId: string | null;
  // By default a location was declared by the curator and has no source.
  basis?: LocationBasis;
  sourceId?: string | null;
}

// Two locators with the same key are the same location; the key is the most specific address.
const KEY_ORDER = ['feed', 'github', 'appstore', 'file', 'url'] as const;

export function locatorKey(locator: Locator): string {
  const kind = KEY_ORDER.find((key) => locator[key] !== undefined) ?? 'url';
  const value = locator[kind] ?? '';
  return `${kind}:${kind === 'github' ? value.toLowerCase() : (normalizeUrl(value) ?? value)}`;
}

export async function insertLocations(
  ctx: WriteContext,
  orgId: string,
  locators: readonly StubLocator[],
): Promise<number> {
  const at = now(ctx);
  const rows = new Map<string, ReleaseLocationRow>();
  for (const { locator, productId, basis = 'curator', sourceId = null } of locators) {
    const key = locatorKey(locator);
    if (rows.has(key)) continue;
    rows.set(key, {
      url: locator.url ?? null,
      feed: locator.feed ?? null,
      github: locator.github ?? null,
      appstore: locator.appstore ?? null,
      file: locator.file ?? null,
      id: newId('loc', ctx.randomBytes),
      org_id: orgId,
      product_id: productId,
      source_id: sourceId,
      title: locator.title ?? null,
      canonical: locator.canonical ? 1 : 0,
      basis,
      match_key: key,
      created_at: at,
      updated_at: at,
      deleted_at: null,
    });
  }
  await ctx.tx
    .insertInto('release_locations')
    .values([...rows.values()])
    .execute();
  return rows.size;
}
