// Whether what a call names lies within the part of the registry that a credential is bound to.

import { type Context, queries } from '../context.ts';
import type { CredentialBound } from '../contract/caller.ts';
import type { NamedPlace } from '../domain/bound-calls.ts';
import { findOrg, findProduct, findSource, sourceById } from '../entities/resolve.ts';

type Owners = Partial<Record<CredentialBound['type'], string | null>>;

export async function liesWithin(
  ctx: Context,
  bound: CredentialBound,
  places: readonly NamedPlace[],
): Promise<boolean> {
  for (const place of places) {
    const owners = await ownersOf(ctx, place);
    if (owners?.[bound.type] !== bound.id) return false;
  }
  return places.length > 0;
}

// What a place belongs to, itself included; null for one that is not there.
async function ownersOf(ctx: Context, { type, name, org }: NamedPlace): Promise<Owners | null> {
  switch (type) {
    case 'org':
      return { org: (await findOrg(ctx, name))?.id ?? null };
    case 'product': {
      const found = await findProduct(ctx, org === undefined ? { prod: name } : { org, product: name });
      return found && { org: found.org.id, product: found.product.id };
    }
    case 'source':
      return sourceOwners(await findSource(ctx, org === undefined ? { src: name } : { org, source: name }));
    case 'release': {
      const row = await queries(ctx)
        .selectFrom('releases')
        .select('source_id')
        .where('id', '=', name)
        .executeTakeFirst();
      return sourceOwners(row ? await sourceById(ctx, row.source_id) : null);
    }
  }
}

function sourceOwners(found: Awaited<ReturnType<typeof findSource>>): Owners | null {
  if (!found) return null;
  const { source } = found;
  return { org: source.org_id, product: source.product_id, source: source.id };
}
