// Answers up to a hundred upgrade questions together: sources, packages, ranges and entries of all of them are read in a few
// queries each.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { elementAt } from '../../domain/records.ts';
import { lookupMethod, namesOf } from '../../domain/upgrade/asked.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { ambiguousHint, noReleasesHint, packageHint, unknownHint } from '../../domain/upgrade/hints.ts';
import { choosePart, type PartChoice, type PartsOfSource } from '../../domain/upgrade/package-part.ts';
import { readAskedRange } from '../../domain/upgrade/version-range.ts';
import { answerSpans } from './answer-spans.ts';
import { unknownAnswer } from './compose.ts';
import { type HistoryRequest, readHistories } from './history.ts';
import { answerEmpty } from './history-finding.ts';
import { suggestSlugs } from './names.ts';
import { partsOfSources } from './package-parts.ts';
import type {
  PackageQuestion,
  Question,
  RangeQuestion,
  RequestedUpgrade,
  SpanQuestion,
  UpgradeAnswer,
  UpgradeAnswers,
} from './questions.ts';
import { isLatest, openRange, type UpperBound } from './ranges.ts';
import { resolveTargets } from './resolve-targets.ts';
import { highestInRanges, latestVersions } from './versions.ts';

// The answers in the order of the questions. With `orgId`, slugs are looked up in that org alone.
export async function answerQuestions(
  ctx: Context,
  upgrades: readonly (RequestedUpgrade & { orgId?: string })[],
  tokens: number,
): Promise<UpgradeAnswer[]> {
  const sought = upgrades.map((requested) => ({ method: lookupMethod(requested), orgId: requested.orgId }));
  const targets = await resolveTargets(ctx, sought);
  if (targets.some(({ source }) => source && !source.visible)) ctx.answer.containsHidden = true;
  const questions = sought.map(({ method }, index): Question => {
    return { index, requested: elementAt(upgrades, index), method, target: elementAt(targets, index) };
  });
  const answers = await answerUnknown(ctx, questions);
  const opened = await openRanges(
    ctx,
    questions.filter(({ index }) => !answers.has(index)),
  );
  const answered = await answerSpans(ctx, opened.spans, tokens);
  const all = new Map([...answers, ...opened.answers, ...answered]);
  return questions.map(({ index }) => answerOf(all, index));
}

function answerOf(answers: UpgradeAnswers, index: number): UpgradeAnswer {
  const answer = answers.get(index);
  if (answer === undefined) throw new Error(`question ${index} has no answer`);
  return answer;
}

const MOST_SUGGESTIONS = 5;

async function answerUnknown(ctx: Context, questions: readonly Question[]): Promise<UpgradeAnswers> {
  const lost = questions.filter(({ target }) => target.source === null);
  const close = await suggestSlugs(ctx, [...new Set(lost.map(({ requested }) => requested.package))]);
  const answers: UpgradeAnswers = new Map();
  for (const { index, requested, method, target } of questions) {
    if (target.source === null) {
      const { reason, detail, candidates, suggested } = target;
      const slugs = [suggested?.slug ?? [], close.get(requested.package) ?? []].flat();
      const suggestions = [...new Set(slugs)].slice(0, MOST_SUGGESTIONS);
      const hint = reason === 'ambiguous' ? ambiguousHint(requested.package) : unknownHint(method, requested.package);
      answers.set(index, unknownAnswer(requested, target, { reason, detail, hint, suggestions, candidates }));
    } else if (target.source.releaseCount === 0) {
      const hint = noReleasesHint(target.source);
      answers.set(index, unknownAnswer(requested, target, { reason: 'no_releases', hint }));
    }
  }
  return answers;
}

// Finds the requested range of releases of a source: which of its packages, between which versions.

interface OpenedRanges {
  spans: SpanQuestion[];
  // The answers of questions that need no further step.
  answers: UpgradeAnswers;
}

async function openRanges(ctx: Context, questions: readonly Question[]): Promise<OpenedRanges> {
  const answers: UpgradeAnswers = new Map();
  const packages = await choosePackages(ctx, questions, answers);
  const uppers = await upperBounds(ctx, packages);
  const open: HistoryRequest[] = [];
  for (const [slot, question] of packages.entries()) {
    const upper = elementAt(uppers, slot);
    const range = await openRange(ctx, { requested: question.requested, of: question.of, upper }).catch(refusal);
    if (range instanceof ApiError) answers.set(question.index, range);
    else open.push({ ...question, range, upper });
  }
  const histories = await readHistories(ctx, open);
  const spans: SpanQuestion[] = [];
  const empty: RangeQuestion[] = [];
  for (const [slot, { upper: _, ...question }] of open.entries()) {
    const known = { ...question, history: elementAt(histories, slot) };
    const { window } = question.range;
    const { source, part } = question.of;
    if (window === null) empty.push(known);
    else spans.push({ ...known, span: { sourceId: source.id, part, visible: source.visible, window } });
  }
  return { spans, answers: new Map([...answers, ...answerEmpty(empty)]) };
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
    const choice = partFor(question, parts.get(target.source.id) ?? { parts: [], hasBare: false });
    if ('part' in choice) return [{ ...question, of: { source: target.source, part: choice.part } }];
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

// The upper bounds: `latest` and version ranges are looked up among the stored versions, a version is used as it is.
async function upperBounds(ctx: Context, packages: readonly PackageQuestion[]): Promise<UpperBound[]> {
  const wantLatest = packages.filter(({ requested }) => isLatest(requested.to));
  const latest = await latestVersions(
    ctx,
    wantLatest.map(({ of }) => of),
  );
  const ranged = packages.flatMap((question) => {
    const range = readAskedRange(question.requested.to)?.range;
    return range ? { question, range, ...question.of } : [];
  });
  const highest = await highestInRanges(ctx, ranged);
  return packages.map((question): UpperBound => {
    const latestSlot = wantLatest.indexOf(question);
    if (latestSlot !== -1) return { by: 'latest', text: latest[latestSlot] ?? null };
    const rangeSlot = ranged.findIndex((one) => one.question === question);
    const range = ranged[rangeSlot]?.range;
    if (!range) return { by: 'version', text: question.requested.to };
    return { by: 'range', text: highest[rangeSlot] ?? range.lowest, range };
  });
}

function refusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
