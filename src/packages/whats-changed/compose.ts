// Composes the wire answer of a question from what was found.
import type { UpgradeEntry, UpgradeReasonDetail, WhatsChanged } from '../../contract/whats-changed.ts';
import { guideSteps } from '../../domain/notes/steps.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { countBesideBreaks } from '../../domain/upgrade/budget.ts';
import { noBreaksHint, upToDateHint } from '../../domain/upgrade/hints.ts';
import { historyHint } from '../../domain/upgrade/history.ts';
import { noVerdicts, type VerdictCounts, worstVerdict } from '../../domain/upgrade/judgement.ts';
import { isLatest, readAskedRange } from '../../domain/upgrade/version-range.ts';
import { parseJson } from '../../store/json-text.ts';
import type { ReadEntry } from './entries.ts';
import type { UnmappedHistory } from './listings.ts';
import { type PackageSource, toUpgradeSource } from './package-sources.ts';
import type { RangeQuestion, RequestedUpgrade, UnjudgedAnswer } from './questions.ts';
import type { ResolvedTarget } from './resolve-targets.ts';
import type { AskingText } from './spans.ts';
import type { ShortBreak } from './tally.ts';

function emptyAnswer(requested: RequestedUpgrade): UnjudgedAnswer {
  return {
    status: 'unknown',
    package: requested.package,
    ecosystem: requested.ecosystem ?? null,
    from: requested.from,
    to: requested.to,
    fromVersion: cleaned(requested.from),
    toVersion: isLatest(requested.to) || readAskedRange(requested.to) ? null : cleaned(requested.to),
    source: null,
    matchedBy: null,
    entries: [],
    count: 0,
    total: 0,
    summary: { breaking: noVerdicts(), firstBreaking: null, unnoted: 0, security: 0 },
    worst: null,
    omittedPrereleases: 0,
    truncated: false,
    told: [],
    compared: [],
    byVersion: 0,
    leftBreaks: NO_LEFT_BREAKS,
    notesIn: null,
  };
}

const NO_LEFT_BREAKS: UnjudgedAnswer['leftBreaks'] = { major: 0, minor: 0 };

// The version of an unknown package; null when the text does not look like a version.
function cleaned(text: string): string | null {
  const requested = readAskedRange(text);
  if (requested) return requested.range?.lowest ?? null;
  const { key, version } = readBound(text);
  return key === null ? null : version;
}

interface UnknownFinding {
  reason: 'not_tracked' | 'ambiguous' | 'no_releases';
  detail?: UpgradeReasonDetail;
  hint: string;
  suggestions?: string[];
  candidates?: readonly PackageSource[];
  packages?: readonly string[];
  // What a package registry lists of the range.
  published?: UnmappedHistory;
}

export function unknownAnswer(
  requested: RequestedUpgrade,
  target: ResolvedTarget,
  finding: UnknownFinding,
): UnjudgedAnswer {
  const { reason, detail, hint, suggestions = [], candidates, packages, published } = finding;
  return {
    ...emptyAnswer(requested),
    ...sourceKeys(target),
    ...(published ? publishedKeys(published) : {}),
    reason,
    ...(detail ? { reasonDetail: detail } : {}),
    hint,
    ...(packages ? { packages: [...packages] } : {}),
    suggestions,
    ...(candidates ? { candidates: candidates.map(toCandidate).sort(byOrg).slice(0, 20) } : {}),
  };
}

// The version in use is the latest one that its registry lists.
export function upToDateAnswer(
  requested: RequestedUpgrade,
  target: ResolvedTarget,
  published: UnmappedHistory,
): UnjudgedAnswer {
  const keys = publishedKeys(published);
  return {
    ...emptyAnswer(requested),
    ...sourceKeys(target),
    ...keys,
    status: 'resolved',
    history: { ...published.history, complete: true },
    reason: 'up_to_date',
    hint: upToDateHint(published.toVersion ?? requested.from),
  };
}

function publishedKeys({ history, toVersion }: UnmappedHistory): Partial<WhatsChanged> {
  const summary = { breaking: noVerdicts(), firstBreaking: null, unnoted: history.withoutNotesCount, security: 0 };
  return { history, summary, ...(toVersion === null ? {} : { toVersion }) };
}

