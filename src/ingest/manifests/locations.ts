// Stores declared locations. A stronger basis replaces the values of a row; a weaker one only fills what is missing.
import { now, type WriteContext } from '../../context.ts';
import { LOCATION_BASES } from '../../contract/enums.ts';
import { LOCATOR_KEYS, type Locator } from '../../contract/manifest.ts';
import { newId } from '../../domain/ids.ts';
import { keysOf, recordOf } from '../../domain/records.ts';
import type { ReleaseLocationRow } from '../../store/schema/orgs.ts';

export type Basis = (typeof LOCATION_BASES)[number];

// The list of bases is ordered by weight.
function strongerBasis(a: Basis, b: Basis): Basis {
  return LOCATION_BASES.indexOf(a) <= LOCATION_BASES.indexOf(b) ? a : b;
}

interface FoundLocation {
  key: string;
  locator: Locator;
  productId: string | null;
  sourceId: string | null;
  basis: Basis;
}

type Addresses = Pick<ReleaseLocationRow, (typeof LOCATOR_KEYS)[number] | 'title' | 'canonical'>;

export async function writeLocation(
  ctx: WriteContext,
  { orgId, stored, found }: { orgId: string; stored: ReleaseLocationRow | undefined; found: FoundLocation },
): Promise<void> {
  const { key, locator, productId, sourceId, basis } = found;
  const at = now(ctx);
  const stated = addressesOf(locator);
  if (!stored) {
    const row = { id: newId('loc', ctx.randomBytes), org_id: orgId, match_key: key, basis, ...stated };
    await ctx.tx
      .insertInto('release_locations')
      .values({ ...row, product_id: productId, source_id: sourceId, created_at: at, updated_at: at, deleted_at: null })
      .execute();
    return;
  }
  const stronger = strongerBasis(stored.basis, basis);
  const changes = {
    ...(stronger === basis ? stated : missingOf(stored, stated)),
    basis: stronger,
    product_id: stored.product_id ?? productId,
    source_id: sourceId ?? stored.source_id,
  };
  const differs = keysOf(changes).some((column) => stored[column] !== changes[column]);
  if (!differs) return;
  await ctx.tx
    .updateTable('release_locations')
    .set({ ...changes, updated_at: at })
    .where('id', '=', stored.id)
    .execute();
}

function addressesOf(locator: Locator): Addresses {
  const addresses = recordOf(LOCATOR_KEYS, (key) => locator[key] ?? null);
  return { ...addresses, title: locator.title ?? null, canonical: locator.canonical ? 1 : 0 };
}

function missingOf(stored: ReleaseLocationRow, stated: Addresses): Partial<Addresses> {
  const { canonical: _, ...texts } = stated;
  const missing = keysOf(texts).filter((column) => stored[column] === null);
  return Object.fromEntries(missing.map((column) => [column, texts[column]]));
}
