// The time of the last change to the releases of a feed. Every write that a feed shows updates the time of its source.
import { type Context, queries } from '../../context.ts';
import type { Branch } from '../releases/feed-query.ts';
import type { FeedSubject } from './subjects.ts';

export async function lastChange(ctx: Context, { branches }: FeedSubject): Promise<string | null> {
  if (branches.length === 0) return null;
  let query = queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .select(({ fn }) => [
      fn.max('f.changed_at').as('releases'),
      fn.max('s.updated_at').as('sources'),
      fn.max('p.updated_at').as('products'),
      fn.max('o.updated_at').as('orgs'),
    ]);
  const owned = branches.filter(isOwner);
  // A release that leaves a category also changes its feed, so the changes of every source count there.
  if (owned.length === branches.length) {
    const columns = Map.groupBy(owned, ({ column }) => COLUMNS[column]);
    query = query.where((eb) =>
      eb.or(
        [...columns].map(([column, of]) =>
          eb(
            column,
            'in',
            of.map(({ value }) => value),
          ),
        ),
      ),
    );
  }
  const row = await query.executeTakeFirst();
  const times = [row?.releases, row?.sources, row?.products, row?.orgs].filter((time) => typeof time === 'string');
  return times.sort().at(-1) ?? null;
}

const COLUMNS = { org_id: 's.org_id', product_id: 's.product_id', source_id: 's.id' } as const;
type OwnerBranch = Extract<Branch, { value: string }> & { column: keyof typeof COLUMNS };

function isOwner(branch: Branch): branch is OwnerBranch {
  return branch.column !== null && branch.column in COLUMNS;
}
