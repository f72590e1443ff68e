// The visible org that the owner of a repository is known as.

import { type Context, queries } from '../../context.ts';
import type { RelatedOrg } from '../../contract/lookup-run.ts';
import { deriveSlug } from '../../domain/slugs.ts';
import { visibleSource } from '../../entities/visible.ts';

const SOURCES = 5;

// The one org with a source of the same owner, else the one that goes by the owner's name; of several none.
export async function findRelatedOrg(ctx: Context, coordinate: string): Promise<RelatedOrg | null> {
  const [owner = ''] = coordinate.split('/');
  const bySource = await orgsOfOwner(ctx, owner);
  const ids = bySource.length > 0 ? bySource : await orgsNamed(ctx, owner);
  const [id] = ids;
  return id === undefined || ids.length > 1 ? null : toRelated(ctx, id);
}

async function orgsOfOwner(ctx: Context, owner: string): Promise<string[]> {
  const rows = await queries(ctx)
    .selectFrom('sources as s')
    .innerJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select('o.id')
    .distinct()
    // Coordinates are stored in lower case, so one range of the index holds all of the owner.
    .where('s.github_coordinate', '>=', `${owner}/`)
    .where('s.github_coordinate', '<', `${owner}0`)
    .where(visibleSource())
    .limit(2)
    .execute();
  return rows.map(({ id }) => id);
}

async function orgsNamed(ctx: Context, owner: string): Promise<string[]> {
  const visible = queries(ctx)
    .selectFrom('orgs as o')
    .select('o.id')
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0);
  const bySlug = await visible.where('o.slug', '=', deriveSlug(owner) ?? '').execute();
  const byAccount = await visible
    .innerJoin('org_accounts as a', 'a.org_id', 'o.id')
    .where('a.platform', '=', 'github')
    .where((eb) => eb(eb.fn<string>('lower', ['a.handle']), '=', owner))
    .where('a.deleted_at', 'is', null)
    .execute();
  return [...new Set([...bySlug, ...byAccount].map(({ id }) => id))];
}

async function toRelated(ctx: Context, id: string): Promise<RelatedOrg> {
  const db = queries(ctx);
  const org = await db.selectFrom('orgs').select(['id', 'slug', 'name']).where('id', '=', id).executeTakeFirstOrThrow();
  const sources = await db
    .selectFrom('sources as s')
    .innerJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['s.id', 's.slug', 's.name', 's.url'])
    .where('s.org_id', '=', id)
    .where(visibleSource())
    .orderBy('s.is_primary', 'desc')
    .orderBy('s.name_key')
    .orderBy('s.id')
    .limit(SOURCES)
    .execute();
  return { org: { ...org }, sources: sources.map((source) => ({ ...source })) };
}
