// Gives the makers of the direct dependencies their categories and tags, and makes the two collections of them.
import { createCollection } from '../catalog/collections/write.ts';
import { replaceMembers } from '../catalog/collections/write-members.ts';
import { updateOrg } from '../catalog/orgs/update.ts';
import type { WriteContext } from '../context.ts';
import { DIRECT, type DirectPackage } from './direct.ts';

const COLLECTIONS: Record<DirectPackage['use'], { name: string; description: string }> = {
  'built-with': { name: 'Built with', description: 'The makers of what this registry runs on.' },
  'tests-and-tools': {
    name: 'Tests and tools',
    description: 'What this registry is checked, measured and packed with.',
  },
};

interface Maker {
  orgSlug: string;
  packages: DirectPackage[];
}

export async function curate(ctx: WriteContext): Promise<void> {
  const makers = await makersOf(ctx, DIRECT);
  for (const { orgSlug, packages } of makers) {
    const [first] = packages;
    if (!first) continue;
    const tags = [...new Set(packages.flatMap(({ tags }) => tags))];
    const description = packages.find(({ about }) => about)?.about;
    await updateOrg(ctx, {
      org: orgSlug,
      change: { category: first.category, tags, ...(description ? { description } : {}) },
    });
  }
  for (const use of ['built-with', 'tests-and-tools'] as const) {
    const members = makers.filter(({ packages }) => packages.some((one) => one.use === use));
    if (members.length === 0) continue;
    await createCollection(ctx, { slug: use, ...COLLECTIONS[use], isFeatured: true });
    const entries = members.map(({ orgSlug }) => ({ orgSlug }));
    await replaceMembers(ctx, { collection: use, field: 'members', entries });
  }
}

// Without packages that are not installed.
async function makersOf(ctx: WriteContext, direct: readonly DirectPackage[]): Promise<Maker[]> {
  const names = direct.map(({ name }) => name);
  const rows = await ctx.tx
    .selectFrom('packages as p')
    .innerJoin('sources as s', 's.id', 'p.source_id')
    .innerJoin('orgs as o', 'o.id', 's.org_id')
    .select(['p.name', 'o.slug'])
    .where('p.ecosystem', '=', 'npm')
    .where('p.name', 'in', names)
    .execute();
  const slugs = new Map(rows.map(({ name, slug }) => [name, slug]));
  const makers = Map.groupBy(direct, ({ name }) => slugs.get(name) ?? null);
  return [...makers].flatMap(([orgSlug, packages]) => (orgSlug === null ? [] : { orgSlug, packages }));
}
