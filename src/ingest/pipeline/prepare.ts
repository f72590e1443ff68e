// Turns items into drafts: filtered, oldest first, and compared with stored releases.

import { wasRead } from '../../domain/fetching/outcome.ts';
import { elementAt } from '../../domain/records.ts';
import { type ItemKeys, identityKeySteps } from '../../domain/release-identity.ts';
import { ownAddresses } from '../../releases/write/write-drafts.ts';
import { parseJson } from '../../store/json-text.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { endLongTurn, inTurns } from '../../threads/turns.ts';
import type { AdapterResult, Item } from '../adapters/contract.ts';
import { SOURCE_TYPE_DESCRIPTORS } from '../adapters/index.ts';
import type { FetchSubject, StoredItemKey } from './subject.ts';
import { wasWithdrawn } from './withdraw.ts';

export interface Prepared {
  drafts: Item[];
  // The identity of each of them.
  keys: ItemKeys[];
  // Items were left out because of the caller's limit, so the source was not read completely.
  cut: boolean;
  identityLost: boolean;
  // How many of them are not stored yet.
  fresh: number;
  // Withdrawn releases that the source shows again.
  seenAgain: string[];
}

// So many items take a millisecond or two.
const STEP = 200;

// In several turns of the event loop where the list is long: a repository may have ten thousand tags.
export async function prepareRun(subject: FetchSubject, result: AdapterResult, max?: number): Promise<Prepared> {
  const wanted = oldestFirst(allowedItems(result.items, subject.source));
  const items = max === undefined ? wanted : wanted.slice(-max);
  const drafts = items.map((item) => ({ ...item }));
  const keys = await inTurns(identityKeySteps(drafts, ownAddresses(subject.source)));
  const matches: (StoredItemKey | null)[] = [];
  for (const [index, draft] of drafts.entries()) {
    if (index % STEP === 0) await endLongTurn();
    const match = subject.stored.find(elementAt(keys, index));
    matches.push(match);
    const known = match?.published_at;
    // A date of change does not replace the stored publication date.
    if (draft.dateFromUpdated && known) draft.publishedAt = known;
  }
  const found = matches.filter((row) => row !== null);
  return {
    drafts,
    keys,
    fresh: drafts.length - found.length,
    cut: items.length < wanted.length,
    identityLost: showsAll(subject, result) && lostIdentity({ drafts, found, stored: subject.stored.rows }),
    seenAgain: found.filter(wasWithdrawn).map((row) => row.id),
  };
}

// A feed does not list older releases, but each entry that it shows is whole.
function showsAll({ reader }: FetchSubject, { complete, outcome }: AdapterResult): boolean {
  return complete || (SOURCE_TYPE_DESCRIPTORS[reader].showsWholeEntries === true && wasRead(outcome));
}

// Applies the filter on categories; the other filters look at drafts and are applied on the write path.
function allowedItems(items: readonly Item[], source: SourceRow): readonly Item[] {
  const { categoryAllow = [] } = parseJson(source.settings);
  if (categoryAllow.length === 0) return items;
  const allowed = new Set(categoryAllow.map((name) => name.toLowerCase()));
  return items.filter((item) => item.categories.some((name) => allowed.has(name.toLowerCase())));
}

// Documents begin with the newest entry, so undated items are reversed and come before the dated ones.
function oldestFirst(items: readonly Item[]): Item[] {
  return items.toReversed().sort((a, b) => compare(a.publishedAt ?? '', b.publishedAt ?? ''));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

interface Comparison {
  // A document that was read whole.
  drafts: readonly { publishedAt: string | null }[];
  // Stored rows that a draft was found to be.
  found: readonly StoredItemKey[];
  stored: readonly StoredItemKey[];
}

// Fewer missing entries can be an accident.
const MIN_RELEASES = 3;

// A site that moves its addresses shows all its entries as new, and none of them must be announced. True when more than half
// of the stored entries that the document should still show are missing from it.
export function lostIdentity({ drafts, found, stored }: Comparison): boolean {
  const dates = drafts.flatMap(({ publishedAt }) => publishedAt ?? []).sort();
  const [oldest] = dates;
  const showsUndated = dates.length < drafts.length;
  // Stored releases older than the oldest entry may have left the document.
  const expected = stored.filter(
    (row) =>
      isFetched(row) && (row.published_at === null || oldest === undefined ? showsUndated : row.published_at >= oldest),
  );
  if (expected.length < MIN_RELEASES) return false;
  const seen = new Set(found.map((row) => row.id));
  return expected.filter((row) => !seen.has(row.id)).length * 2 > expected.length;
}

// Releases that an operator posted, and suppressed ones, need not be in the document.
function isFetched({ origin, suppressed }: StoredItemKey): boolean {
  return origin !== 'api' && suppressed === 0;
}
