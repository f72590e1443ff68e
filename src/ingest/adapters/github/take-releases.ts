// Turns a release listing into the result of the run.

import type { GithubRelease } from '../../../domain/code-hosts/github-release.ts';
import { readDocument } from '../../../threads/documents.ts';
import { bodyFilling, needsFilling } from '../changelog/fill-bodies.ts';
import type { AdapterResult, Item, Validator } from '../contract.ts';
import { checkWithdrawn, missingIds, type ReleaseListing, seenAgain } from './listing.ts';
import { ENDPOINTS, findValidator, recallTagsRead, rememberTagsRead } from './memory.ts';
import { RELEASE_READING } from './parse-releases.ts';
import { readRepository } from './repository.ts';
import { endInFailure, endRun, type GithubRun } from './run.ts';
import { type TagFilter, tagFilter } from './tag-patterns.ts';

// Only authors see drafts, so a listing of nothing but drafts counts as empty.
export function isEmpty({ releases, complete }: ReleaseListing): boolean {
  return complete && releases.every(({ draft }) => draft === true);
}

// `validators` are those of the earlier requests of this run.
export async function takeReleases(
  run: GithubRun,
  listing: ReleaseListing,
  validators: readonly Validator[],
): Promise<AdapterResult> {
  const { input } = run;
  if (run.api.moved && !run.repository) await readRepository(run);
  const items = await releaseItems(run, listing.releases, tagFilter(input.source.settings));
  const restored = seenAgain(input.known, listing.releases);
  if (listing.failure) return endInFailure(run, listing.failure, { items, restored });

  const missing = listing.complete ? missingIds(input.known, listing.releases) : [];
  const { withdrawn, unfinished, failure } = await checkWithdrawn(run, missing);
  const facts = { items, restored, withdrawn };
  if (failure) return endInFailure(run, failure, facts);

  const inPart = unfinished || (input.max !== undefined && !listing.complete);
  if (listing.outOfPages && !input.firstFetch) run.notes.push('more new releases than one run reads');
  return endRun(run, {
    ...readOutcome(items.length),
    ...facts,
    complete: listing.complete && !inPart,
    ...(inPart ? {} : stored(run, listing, validators)),
    backfill: input.firstFetch && input.max === undefined ? listing.next : null,
  });
}

export function readOutcome(items: number): Pick<AdapterResult, 'outcome' | 'httpStatus'> {
  return { outcome: items > 0 ? 'success' : 'no_change', httpStatus: 200 };
}

function stored(
  { input }: GithubRun,
  listing: ReleaseListing,
  validators: readonly Validator[],
): Pick<AdapterResult, 'validators' | 'memory'> {
  const own = listing.validator ? [...validators, listing.validator] : [...validators];
  // The repository has Release objects now, so the release listing is polled from now on.
  if (recallTagsRead(input.memory) === null) return { validators: own };
  const tags = findValidator(input.validators, ENDPOINTS.tags);
  const forgotten = tags ? [{ ...tags, etag: null }] : [];
  return { validators: [...own, ...forgotten], memory: rememberTagsRead(null) };
}

// From listed releases to items: drafts and unwanted tags left out, empty bodies filled from the changelog.
export async function releaseItems(
  run: GithubRun,
  releases: readonly GithubRelease[],
  wanted: TagFilter,
): Promise<Item[]> {
  const { input, ctx } = run;
  // A release that is published while pages are read moves another one onto the next page, so ids can repeat.
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
