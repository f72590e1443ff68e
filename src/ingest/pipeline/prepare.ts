// From items to what is written: filtered, oldest first, and compared with what is known.
import type { ReleaseDraft } from '../../catalog/releases/draft.ts';
import { cutText, wasRead } from '../../domain/fetch-outcome.ts';
import { identityKeys } from '../../domain/identity.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import { parseJson } from '../../store/json-text.ts';
import type { SourceRow } from '../../store/schema.ts';
import type { AdapterResult, Item } from '../adapters/contract.ts';
import { lostIdentity } from './lost-identity.ts';
import type { Subject } from './subject.ts';

export interface FetchedDraft extends ReleaseDraft {
  // Stored, but not shown.
  suppressedReason?: string;
}

export interface Prepared {
  drafts: FetchedDraft[];
  // Items were left out for the caller's limit: the source was not read whole.
  cut: boolean;
  identityLost: boolean;
  // Stored releases that were taken back and are seen again.
  seenAgain: string[];
}

const MAX_TITLE = 500;

export function prepareRun(subject: Subject, result: AdapterResult, max?: number): Prepared {
  const wanted = oldestFirst(allowedItems(result.items, subject.source));
  const items = max === undefined ? wanted : wanted.slice(-max);
  const drafts = items.map(draftOf);
  const keys = identityKeys(drafts, ownAddresses(subject.source));
  const matches = keys.map((key) => subject.stored.find(key));
  for (const [index, item] of items.entries()) {
    const known = matches[index]?.published_at;
    const draft = drafts[index];
    // A date of change says nothing about when a release that has a date was published.
    if (draft && item.dateFromUpdated && known) draft.publishedAt = known;
  }
  const found = matches.filter((row) => row !== null);
  return {
    drafts,
    cut: items.length < wanted.length,
    identityLost: showsAll(subject, result) && lostIdentity({ drafts, found, stored: subject.stored.rows }),
    seenAgain: found.filter((row) => row.suppressed_reason === 'withdrawn').map((row) => row.id),
  };
}

// A feed says nothing of what has left it, but what it shows is whole.
function showsAll({ adapter }: Subject, { complete, outcome }: AdapterResult): boolean {
  return complete || (adapter === 'feed' && wasRead(outcome));
}

/** Of the source's filters the one on categories; the others look at drafts and are applied on the write path. */
function allowedItems(items: readonly Item[], source: SourceRow): readonly Item[] {
  const { categoryAllow = [] } = parseJson(source.settings);
  if (categoryAllow.length === 0) return items;
  const allowed = new Set(categoryAllow.map((name) => name.toLowerCase()));
  return items.filter((item) => item.categories.some((name) => allowed.has(name.toLowerCase())));
}

// Documents begin with the newest, so undated items come in reverse, before the dated ones.
function oldestFirst(items: readonly Item[]): Item[] {
  return items.toReversed().sort((a, b) => compare(a.publishedAt ?? '', b.publishedAt ?? ''));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function draftOf(item: Item): FetchedDraft {
  return {
    title: cutText(item.title, MAX_TITLE),
    content: item.content,
    version: item.version,
    url: item.url,
    guid: item.guid,
    publishedAt: item.publishedAt,
    media: item.media,
    type: item.type,
    prereleaseHint: item.prereleaseFlag,
    origin: item.origin,
    suppressedReason: item.suppressedReason,
    given: {},
  };
}

// As on the write path: a link to the source's own page, feed or changelog names no release.
export function ownAddresses({ url, feed_url, changelog_url }: SourceRow): Set<string> {
  const addresses = [url, feed_url, changelog_url];
  return new Set(addresses.flatMap((address) => (address ? (normalizeUrl(address) ?? []) : [])));
}
