// Answers ranges: all their releases are counted, and as many are listed as the token budget allows.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { onceEach } from '../../domain/once-each.ts';
import { elementAt } from '../../domain/records.ts';
import { isBelow } from '../../domain/upgrade/bounds.ts';
import { countFitting, entriesWorthReading, evenShares, MAX_ENTRIES, MIN_COST } from '../../domain/upgrade/budget.ts';
import { emptyRangeHint, sameVersionHint, upToDateHint } from '../../domain/upgrade/hints.ts';
import { type Half, noVerdicts, type VerdictCounts } from '../../domain/upgrade/judgement.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { emptyRangeAnswer, historyFinding, type RangeFinding, rangeAnswer, withBreaks } from './compose.ts';
import { type EntryReading, type ReadEntry, readEntries } from './entries.ts';
import type { RangeQuestion, SpanQuestion, UnjudgedAnswer, UpgradeAnswers } from './questions.ts';
import {
  asBranch,
  guideSectionsOf,
  inUnions,
  isStoredVersion,
  ORDER_COLUMN,
  packageRows,
  type ReleaseSpan,
  type ToldRequest,
} from './spans.ts';
import { breaksAmong, readBreaks, type ShortBreak, type SpanTally, securityCounts, tallySpans } from './tally.ts';

interface Counted extends SpanQuestion, RangeQuestion {
  halves: Half[];
  total: number;
  // How many releases the answer would list without a budget.
  listed: number;
  includesPrereleases: boolean;
  omittedPrereleases: number;
  // Pre-releases that are left out break something, and the range has their breaks.
  hasLeftBreaks: boolean;
  hasUnlisted: boolean;
}

// All questions share the tokens evenly; what one leaves over goes to the others.
export async function answerSpans(
  ctx: Context,
  questions: readonly SpanQuestion[],
  tokens: number,
): Promise<UpgradeAnswers> {
  const spans = questions.map(({ span }) => span);
  const tallies = await onceEach(spans, (distinct) => tallySpans(ctx, distinct));
  const counted: Counted[] = [];
  for (const [slot, question] of questions.entries()) {
    await endLongTurn();
    counted.push(count(question, elementAt(tallies, slot)));
  }
  // The first division assumes the shortest possible entries, so that no question gets more than it can use.
  const least = evenShares(
    counted.map(({ listed }) => Math.min(listed, MAX_ENTRIES) * MIN_COST),
    tokens,
  );
  const readings = counted.map((question, slot): EntryReading => {
    return { ...toldBy(question), limit: Math.min(question.listed, entriesWorthReading(least[slot] ?? 0)) };
  });
  const read = await onceEach(readings, (distinct) => readEntries(ctx, distinct));
  const shares = evenShares(
    read.map((entries) => entries.reduce((sum, { cost }) => sum + cost, 0)),
    tokens,
  );
  const breaks = await breaksOfCut(ctx, counted, (slot) => ({ read: read[slot] ?? [], budget: shares[slot] ?? 0 }));
  const firstBreaking = await firstBreakingOf(ctx, counted, read);
  const security = await securityCounts(
    ctx,
    counted.map((question, slot) => {
      const entries = read[slot] ?? [];
      return { told: toldBy(question), entries: entries.length === question.total ? entries : null };
    }),
  );
  const breaksAt = (slot: number) => breaks.get(slot) ?? breaksAmong(read[slot] ?? []);
  const guides = await guideSectionsOf(
    ctx,
    counted.flatMap((_, slot) => breaksAt(slot).map(({ short }) => short.id)),
  );
  const answers: Map<number, UnjudgedAnswer> = answerEmpty(counted.filter(({ total }) => total === 0));
  for (const [slot, question] of counted.entries()) {
    if (question.total === 0 && !question.hasLeftBreaks) continue;
    await endLongTurn();
    const found = {
      newestFirst: read[slot] ?? [],
      budget: shares[slot] ?? 0,
      firstBreaking: firstBreaking[slot] ?? null,
      security: security[slot] ?? 0,
      breaks: breaks.get(slot) ?? [],
      told: breaksAt(slot).map((one) => ({ ...one, guide: guides.get(one.short.id) ?? null })),
    };
    const empty = answers.get(question.index);
    const answer = empty === undefined ? composedAnswer(question, found) : withBreaks(empty, { ...question, ...found });
    answers.set(question.index, answer);
  }
  return answers;
}

