// The requested ranges of releases: which package of a source, and the releases between its two bounds or the reason why there
// are none.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { elementAt } from '../../domain/records.ts';
import { type Bound, keyRange, readBound } from '../../domain/upgrade/bounds.ts';
import type { DistTags } from '../../domain/upgrade/dist-tags.ts';
import { packageHint } from '../../domain/upgrade/hints.ts';
import { choosePart, namesOf, type PartChoice, type PartsOfSource } from '../../domain/upgrade/requested-package.ts';
import { isLatest, liesBelow, readAskedRange } from '../../domain/upgrade/version-range.ts';
import { compareVersionKeys, isPrerelease } from '../../domain/versions/index.ts';
import { answerEmpty } from './answer-spans.ts';
import { unknownAnswer } from './compose.ts';
import { type HistoryRequest, readHistories } from './history.ts';
import { listingsOf, packagesOf, upperBounds } from './listings.ts';
import { partsOfSources } from './package-sources.ts';
import type {
  AskedPackage,
  PackageQuestion,
  Question,
  RangeQuestion,
  SpanQuestion,
  UpgradeAnswers,
  UpgradeRange,
  UpperBound,
} from './questions.ts';
import { isStoredVersion, packageRows } from './spans.ts';
import { unknownVersion, withTaggedVersions } from './tags.ts';
import type { PackageOfSource } from './versions.ts';

interface OpenedRanges {
  spans: SpanQuestion[];
  // The answers of questions that need no further step.
  answers: UpgradeAnswers;
  packages: AskedPackage[];
}

export async function openRanges(ctx: Context, questions: readonly Question[]): Promise<OpenedRanges> {
  const answers: UpgradeAnswers = new Map();
  const chosen = await choosePackages(ctx, questions, answers);
  const names = await packagesOf(ctx, chosen);
  const packages = await withTaggedVersions(ctx, chosen, names);
  const listings = await listingsOf(ctx, names);
  const uppers = await upperBounds(ctx, packages, listings);
  const open: HistoryRequest[] = [];
  for (const [slot, question] of packages.entries()) {
    const upper = elementAt(uppers, slot);
    const range = await openRange(ctx, { ...question, upper }).catch(refusal);
    if (range instanceof ApiError) answers.set(question.index, range);
    else open.push({ ...question, range, upper, listing: elementAt(listings, slot) });
  }
  const histories = await readHistories(ctx, open);
  const spans: SpanQuestion[] = [];
  const empty: RangeQuestion[] = [];
  for (const [slot, { upper: _, listing: __, ...question }] of open.entries()) {
    const historyOf = elementAt(histories, slot);
    if (historyOf instanceof ApiError) {
      answers.set(question.index, historyOf);
      continue;
    }
    const { window } = question.range;
    const { source, part } = question.of;
    if (window === null) empty.push({ ...question, history: historyOf(false) });
    else spans.push({ ...question, historyOf, span: { sourceId: source.id, part, visible: source.visible, window } });
  }
  const named = packages.flatMap(({ index }, slot) => {
    const name = elementAt(names, slot);
    return name ? [{ index, named: name }] : [];
  });
  return { spans, answers: new Map([...answers, ...answerEmpty(empty)]), packages: named };
}

async function choosePackages(
  ctx: Context,
  questions: readonly Question[],
  answers: UpgradeAnswers,
): Promise<PackageQuestion[]> {
  const ids = questions.flatMap(({ target }) => target.source?.id ?? []);
  const parts = await partsOfSources(ctx, ids);
  return questions.flatMap((question) => {
    const { index, requested, target } = question;
    if (target.source === null) return [];
    const known = parts.get(target.source.id) ?? { parts: [], hasBare: false };
    const choice = partFor(question, known);
    if ('part' in choice) return [{ ...question, parts: known, of: { source: target.source, part: choice.part } }];
    const hint = packageHint(choice.choices);
    const found = { reason: 'not_tracked', detail: 'package_required', hint, packages: choice.choices } as const;
    answers.set(index, unknownAnswer(requested, target, found));
    return [];
  });
}

function partFor({ requested, method, target }: Question, parts: PartsOfSource): PartChoice {
  return choosePart(parts, {
    mapped: target.source === null ? null : target.mapped,
    names: namesOf(requested, method),
    inBounds: [requested.from, requested.to].flatMap((text) => packagePartIn(text) ?? []),
    coordinate: target.source?.coordinate ?? null,
  });
}

function packagePartIn(text: string): string | null {
  const range = readAskedRange(text);
  return range === null ? readBound(text).packagePart : range.packagePart;
}

function refusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

interface RangeRequest {
  from: string;
  to: string;
}

interface AskedRange {
  requested: RangeRequest;
  of: PackageOfSource;
  tags?: DistTags;
}

