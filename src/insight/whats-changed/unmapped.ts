// What is published in a range of which nothing is stored: the package is known by its registry alone.
import type { Context } from '../../context.ts';
import type { UpgradeHistory } from '../../contract/whats-changed.ts';
import { packageKey } from '../../domain/published-package.ts';
import { elementAt } from '../../domain/records.ts';
import { isBelow, keyRange, readBound } from '../../domain/upgrade/bounds.ts';
import { isPublishedPrerelease, publishedRange } from '../../domain/upgrade/published.ts';
import { readAskedRange } from '../../domain/upgrade/version-range.ts';
import { listedShape } from './history.ts';
import { type Listing, namedPackage, readListings, upperPublished } from './listings.ts';
import { type PublishedRequest, publishedVersions } from './published-rows.ts';
import type { Question } from './questions.ts';
import { isLatest } from './ranges.ts';

export interface UnmappedHistory {
  history: UpgradeHistory;
  toVersion: string | null;
}

// By the index of the question, for those whose package has a current listing.
export async function unmappedHistories(
  ctx: Context,
  questions: readonly Question[],
): Promise<Map<number, UnmappedHistory>> {
  const names = questions.flatMap((question) => namedPackage(question) ?? []);
  if (names.length === 0) return new Map();
  const listings = await readListings(ctx, names);
  const listed = questions.flatMap((question) => {
    const named = namedPackage(question);
    const listing = named && listings.get(packageKey(named));
    return listing ? [{ question, listing, range: readAskedRange(question.requested.to)?.range ?? null }] : [];
  });
  const uppers = await upperPublished(
    ctx,
    listed.filter(({ question, range }) => range !== null || isLatest(question.requested.to)),
  );
  const texts = uppers.values();
  const ranges = listed.map(({ question, listing, range }) => {
    const { from, to } = question.requested;
    const upper = range !== null || isLatest(to) ? (texts.next().value ?? null) : to;
    const lower = readAskedRange(from)?.range?.lowest ?? from;
    return { question, toVersion: upper && readBound(upper).version, upper, request: requestOf(listing, lower, upper) };
  });
  const open = ranges.flatMap(({ request }) => request ?? []);
  const found = await publishedVersions(ctx, open);
  return new Map(
    ranges.map(({ question, toVersion, upper, request }) => {
      const versions = request === null ? [] : elementAt(found, open.indexOf(request));
      const includes = question.requested.includePrereleases === true || isPublishedPrerelease(upper ?? '');
      return [
        question.index,
        { toVersion, history: { ...UNSTORED, ...listedShape(publishedRange(versions, includes)) } },
      ];
    }),
  );
}

const UNSTORED = { lowest: null, highest: null, checkedAt: null, tracked: false, complete: false };

// Null for a range that is empty or cannot be put in order.
function requestOf(listing: Listing, from: string, to: string | null): PublishedRequest | null {
  const [lower, upper] = [readBound(from), readBound(to ?? '')];
  if (lower.key === null || upper.key === null || !isBelow(lower.key, upper.key)) return null;
  const window = keyRange({ ...lower, key: lower.key }, { ...upper, key: upper.key });
  return { listing, sourceId: '', part: null, visible: true, window: { by: 'version', ...window } };
}
