// From listed releases to items: drafts and unwanted tags left out, empty bodies filled from the changelog.
import { fillBodies, needsFilling } from '../changelog/fill-bodies.ts';
import type { Item } from '../contract.ts';
import { type GithubRelease, releaseItem } from './parse-releases.ts';
import type { GithubRun } from './run.ts';
import type { TagFilter } from './tag-patterns.ts';

export async function releaseItems(
  run: GithubRun,
  releases: readonly GithubRelease[],
  wanted: TagFilter,
): Promise<Item[]> {
  const { input, ctx } = run;
  // A release that is published while pages are read pushes another onto the next page.
  const unique = new Map(releases.map((release) => [release.id, release]));
  const items = [...unique.values()].filter(({ draft, tag_name }) => !draft && wanted([tag_name])).map(releaseItem);
  const kept = input.max === undefined ? items : items.slice(0, input.max);
  if (!input.changelog || !kept.some(needsFilling)) return kept;
  const { names } = input;
  return fillBodies(kept, await input.changelog.read(), { names, now: ctx.now, repository: repositoryName(run) });
}

export function repositoryName({ coordinate }: Pick<GithubRun, 'coordinate'>): string {
  return coordinate.split('/')[1] ?? '';
}
