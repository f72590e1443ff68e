// Which words of a query nothing holds: no release and no section of a changelog.
import type { Context } from '../../context.ts';
import type { SearchGroup } from '../../domain/search-text/search-query.ts';
import { expandGroups } from './groups.ts';

export async function unknownGroups(ctx: Context, groups: readonly SearchGroup[]): Promise<SearchGroup[]> {
  const inReleases = await expandGroups(ctx, 'releases', groups);
  const missing = inReleases.filter(({ docs }) => docs === 0).map(({ group }) => group);
  const inChunks = await expandGroups(ctx, 'chunks', missing);
  return inChunks.filter(({ docs }) => docs === 0).map(({ group }) => group);
}
