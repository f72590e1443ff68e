// A repository without Release objects: all of its tags, and what its changelog files say about them.
import { type PairedEntries, readPairs } from '../changelog/pair-tags.ts';
import type { AdapterResult, Validator } from '../contract.ts';
import { emptyListing, type Failure } from '../outcomes.ts';
import { type ApiAnswer, type ApiPage, failure } from './api.ts';
import { dateTags } from './commit-dates.ts';
import type { ReleaseListing } from './listing.ts';
import { ENDPOINTS, rememberCommitDates, rememberTagsRead } from './memory.ts';
import { type GithubTag, TAG_PAGE } from './parse-tags.ts';
import { readRepository } from './repository.ts';
import { endInFailure, endRun, type GithubRun, repositoryPath } from './run.ts';
import { readTagItems } from './tag-items.ts';
import { repositoryName } from './take-releases.ts';
import { checkWithdrawn, missingIds } from './withdrawn.ts';

// Bounds the pages of a repository that tags every build.
const MOST_PAGES = 100;

interface EmptyListing {
  // Null when the release listing is known to be still empty.
  listing: ReleaseListing | null;
  // Validators of the earlier requests of this run.
  validators: readonly Validator[];
  firstPage: ApiPage<GithubTag[] | null> | null;
}

export async function readTagsAndEntries(run: GithubRun, before: EmptyListing): Promise<AdapterResult> {
  const { input } = run;
  const read = await readTags(run, before.firstPage);
  if (read.failure) return endInFailure(run, read.failure);
  if (run.api.moved && !run.repository) await readRepository(run);
  const paired = await entriesOf(run, read.tags);
  const dates = await dateTags(run, read.tags, ({ name }) => Boolean(paired.byTag.get(name)?.date));
  const all = await readTagItems(run, { tags: read.tags, ...paired, dates: dates.known });
  if (dates.failure) return endInFailure(run, dates.failure, { items: all });
  if (all.length === 0) return endWithNothing(run, [...answered(before), read.validator]);
  const items = all.slice(0, input.max);
  const isWhole = items.length === all.length && !read.cut;
  return endRun(run, {
    outcome: 'success',
    httpStatus: 200,
    items,
    complete: isWhole && read.complete,
    ...(isWhole ? remember(run, [...answered(before), read.validator], dates.known) : {}),
    // A new tag can be on any page, so the backfill begins at the first one.
    backfill: read.cut && input.max === undefined ? tagsPath(run) : null,
  });
}

function answered({ validators, listing }: EmptyListing): (Validator | null)[] {
  return [...validators, listing?.validator ?? null];
}

function remember(
  run: GithubRun,
  validators: readonly (Validator | null)[],
  dates: ReadonlyMap<string, string>,
): Pick<AdapterResult, 'validators' | 'memory'> {
  const read = { at: run.ctx.now.toISOString(), changelog: changelogState(run) };
  return {
    validators: validators.filter((one) => one !== null),
    memory: { ...rememberTagsRead(read), ...rememberCommitDates(dates) },
  };
}

// The repository has neither releases nor tags nor entries. Stored Release objects without a tag were withdrawn.
async function endWithNothing(run: GithubRun, validators: readonly (Validator | null)[]): Promise<AdapterResult> {
  const { known } = run.input;
  const { withdrawn, unfinished, failure: fault } = await checkWithdrawn(run, missingIds(known, []));
  if (fault) return endInFailure(run, fault, { withdrawn });
  const verdict = emptyListing({ count: known.count - (known.withdrawn?.size ?? 0) - withdrawn.length });
  const isSettled = verdict.outcome === 'no_change' && !unfinished;
  const stored = isSettled ? remember(run, validators, new Map()) : {};
  return endRun(run, { ...verdict, httpStatus: 200, withdrawn, complete: isSettled, ...stored });
}

export function tagsPath(run: GithubRun): string {
  return repositoryPath(run, '/tags?per_page=100');
}

export function changelogState({ input }: Pick<GithubRun, 'input'>): string {
  return input.changelog?.fingerprint ?? '';
}

async function entriesOf(run: GithubRun, tags: readonly GithubTag[]): Promise<PairedEntries> {
  const files = (await run.input.changelog?.read()) ?? [];
  const options = { names: run.input.names, now: run.ctx.now, repository: repositoryName(run) };
  // Tags that the patterns exclude are paired as well, else their entries would appear as entries without a tag.
  return readPairs({ tags: tags.map(({ name }) => name), files, options });
}

interface TagsReading {
  tags: GithubTag[];
  validator: Validator | null;
  complete: boolean;
  // True when pages were left out because a caller waits.
  cut: boolean;
  failure: Failure | null;
}

// Tags are sorted by name, so a new one can be on any page and all pages are read.
async function readTags(run: GithubRun, firstPage: EmptyListing['firstPage']): Promise<TagsReading> {
  const reading: TagsReading = { tags: [], validator: null, complete: false, cut: false, failure: null };
  const start = { target: tagsPath(run), read: TAG_PAGE, endpoint: ENDPOINTS.tags, wanted: 'all' } as const;
  let answer: ApiAnswer<GithubTag[] | null> = firstPage ?? (await run.api.get(start));
  for (let page = 1; ; page += 1) {
    if (answer.kind === 'failure') return { ...reading, failure: answer.failure };
    const tags = answer.kind === 'read' ? answer.value : null;
    if (answer.kind !== 'read' || tags === null) {
      return { ...reading, failure: failure('malformed', 'not a listing of tags').failure };
    }
    reading.tags.push(...tags);
    reading.validator ??= answer.validator;
    if (answer.next === null) return { ...reading, complete: true };
    if (page === run.input.pages) return { ...reading, cut: true };
    if (page === MOST_PAGES) break;
    answer = await run.api.get({ target: answer.next, read: TAG_PAGE });
  }
  run.notes.push(`more than ${MOST_PAGES} pages of tags`);
  return reading;
}
