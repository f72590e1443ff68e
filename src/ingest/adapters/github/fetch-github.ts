// The adapter of repositories: facts of the repository once a day, then the one conditional request of a poll.
import { createHash } from 'node:crypto';
import { readDocument } from '../../../threads/documents.ts';
import { threadTask } from '../../../threads/task.ts';
import { type PairedEntries, readPairs } from '../changelog/pair-tags.ts';
import {
  type AdapterContext,
  type AdapterInput,
  type AdapterResult,
  adapterResult,
  type Validator,
} from '../contract.ts';
import { emptyListing, type Failure, readableAnswer } from '../outcomes.ts';
import { type ApiAnswer, type ApiPage, failure } from './api.ts';
import { dateTags } from './commit-dates.ts';
import { checkWithdrawn, missingIds, type ReleaseListing, readListing } from './listing.ts';
import {
  ENDPOINTS,
  findValidator,
  recallTagsRead,
  rememberCommitDates,
  rememberTagsRead,
  type TagsRead,
} from './memory.ts';
import { type GithubTag, TAG_PAGE } from './parse-tags.ts';
import { readRepository, repositoryIsDue } from './repository.ts';
import { endInFailure, endRun, type GithubRun, repositoryPath, startRun } from './run.ts';
import { readTagItems } from './tag-items.ts';
import { tagFilter } from './tag-patterns.ts';
import { isEmpty, readOutcome, releaseItems, repositoryName, takeReleases } from './take-releases.ts';

export async function fetchGithub(ctx: AdapterContext, input: AdapterInput): Promise<AdapterResult> {
  const run = startRun(ctx, input);
  if (run === null) return adapterResult(ctx, { outcome: 'error', detail: 'the source names no GitHub repository' });
  if (input.backfill !== null) return readBackfill(run, input.backfill);

  let own: Validator | null = null;
  if (repositoryIsDue(run)) {
    const { failure, validator } = await readRepository(run);
    if (failure) return endInFailure(run, failure);
    own = validator;
  }
  const tags = recallTagsRead(input.memory);
  const result = tags === null ? await pollReleases(run) : await pollTags(run, tags);
  const isRead = result.outcome === 'success' || result.outcome === 'no_change';
  return own && isRead ? { ...result, validators: [own, ...result.validators] } : result;
}

// A repository with Release objects: its listing, read until only known releases follow.
async function pollReleases(run: GithubRun): Promise<AdapterResult> {
  const validators: Validator[] = [];
  // Without a token the quota is small, so the public feed is asked first whether anything has changed.
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

// Continues a first fetch at the page where it stopped.
async function readBackfill(run: GithubRun, from: string): Promise<AdapterResult> {
  if (from === tagsPath(run)) return readTagsAndEntries(run, { listing: null, validators: [], firstPage: null });
  const wanted = tagFilter(run.input.source.settings);
  const listing = await readListing(run, { from, wanted });
  if (listing.kind === 'failure') return endInFailure(run, listing.failure, { backfill: from });
  if (listing.kind === 'same') return endRun(run, { outcome: 'no_change', httpStatus: 304 });
  const items = await releaseItems(run, listing.releases, wanted);
  return endRun(run, { ...(listing.failure ?? readOutcome(items.length)), items, backfill: listing.next });
}

// Asks the public feed whether the releases have changed.
interface AtomRead {
  // Also true when the feed could not be read: then the API is asked.
  changed: boolean;
  status: number | null;
  validator: Validator | null;
}

async function readAtom(run: GithubRun): Promise<AtomRead> {
  const { ctx, input, coordinate } = run;
  const known = findValidator(input.validators, ENDPOINTS.atom);
  const result = await ctx.fetch({
    url: `${ctx.settings.githubWebUrl.replace(/\/+$/, '')}/${coordinate}/releases.atom`,
    headers: { accept: 'application/atom+xml', ...(known?.etag ? { 'if-none-match': known.etag } : {}) },
  });
  const answer = readableAnswer(result, ctx.now);
  if ('outcome' in answer) {
    run.notes.push(`feed of releases not read: ${answer.outcome}`);
    return { changed: true, status: answer.httpStatus, validator: null };
  }
  const { status, headers, body } = answer;
  if (status === 304) return { changed: !known?.etag, status, validator: null };
  const contentHash = await readDocument(ATOM_HASHING, body, body.length);
  if (contentHash === null) return { changed: true, status, validator: null };
  const etag = headers.etag ?? null;
  return {
    changed: contentHash !== known?.contentHash,
    status,
    validator: { endpoint: ENDPOINTS.atom, etag, lastModified: null, contentHash, tokenFingerprint: null },
  };
}

// A repository without Release objects so far: only `/tags` is polled, unless there is a reason to read more.
const DAY_MS = 86_400_000;

async function pollTags(run: GithubRun, last: TagsRead): Promise<AdapterResult> {
  const first = await run.api.get({ target: tagsPath(run), read: TAG_PAGE, endpoint: ENDPOINTS.tags });
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

const ENTRY = /<entry\b[^>]*>[\s\S]*?<\/entry>/g;
// Thumbnails are ignored: avatars change without the release changing.
const THUMBNAIL = /<media:thumbnail\b[^>]*>/g;

// A hash of the entries, null when the text is no Atom feed.
export function atomHash(text: string): string | null {
  if (!/<feed\b[^>]*\bxmlns\b/.test(text.slice(0, 2000))) return null;
  const entries = text.match(ENTRY) ?? [];
  return createHash('sha256').update(entries.join('\n').replace(THUMBNAIL, '')).digest('hex');
}

export function hashAtomDocument(body: Uint8Array): string | null {
  return atomHash(new TextDecoder().decode(body));
}

const ATOM_HASHING = threadTask(import.meta.url, hashAtomDocument);

// A repository without Release objects: all of its tags, and what its changelog files say about them.

// Bounds the pages of a repository that tags every build.
const MAX_PAGES = 100;

interface EmptyListing {
  // Null when the release listing is known to be still empty.
  listing: ReleaseListing | null;
  // Validators of the earlier requests of this run.
  validators: readonly Validator[];
  firstPage: ApiPage<GithubTag[] | null> | null;
}

async function readTagsAndEntries(run: GithubRun, before: EmptyListing): Promise<AdapterResult> {
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

function tagsPath(run: GithubRun): string {
  return repositoryPath(run, '/tags?per_page=100');
}

function changelogState({ input }: Pick<GithubRun, 'input'>): string {
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
    if (page === MAX_PAGES) break;
    answer = await run.api.get({ target: answer.next, read: TAG_PAGE });
  }
  run.notes.push(`more than ${MAX_PAGES} pages of tags`);
  return reading;
}
