// Locators of a stub as rows: one for each location, whoever names it first.
import { now, type WriteContext } from '../../context.ts';
import type { Locator } from '../../contract/manifest.ts';
import { newId } from '../../domain/ids.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import type { ReleaseLocationRow } from '../../store/schema.ts';

export interface StubLocator {
  locator: Locator;
  productId: string | null;
}

// The key under which two locators are the same location: the most specific of their addresses.
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
  for (const { locator, productId } of locators) {
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
      source_id: null,
      title: locator.title ?? null,
      canonical: locator.canonical ? 1 : 0,
      basis: 'curator',
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
