// What a listing with releases in it comes to.
import type { AdapterResult, Validator } from '../contract.ts';
import type { ReleaseListing } from './listing.ts';
import { ENDPOINTS, findValidator, recallTagsRead, rememberTagsRead } from './memory.ts';
import { releaseItems } from './release-items.ts';
import { readRepository } from './repository.ts';
import { endInFailure, endRun, type GithubRun } from './run.ts';
import { tagFilter } from './tag-patterns.ts';
import { checkWithdrawn, missingIds, seenAgain } from './withdrawn.ts';

// Nobody but its authors sees a draft, so a listing of drafts is an empty one.
export function isEmpty({ releases, complete }: ReleaseListing): boolean {
  return complete && releases.every(({ draft }) => draft === true);
}

// `validators` are those of what was asked before.
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
  // From now on the listing is what is polled.
  if (recallTagsRead(input.memory) === null) return { validators: own };
  const tags = findValidator(input.validators, ENDPOINTS.tags);
  const forgotten = tags ? [{ ...tags, etag: null }] : [];
  return { validators: [...own, ...forgotten], memory: rememberTagsRead(null) };
}
