// Creates the hidden source of a repository that was looked up, and the hidden org that it may need.

import { sourcesOfCoordinate } from '../../catalog/lookups/by-coordinate.ts';
import { lockOrgs } from '../../catalog/orgs/claims.ts';
import { insertOrg } from '../../catalog/orgs/create.ts';
import { createSource } from '../../catalog/sources/create.ts';
import { setFormerNames } from '../../catalog/sources/former-names.ts';
import { type Context, transact, type WriteContext } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { deriveSlug, isReservedOrgSlug } from '../../domain/slugs.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { findRelatedOrg } from './related-org.ts';

interface LookedUp {
  // The requested name in lower case; a former name when the host has another one.
  coordinate: string;
  fullName: string;
}

// The source that another process has made meanwhile, or a new one.
export async function createLookupSource(ctx: Context, { coordinate, fullName }: LookedUp): Promise<SourceRow> {
  const current = githubCoordinate(fullName) ?? coordinate;
  return transact(ctx, async (outer) => {
    // The source is created as the service: a lookup is no edit of the caller, and the source may join an org that the caller
    // cannot see.
    const inner = { ...outer, caller: SYSTEM };
    await lockOrgs(inner);
    const [known] = await sourcesOfCoordinate(inner, current);
    if (known) return known.source;
    const [owner = '', name = ''] = fullName.split('/');
    const { id } = await createSource(inner, {
      name,
      url: `https://github.com/${fullName}`,
      type: 'github',
      orgId: (await findRelatedOrg(inner, current))?.org.id ?? (await hiddenOrg(inner, owner)),
      isHidden: true,
      discovery: 'on_demand',
    });
    if (current !== coordinate) await setFormerNames(inner, id, [coordinate]);
    return inner.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  });
}

// Reuses the hidden org that an earlier lookup of the same owner has created, or creates it.
async function hiddenOrg(ctx: WriteContext, owner: string): Promise<string> {
  const login = owner.toLowerCase();
  const earlier = await ctx.tx
    .selectFrom('orgs as o')
    .innerJoin('sources as s', 's.org_id', 'o.id')
    .select('o.id')
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 1)
    .where('o.discovery', '=', 'on_demand')
    .where('s.github_coordinate', '>=', `${login}/`)
    .where('s.github_coordinate', '<', `${login}0`)
    .orderBy('o.created_at')
    .executeTakeFirst();
  if (earlier) return earlier.id;
  const slug = await freeOrgSlug(ctx, login);
  return (await insertOrg(ctx, { slug, name: owner, domain: null, is_hidden: 1, discovery: 'on_demand' })).id;
}

async function freeOrgSlug(ctx: WriteContext, owner: string): Promise<string> {
  const wanted = deriveSlug(owner, 70) ?? 'owner';
  const taken = await ctx.tx
    .selectFrom('orgs')
    .select('slug')
    .where('slug', 'like', `${wanted}%`)
    .where('deleted_at', 'is', null)
    .execute();
  const slugs = new Set(taken.map(({ slug }) => slug));
  for (let number = 2, slug = wanted; ; number += 1) {
    if (!slugs.has(slug) && !isReservedOrgSlug(slug)) return slug;
    slug = `${wanted}-${number}`;
  }
}
