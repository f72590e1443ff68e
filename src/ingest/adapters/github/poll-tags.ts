// A repository that has shown no Release objects so far: `/tags` alone, unless there is a reason to read more.
import type { AdapterResult } from '../contract.ts';
import { readListing } from './listing.ts';
import { ENDPOINTS, type TagsRead } from './memory.ts';
import { endInFailure, endRun, type GithubRun } from './run.ts';
import { tagFilter } from './tag-patterns.ts';
import { changelogState, readTagsAndEntries, tagsPath } from './tags-and-entries.ts';
import { isEmpty, takeReleases } from './take-releases.ts';

const DAY_MS = 86_400_000;

export async function pollTags(run: GithubRun, last: TagsRead): Promise<AdapterResult> {
  const first = await run.api.get(tagsPath(run), ENDPOINTS.tags);
  if (first.kind === 'failure') return endInFailure(run, first.failure);
  const isRecent = run.ctx.now.getTime() - Date.parse(last.at) < DAY_MS;
  if (first.kind === 'same' && isRecent && last.changelog === changelogState(run)) {
    return endRun(run, { outcome: 'no_change', httpStatus: 304 });
  }

  const listing = await readListing(run, { from: null, wanted: tagFilter(run.input.source.settings) });
  if (listing.kind === 'failure') return endInFailure(run, listing.failure);
  if (listing.kind === 'read' && !isEmpty(listing)) return takeReleases(run, listing, []);
  return readTagsAndEntries(run, {
    listing: listing.kind === 'read' ? listing : null,
    validators: [],
    firstPage: first.kind === 'read' ? first : null,
  });
}
