// The adapter of repositories: facts of the repository once a day, then the one conditional request of a poll.

import { createHash } from 'node:crypto';
import { readDocument } from '../../../threads/documents.ts';
import { threadTask } from '../../../threads/task.ts';
import {
  type AdapterContext,
  type AdapterInput,
  type AdapterResult,
  adapterResult,
  type Validator,
} from '../contract.ts';
import { readableAnswer } from '../outcomes.ts';
import { readListing } from './listing.ts';
import { ENDPOINTS, findValidator, recallTagsRead, type TagsRead } from './memory.ts';
import { TAG_PAGE } from './parse-tags.ts';
import { readRepository, repositoryIsDue } from './repository.ts';
import { endInFailure, endRun, type GithubRun, startRun } from './run.ts';
import { tagFilter } from './tag-patterns.ts';
import { changelogState, readTagsAndEntries, tagsPath } from './tags-and-entries.ts';
import { isEmpty, readOutcome, releaseItems, takeReleases } from './take-releases.ts';

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