type AmbiguousSource = NonNullable<WhatsChanged['candidates']>[number];

function toCandidate({ orgSlug, slug, id }: PackageSource): AmbiguousSource {
  return { orgSlug, sourceSlug: slug, id };
}

// Sorts by org; a source without an org comes last.
function byOrg(a: AmbiguousSource, b: AmbiguousSource): number {
  const [one, other] = [a.orgSlug ?? '\uffff', b.orgSlug ?? '\uffff'];
  return one < other ? -1 : one > other ? 1 : 0;
}

function sourceKeys(target: ResolvedTarget): Partial<WhatsChanged> {
  const others = target.alsoMatches ?? [];
  return {
    ...(target.source ? { source: toUpgradeSource(target.source), matchedBy: target.matchedBy } : {}),
    ...(others.length > 0 ? { alsoMatches: others } : {}),
  };
}

export function emptyRangeAnswer(
  { requested, target, range, history }: RangeQuestion,
  found: { reason: NonNullable<WhatsChanged['reason']>; hint: string; omittedPrereleases?: number },
): UnjudgedAnswer {
  const { reason, hint, omittedPrereleases = 0 } = found;
  // Nothing lies between two equal bounds, whatever is stored.
  const complete = history.shape.complete || reason === 'same_version';
  return {
    ...emptyAnswer(requested),
    ...sourceKeys(target),
    status: 'resolved',
    fromVersion: range.from,
    toVersion: range.to,
    summary: { breaking: noVerdicts(), firstBreaking: null, unnoted: history.shape.withoutNotesCount, security: 0 },
    worst: complete ? null : 'unknown',
    omittedPrereleases,
    history: { ...history.shape, complete },
    reason,
    hint,
  };
}

interface HistoryFinding {
  reason: 'history_ends' | 'history_begins' | 'history_gap';
  hint: string;
}

// Null when the stored history covers the range.
export function historyFinding({ range, history, of: { source } }: RangeQuestion): HistoryFinding | null {
  const { ends, begins, missing, shape } = history;
  if (shape.complete) return null;
  const hint = historyHint({
    ends,
    begins,
    missing,
    ...shape,
    from: range.from,
    to: range.upperBy === 'version' ? range.to : null,
    toVersion: range.to,
    failingSince: source.failingSince,
    coordinate: source.coordinate,
    id: source.id,
    forOperator: source.forOperator,
  });
  return { reason: ends ? 'history_ends' : begins ? 'history_begins' : 'history_gap', hint };
}

interface TellingBreak extends ShortBreak {
  // The section of the upgrade guide about it.
  guide: AskingText | null;
}

export interface RangeFinding {
  verdicts: VerdictCounts;
  total: number;
  // How many releases the answer would list without a budget.
  listed: number;
  omittedPrereleases: number;
  firstBreaking: string | null;
  // Of the whole range.
  security: number;
  newestFirst: readonly ReadEntry[];
  // Of a range that does not list all of them, oldest first.
  breaks: readonly ShortBreak[];
  // All breaks of the range, oldest first, whether they fit into the answer or not.
  told: readonly TellingBreak[];
  includesPrereleases: boolean;
  budget: number;
}

export function rangeAnswer(question: RangeQuestion, finding: RangeFinding): UnjudgedAnswer {
  const { requested, target, range, history } = question;
  const { verdicts, total, listed, omittedPrereleases, firstBreaking, security, newestFirst, budget } = finding;
  const naming = new Map(finding.breaks.map(({ short, cost }) => [short.id, cost]));
  const ordered = newestFirst.map(({ entry, cost, key }) => ({ id: entry.id, cost, key }));
  const included = newestFirst.slice(0, countBesideBreaks(ordered, naming, budget));
  const answer: UnjudgedAnswer = {
    ...emptyAnswer(requested),
    ...sourceKeys(target),
    status: 'resolved',
    notesIn: notesIn(question),
    fromVersion: range.from,
    toVersion: range.to,
    entries: entriesOf(history.withdrawn, included).reverse(),
    count: included.length,
    total,
    summary: { breaking: verdicts, firstBreaking, unnoted: history.shape.withoutNotesCount, security },
    worst: history.shape.complete
      ? worstVerdict(verdicts)
      : worstVerdict({ ...verdicts, unknown: verdicts.unknown + 1 }),
    omittedPrereleases,
    history: history.shape,
    ...(listed === 0 && finding.breaks.length === 0 ? { hint: noBreaksHint(verdicts) } : {}),
    ...historyFinding(question),
    ...(included.length < listed ? cutKeys(requested, finding, included) : {}),
  };
  return withBreaks(answer, finding);
}

