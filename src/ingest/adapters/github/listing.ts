// Reads the pages of the release listing until only known releases follow.

import type { GithubRelease, ReleasePage } from '../../../domain/code-hosts/github-release.ts';
import { RELEASE, RELEASE_PAGE } from '../../../threads/code-host-documents.ts';
import type { Validator } from '../contract.ts';
import type { Failure } from '../outcomes.ts';
import { type ApiAnswer, failure } from './api.ts';
import { ENDPOINTS } from './memory.ts';
import { type GithubRun, repositoryPath } from './run.ts';
import type { TagFilter } from './tag-patterns.ts';

const PAGES_A_RUN = 10;
const PAGE_SIZE = 100;

export interface ReleaseListing {
  kind: 'read';
  releases: GithubRelease[];
  // From the first page to the last.
  complete: boolean;
  next: string | null;
  // The page limit was reached before the end.
  outOfPages: boolean;
  validator: Validator | null;
  // A later page failed; the pages before it are whole.
  failure: Failure | null;
}

type ListingAnswer = ReleaseListing | { kind: 'same' } | { kind: 'failure'; failure: Failure };

interface ListingPlan {
  // An address that an earlier run left; without it the listing is read from its beginning, conditionally.
  from: string | null;
  wanted: TagFilter;
}

export async function readListing(run: GithubRun, { from, wanted }: ListingPlan): Promise<ListingAnswer> {
  const first = repositoryPath(run, `/releases?per_page=${PAGE_SIZE}`);
  const listing: ReleaseListing = {
    kind: 'read',
    releases: [],
    complete: false,
    next: null,
    outOfPages: false,
    validator: null,
    failure: null,
  };
  let target: string | null = from ?? first;
  const most = run.input.pages ?? PAGES_A_RUN;
  for (let page = 1; target !== null && page <= most; page += 1) {
    const answer: ApiAnswer<ReleasePage | null> = await run.api.get({
      target,
      read: RELEASE_PAGE,
      endpoint: target === first ? ENDPOINTS.releases : undefined,
    });
    if (answer.kind === 'same') return answer;
    const read: ReleasePage | null = answer.kind === 'read' ? answer.value : null;
    if (answer.kind === 'failure' || read === null) {
      const fault = answer.kind === 'failure' ? answer.failure : failure('malformed', 'not a release listing').failure;
      if (page === 1) return { kind: 'failure', failure: fault };
      return { ...listing, next: target, failure: fault };
    }
    if (read.broken > 0) run.notes.push(`${read.broken} entries of the listing are no release`);
    listing.releases.push(...read.releases);
    listing.validator ??= answer.validator;
    listing.next = answer.next;
    target = isEnough(run, from, read.releases, listing.releases.length, wanted) ? null : answer.next;
  }
  listing.outOfPages = target !== null;
  listing.complete = from === null && listing.next === null;
  return listing;
}

// A first fetch and its backfill read all pages; later ones stop where only known releases follow.
function isEnough(
  { input }: GithubRun,
  from: string | null,
  page: readonly GithubRelease[],
  read: number,
  wanted: TagFilter,
): boolean {
  if (input.max !== undefined && read >= input.max) return true;
  if (from !== null || input.firstFetch) return false;
  return !page.some(({ id, draft, tag_name }) => !draft && wanted([tag_name]) && !input.known.guids.has(String(id)));
}

// Stored releases that are missing from the listing are requested one by one, because a listing can be wrong for a moment.

const ASKED_A_RUN = 30;
const RELEASE_ID = /^\d{1,19}$/;

interface WithdrawnCheck {
  withdrawn: string[];
  // Too many are missing for one run, or an answer failed: the listing has to be read again.
  unfinished: boolean;
  failure: Failure | null;
}

// Guids of Release objects that a complete listing lacks, the newest first.
export function missingIds(
  known: { guids: ReadonlySet<string>; withdrawn?: ReadonlySet<string> },
  listed: readonly Pick<GithubRelease, 'id' | 'draft'>[],
): string[] {
  const seen = new Set(listed.filter(({ draft }) => !draft).map(({ id }) => String(id)));
  return [...known.guids]
    .filter((guid) => RELEASE_ID.test(guid) && !seen.has(guid) && !known.withdrawn?.has(guid))
    .sort((a, b) => Number(b) - Number(a));
}

// Withdrawn releases that the source lists again.
export function seenAgain(
  known: { withdrawn?: ReadonlySet<string> },
  listed: readonly Pick<GithubRelease, 'id' | 'draft'>[],
): string[] {
  return listed.filter(({ id, draft }) => !draft && known.withdrawn?.has(String(id))).map(({ id }) => String(id));
}

export async function checkWithdrawn(run: GithubRun, missing: readonly string[]): Promise<WithdrawnCheck> {
  const check: WithdrawnCheck = { withdrawn: [], unfinished: missing.length > ASKED_A_RUN, failure: null };
  for (const id of missing.slice(0, ASKED_A_RUN)) {
    const answer = await run.api.get({ target: repositoryPath(run, `/releases/${id}`), read: RELEASE });
    if (answer.kind === 'failure' && answer.failure.outcome === 'gone') check.withdrawn.push(id);
    else if (answer.kind === 'failure') return { ...check, unfinished: true, failure: answer.failure };
    // A token with access to drafts still sees a release that was turned back into one.
    else if (answer.kind === 'read' && answer.value?.draft) check.withdrawn.push(id);
  }
  return check;
}