function count(question: SpanQuestion, { stable, prerelease, hasCovered, hasSuppressed }: SpanTally): Counted {
  const { requested, range } = question;
  const isStored = stable.atEnd + prerelease.atEnd > 0;
  const endsInPrerelease = isStored ? stable.atEnd === 0 : range.endsInPrerelease;
  const includesPrereleases = requested.includePrereleases === true || endsInPrerelease;
  const halves = includesPrereleases ? [stable, prerelease] : [stable];
  const total = halves.reduce((sum, half) => sum + half.count, 0);
  const omittedPrereleases = includesPrereleases ? 0 : prerelease.count;
  return {
    ...question,
    history: question.historyOf(includesPrereleases),
    halves,
    total,
    listed: requested.breakingOnly ? breaksIn(halves) : total,
    includesPrereleases,
    omittedPrereleases,
    hasLeftBreaks: !includesPrereleases && breaksIn([prerelease]) > 0,
    hasUnlisted: hasCovered || hasSuppressed,
  };
}

function breaksIn(halves: readonly Half[]): number {
  return halves.reduce((sum, { verdicts }) => sum + verdicts.major + verdicts.minor, 0);
}

function toldBy({ span, requested, includesPrereleases, hasUnlisted }: Counted): ToldRequest {
  const breakingOnly = requested.breakingOnly === true;
  return { span, includePrereleases: includesPrereleases, hasUnlisted, breakingOnly };
}

// The breaks of each range that does not list all of them, by the slot of its question. What final versions say seldom repeats
// what their pre-releases broke, but the number of a pre-release alone says nothing that the final one does not.
async function breaksOfCut(
  ctx: Context,
  counted: readonly Counted[],
  readAt: (slot: number) => { read: readonly ReadEntry[]; budget: number },
): Promise<Map<number, ShortBreak[]>> {
  const breaks = new Map<number, ShortBreak[]>();
  const unread: { slot: number; told: ToldRequest }[] = [];
  for (const [slot, question] of counted.entries()) {
    const { read, budget } = readAt(slot);
    const { halves, listed, hasLeftBreaks } = question;
    if (hasLeftBreaks) unread.push({ slot, told: { ...toldBy(question), includePrereleases: true } });
    else if (breaksIn(halves) === 0 || countFitting(read, budget) === listed) continue;
    else if (read.length === listed) breaks.set(slot, breaksAmong(read));
    else unread.push({ slot, told: toldBy(question) });
  }
  const found = await onceEach(
    unread.map(({ told }) => told),
    (distinct) => readBreaks(ctx, distinct),
  );
  for (const [index, { slot }] of unread.entries()) {
    const isListed = counted[slot]?.includesPrereleases === true;
    const told = elementAt(found, index).filter(({ short }) => isListed || !(short.prerelease && short.judgedBy));
    breaks.set(slot, told);
  }
  return breaks;
}

type ReadRange = Pick<RangeFinding, 'newestFirst' | 'budget' | 'firstBreaking' | 'security' | 'breaks' | 'told'>;

function composedAnswer(question: Counted, found: ReadRange): UnjudgedAnswer {
  const verdicts = question.halves.map((half) => half.verdicts).reduce(addVerdicts, noVerdicts());
  const { total, listed, omittedPrereleases, includesPrereleases } = question;
  return rangeAnswer(question, { verdicts, total, listed, omittedPrereleases, includesPrereleases, ...found });
}