// Names the breaks of the range that the answer does not list. Those of pre-releases count, whether these are listed or not.
export function withBreaks(
  answer: UnjudgedAnswer,
  { breaks, told, includesPrereleases }: Pick<RangeFinding, 'breaks' | 'told' | 'includesPrereleases'>,
): UnjudgedAnswer {
  const isListed = new Set(answer.entries.map(({ id }) => id));
  const omittedBreaking = breaks.map(({ short }) => short).filter(({ id }) => !isListed.has(id));
  const left = includesPrereleases ? [] : omittedBreaking.filter(({ prerelease }) => prerelease);
  const count = (verdict: string) => left.filter(({ breaking }) => breaking === verdict).length;
  const leftBreaks = { major: count('major'), minor: count('minor') };
  return {
    ...answer,
    worst: worstWith(answer.worst, leftBreaks),
    ...(omittedBreaking.length > 0 ? { omittedBreaking } : {}),
    leftBreaks,
    byVersion: told.filter(({ short }) => short.judgedBy === 'version').length,
    told: told.map(toldSteps),
  };
}

function worstWith(
  worst: WhatsChanged['worst'],
  { major, minor }: UnjudgedAnswer['leftBreaks'],
): WhatsChanged['worst'] {
  if (major > 0) return 'major';
  return minor > 0 && worst !== 'major' ? 'minor' : worst;
}

function notesIn({ of: { source, part } }: RangeQuestion): UnjudgedAnswer['notesIn'] {
  return { sourceId: source.id, part, visible: source.visible };
}

// What a breaking release asks for, by its notes and by the guide that goes with them.
function toldSteps({ short: { id, version }, asks, guide }: TellingBreak): UnjudgedAnswer['told'][number] {
  const texts = guide?.notes?.startsWith(asks.notes ?? '') ? [guide] : [asks, guide];
  return { id, version, steps: texts.flatMap((text) => (text ? stepsOf(text) : [])) };
}

// The text itself is read only until the row has been derived again.
function stepsOf({ notes, steps }: AskingText): string[] {
  if (steps !== null) return parseJson(steps);
  return notes === null ? [] : guideSteps(notes);
}

// A release whose package is gone from its registry is withdrawn, whatever its source says.
function entriesOf(withdrawn: ReadonlySet<string>, read: readonly ReadEntry[]): UpgradeEntry[] {
  if (withdrawn.size === 0) return read.map(({ entry }) => entry);
  return read.map(({ entry, key }) => (withdrawn.has(key) ? { ...entry, withdrawn: true } : entry));
}

function cutKeys(
  requested: RequestedUpgrade,
  finding: RangeFinding,
  included: readonly ReadEntry[],
): Partial<WhatsChanged> {
  const { listed, newestFirst, budget, includesPrereleases } = finding;
  // Entries with equal keys cannot be separated by a version, so the suggested call starts below them.
  const next = newestFirst.slice(included.length).find(({ key }) => key !== included.at(-1)?.key);
  const older = next?.entry.version;
  // When only the upper bound included pre-releases, a stable bound would drop them from the rest.
  const byBound = includesPrereleases && !requested.includePrereleases && next?.entry.prerelease === false;
  const flag = byBound ? ({ include_prereleases: true } as const) : {};
  return {
    truncated: true,
    omitted: listed - included.length,
    tokenBudget: budget,
    truncatedAtTokens: budget,
    ...(older ? { continue: { from: requested.from, to: older, ...flag } } : {}),
  };
}
