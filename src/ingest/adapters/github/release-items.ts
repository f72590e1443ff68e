// From listed releases to items: drafts and unwanted tags left out, empty bodies filled from the changelog.
import { readDocument } from '../../../threads/documents.ts';
import { bodyFilling, needsFilling } from '../changelog/fill-bodies.ts';
import type { Item } from '../contract.ts';
import { type GithubRelease, RELEASE_READING } from './parse-releases.ts';
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
  const published = [...unique.values()].filter(({ draft, tag_name }) => !draft && wanted([tag_name]));
  const chosen = published.slice(0, input.max);
  const chars = chosen.reduce((total, { body }) => total + (body?.length ?? 0), 0);
  const wantedItems = await readDocument(RELEASE_READING, chosen, chars);
  if (!input.changelog || !wantedItems.some(needsFilling)) return wantedItems;
  const { names } = input;
  const options = { names, now: ctx.now, repository: repositoryName(run) };
  const filling = bodyFilling({ items: wantedItems, files: await input.changelog.read(), options });
  return readDocument(filling.task, filling.input, filling.size);
}

export function repositoryName({ coordinate }: Pick<GithubRun, 'coordinate'>): string {
  return coordinate.split('/')[1] ?? '';
}