// The version is usually among the entries that were read; the others are looked up together.
async function firstBreakingOf(
  ctx: Context,
  questions: readonly Counted[],
  read: readonly (readonly ReadEntry[])[],
): Promise<(string | null)[]> {
  const orderKeys = questions.map(({ halves }) => lowest(halves.flatMap(({ firstBreaking }) => firstBreaking ?? [])));
  const versions = orderKeys.map(
    (orderKey, slot) => read[slot]?.find(({ key }) => key === orderKey)?.entry.version ?? null,
  );
  const open = questions.flatMap(({ span }, slot) => {
    const orderKey = orderKeys[slot];
    return orderKey && versions[slot] === null ? { slot, span, orderKey } : [];
  });
  const texts = await onceEach(
    open.map(({ span, orderKey }) => ({ span, orderKey })),
    (distinct) => versionsAt(ctx, distinct),
  );
  for (const [index, { slot }] of open.entries()) versions[slot] = texts[index] ?? null;
  return versions;
}

function lowest(orderKeys: readonly string[]): string | null {
  return [...orderKeys].sort((a, b) => (isBelow(a, b) ? -1 : 1))[0] ?? null;
}

function addVerdicts(a: VerdictCounts, b: VerdictCounts): VerdictCounts {
  return { major: a.major + b.major, minor: a.minor + b.minor, none: a.none + b.none, unknown: a.unknown + b.unknown };
}

// The version text at a sort key of each span, for releases outside of the entries that were read.

async function versionsAt(
  ctx: Context,
  orderKeys: readonly { span: ReleaseSpan; orderKey: string }[],
): Promise<(string | null)[]> {
  const rows = await inUnions(ctx, orderKeys, ({ span, orderKey }, slot) => versionAt(ctx, span, orderKey, slot));
  const bySlot = new Map(rows.map(({ slot, version }) => [slot, version]));
  return orderKeys.map((_, slot) => bySlot.get(slot) ?? null);
}

function versionAt(ctx: Context, span: ReleaseSpan, orderKey: string, slot: number) {
  const rows = packageRows(ctx, span)
    .where(ORDER_COLUMN[span.window.by], '=', orderKey)
    .where(isStoredVersion(span))
    .where('r.version', 'is not', null)
    .select([sql.lit(slot).as('slot'), 'r.version'])
    .limit(sql.lit(1));
  return asBranch(rows);
}

// Answers for ranges without a release.

interface EmptyRange extends RangeQuestion {
  omittedPrereleases?: number;
}

export function answerEmpty(questions: readonly EmptyRange[]): Map<number, UnjudgedAnswer> {
  return new Map(questions.map((question) => [question.index, emptyAnswer(question)]));
}

function emptyAnswer(question: EmptyRange): UnjudgedAnswer {
  const { of, range, history, omittedPrereleases } = question;
  const { reason, from, to } = range;
  const { lowest, highest } = history.shape;
  // The upper bound of a version range is certain only when the history is complete.
  const isSame = reason === 'same_version' && !(range.upperBy === 'range' && history.ends);
  const gap = isSame ? null : historyFinding(question);
  // Who has a version that is not stored, above the latest stored one, has no older one to upgrade to.
  if (reason === 'up_to_date' && gap?.reason === 'history_gap') {
    return emptyRangeAnswer(question, { reason, hint: `${upToDateHint(to ?? from)} ${gap.hint}` });
  }
  if (gap) return emptyRangeAnswer(question, { ...gap, omittedPrereleases });
  if (isSame) return emptyRangeAnswer(question, { reason, hint: sameVersionHint(from) });
  if (reason === 'up_to_date') return emptyRangeAnswer(question, { reason, hint: upToDateHint(to ?? from) });
  const hint = emptyRangeHint(
    [lowest, highest].flatMap((version) => version ?? []),
    of.source,
  );
  return emptyRangeAnswer(question, { reason: 'no_entries_in_range', hint, omittedPrereleases });
}