// The range between two bounds, or the reason why it is empty. Throws an error when the bounds are invalid.
async function openRange(
  ctx: Context,
  { requested, of, upper, tags }: AskedRange & { upper: UpperBound },
): Promise<UpgradeRange> {
  const fromText = readAskedRange(requested.from)?.range?.lowest ?? requested.from;
  const from = lowerBound(requested.from, fromText);
  const open = { from: from.version, window: null, reason: null, endsInPrerelease: false, upperBy: upper.by };
  if (upper.text === null) return { ...open, to: null, keys: null };
  const to = upper.by === 'version' && readAskedRange(upper.text) ? unordered(upper.text) : readBound(upper.text);
  if (!isKeyed(from) || !isKeyed(to))
    return openTimes(ctx, { requested, of, upper: { ...upper, text: upper.text }, tags, from, to });
  const range = {
    ...open,
    to: to.version,
    keys: { from: from.key, to: to.key },
    endsInPrerelease: isPrerelease(upper.text),
  };
  const order = compareVersionKeys(from.key, to.key);
  if (order < 0) return { ...range, window: { by: 'version', ...keyRange(from, to, of.source.scheme) } };
  if (order > 0 && upper.by === 'range' && !liesBelow(upper.range, from.key)) {
    // The range admits versions above `from`, but none of them is stored.
    return { ...range, keys: { from: from.key, to: from.key } };
  }
  return { ...range, reason: whyEmpty(requested, order === 0) };
}

// A range that cannot be parsed is an error and never read as a version.
function lowerBound(requested: string, text: string): Bound {
  return text === requested && readAskedRange(requested) ? unordered(requested) : readBound(text);
}

function unordered(text: string): Bound {
  return { version: text, key: null, packagePart: null, epoch: 0 };
}

function whyEmpty({ from, to }: RangeRequest, isSame: boolean): 'same_version' | 'up_to_date' {
  if (isLatest(to)) return 'up_to_date';
  if (isSame) return 'same_version';
  const details = { parameter: 'from', reason: 'from_after_to' };
  throw new ApiError('bad_request', `from: ${from} comes after ${to}`, details);
}

function isKeyed(bound: Bound): bound is Bound & { key: string } {
  return bound.key !== null;
}

interface TimesRequest extends AskedRange {
  upper: UpperBound & { text: string };
  from: Bound;
  to: Bound;
}

// The range between versions without an order key, by the dates of their releases.
async function openTimes(ctx: Context, { requested, of, upper, tags, from, to }: TimesRequest): Promise<UpgradeRange> {
  const stored = {
    from: await storedVersion(ctx, of, { text: requested.from, key: from.key }),
    to: await storedVersion(ctx, of, { text: upper.text, key: to.key }),
  };
  // A version that can be read is not at fault for a name that nobody knows.
  if (from.key !== null) datedVersion({ parameter: 'to', text: requested.to, tags }, stored.to);
  const start = datedVersion({ parameter: 'from', text: requested.from, tags }, stored.from);
  const end = datedVersion({ parameter: 'to', text: requested.to, tags }, stored.to);
  const range = {
    from: from.version,
    to: to.version,
    endsInPrerelease: end.prerelease,
    keys: null,
    upperBy: upper.by,
  };
  const isSame = start.version === end.version;
  if (isSame || start.feedAt > end.feedAt) return { ...range, window: null, reason: whyEmpty(requested, isSame) };
  return { ...range, window: { by: 'time', after: start.feedAt, upTo: end.feedAt }, reason: null };
}

interface TimeBound {
  parameter: 'from' | 'to';
  text: string;
  tags?: DistTags;
}

function datedVersion(bound: TimeBound, stored: StoredVersion | null): StoredVersion {
  if (stored && stored.feedAt !== '') return stored;
  const problem = stored ? 'is stored without a date' : 'is neither a readable version nor a stored one';
  throw unknownVersion({ ...bound, problem });
}

interface StoredVersion {
  version: string;
  // Empty for a release without a date.
  feedAt: string;
  prerelease: boolean;
}

// The release with this version text, or else with the same order key.
async function storedVersion(
  ctx: Context,
  { source, part }: PackageOfSource,
  { text, key }: { text: string; key: string | null },
): Promise<StoredVersion | null> {
  const rows = packageRows(ctx, { sourceId: source.id, part })
    .where(isStoredVersion(source))
    .where('r.version_sort', key === null ? 'is' : '=', key);
  const row = await (key === null ? rows.where('r.version', '=', text) : rows)
    .select(['r.version', 'r.published_at', 'r.prerelease'])
    .orderBy('r.feed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row
    ? { version: row.version ?? text, feedAt: row.published_at ?? '', prerelease: row.prerelease === 1 }
    : null;
}
