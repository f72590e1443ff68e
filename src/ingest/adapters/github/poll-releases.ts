// A repository with Release objects: its listing, read until only known releases follow.
import type { AdapterResult, Validator } from '../contract.ts';
import { readListing } from './listing.ts';
import { readAtom } from './read-atom.ts';
import { releaseItems } from './release-items.ts';
import { endInFailure, endRun, type GithubRun } from './run.ts';
import { tagFilter } from './tag-patterns.ts';
import { readTagsAndEntries, tagsPath } from './tags-and-entries.ts';
import { isEmpty, readOutcome, takeReleases } from './take-releases.ts';

export async function pollReleases(run: GithubRun): Promise<AdapterResult> {
  const validators: Validator[] = [];
  // Without a token the quota is small, so the feed that has none is asked whether there is anything to ask for.
  if (run.ctx.settings.githubToken === null) {
    const { changed, status, validator } = await readAtom(run);
    if (validator) validators.push(validator);
    if (!changed) return endRun(run, { outcome: 'no_change', httpStatus: status, validators });
  }
  const listing = await readListing(run, { from: null, wanted: tagFilter(run.input.source.settings) });
  if (listing.kind === 'failure') return endInFailure(run, listing.failure);
  if (listing.kind === 'same') return endRun(run, { outcome: 'no_change', httpStatus: 304, validators });
  if (isEmpty(listing)) return readTagsAndEntries(run, { listing, validators, firstPage: null });
  return takeReleases(run, listing, validators);
}

/** Reads on where a first fetch has stopped. */
export async function readBackfill(run: GithubRun, from: string): Promise<AdapterResult> {
  if (from === tagsPath(run)) return readTagsAndEntries(run, { listing: null, validators: [], firstPage: null });
  const wanted = tagFilter(run.input.source.settings);
  const listing = await readListing(run, { from, wanted });
  if (listing.kind === 'failure') return endInFailure(run, listing.failure, { backfill: from });
  if (listing.kind === 'same') return endRun(run, { outcome: 'no_change', httpStatus: 304 });
  const items = await releaseItems(run, listing.releases, wanted);
  return endRun(run, { ...(listing.failure ?? readOutcome(items.length)), items, backfill: listing.next });
}
