// The feed of a stack: releases of its packages above the installed versions.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { packageViewer, seenPackage } from '../../entities/packages/viewer.ts';
import { packageOfRelease } from '../../packages/listings/of-release.ts';
import type { Branch } from '../../releases/feeds/feed-query.ts';
import { onBehalfOf } from '../on-behalf-of.ts';
import { type PrivateFeed, type PrivateFeedInput, privateFeed, tokenOf } from '../private-feed.ts';
import { openStackFeed, STACK_FEED } from './feed-token.ts';

export async function stackAtomFeed(ctx: Context, input: PrivateFeedInput): Promise<PrivateFeed> {
  const found = await openStackFeed(ctx, tokenOf(input));
  if (found === null) throw notFound('feed', '');
  const { opened, stack } = found;
  const words = { id: `stack/${stack.id}`, title: stack.name, page: `/account/stacks/${stack.name}` };
  const { hidden } = await packageViewer(onBehalfOf(ctx, stack.user_id));
  const releases = { branches: await stackBranches(ctx, stack.id, hidden), only: aboveInstalled(stack.id, hidden) };
  return privateFeed(ctx, { kind: STACK_FEED, opened, ...words, createdAt: stack.created_at, ...releases }, input);
}

// One range of the index for each source that tells about a package of the stack. Packages of private registries are left out
// for accounts that were not admitted to them.
async function stackBranches(ctx: Context, stackId: string, hidden: ReadonlySet<string>): Promise<Branch[]> {
  const rows = await queries(ctx)
    .selectFrom('stack_packages as k')
    .innerJoin('packages as m', (join) => join.onRef('m.ecosystem', '=', 'k.ecosystem').onRef('m.name', '=', 'k.name'))
    .select('m.source_id')
    .distinct()
    .where('k.stack_id', '=', stackId)
    .where(seenPackage(hidden, 'k'))
    .execute();
  return rows.map(({ source_id }) => ({ column: 'source_id', value: source_id }));
}

// A condition on the release `r`. The order of the join is given: SQLite would read the whole stack for each release.
function aboveInstalled(stackId: string, hidden: ReadonlySet<string>) {
  return sql<boolean>`EXISTS (SELECT 1 FROM packages m CROSS JOIN stack_packages k
    WHERE m.source_id = r.source_id AND ${packageOfRelease()} AND k.stack_id = ${stackId} AND k.ecosystem = m.ecosystem
      AND k.name = m.name AND ${seenPackage(hidden, 'k')} AND (k.version_sort IS NULL OR r.version_sort > k.version_sort))`;
}
