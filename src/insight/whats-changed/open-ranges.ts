// From a source to the stretch of releases that is asked for: which of its packages, between which versions.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { namesOf } from '../../domain/upgrade/asked.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { emptyRangeHint, packageHint, sameVersionHint, upToDateHint } from '../../domain/upgrade/hints.ts';
import { choosePart, type PartChoice, type PartsOfSource } from '../../domain/upgrade/package-part.ts';
import { emptyRangeAnswer, unknownAnswer } from './compose.ts';
import { partsOfSources } from './package-parts.ts';
import type { Answers, PackageQuestion, Question, SpanQuestion } from './questions.ts';
import { isLatest, openRange, type Range } from './ranges.ts';
import { latestVersions, outerVersions } from './versions.ts';

export interface OpenedRanges {
  spans: SpanQuestion[];
  // Of questions that end here.
  answers: Answers;
}

export async function openRanges(ctx: Context, questions: readonly Question[]): Promise<OpenedRanges> {
  const answers: Answers = new Map();
  const packages = await choosePackages(ctx, questions, answers);
  const latest = await latestOf(ctx, packages);
  const spans: SpanQuestion[] = [];
  const empty: EmptyRange[] = [];
  for (const question of packages) {
    const { index, asked, of } = question;
    const range = await openRange(ctx, asked, of, latest.get(index) ?? null).catch(refusal);
    if (range instanceof ApiError) answers.set(index, range);
    else if (range.stretch === null) empty.push({ ...question, range });
    else {
      const { place, part } = of;
      const span = { sourceId: place.id, part, visible: place.visible, stretch: range.stretch };
      spans.push({ ...question, range, span });
    }
  }
  return { spans, answers: new Map([...answers, ...(await answerEmpty(ctx, empty))]) };
}

async function choosePackages(
  ctx: Context,
  questions: readonly Question[],
  answers: Answers,
): Promise<PackageQuestion[]> {
  const ids = questions.flatMap(({ target }) => target.place?.id ?? []);
  const parts = await partsOfSources(ctx, ids);
  return questions.flatMap((question) => {
    const { index, asked, target } = question;
    if (target.place === null) return [];
    const choice = partFor(question, parts.get(target.place.id) ?? { parts: [], hasBare: false });
    if ('part' in choice) return [{ ...question, of: { place: target.place, part: choice.part } }];
    const hint = packageHint(choice.choices);
    const found = { reason: 'not_tracked', detail: 'package_required', hint, packages: choice.choices } as const;
    answers.set(index, unknownAnswer(asked, target, found));
    return [];
  });
}

function partFor({ asked, way, target }: Question, parts: PartsOfSource): PartChoice {
  return choosePart(parts, {
    mapped: target.place === null ? null : target.mapped,
    names: namesOf(asked, way),
    inBounds: [asked.from, asked.to].flatMap((text) => readBound(text).packagePart ?? []),
    coordinate: target.place?.coordinate ?? null,
  });
}

async function latestOf(ctx: Context, packages: readonly PackageQuestion[]): Promise<Map<number, string | null>> {
  const asked = packages.filter(({ asked }) => isLatest(asked.to));
  const versions = await latestVersions(
    ctx,
    asked.map(({ of }) => of),
  );
  return new Map(asked.map(({ index }, slot) => [index, versions[slot] ?? null]));
}

function refusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

export interface EmptyRange extends PackageQuestion {
  range: Range;
  omittedPrereleases?: number;
}

/** Ranges in which nothing lies. */
export async function answerEmpty(ctx: Context, questions: readonly EmptyRange[]): Promise<Answers> {
  const unexplained = questions.flatMap(({ index, range: { reason, key }, of }) =>
    reason === null && key !== null ? { index, key, ...of } : [],
  );
  const outer = await outerVersions(ctx, unexplained);
  const versions = new Map(unexplained.map(({ index }, slot) => [index, outer[slot] ?? []]));
  return new Map(
    questions.map((question) => [question.index, emptyAnswer(question, versions.get(question.index) ?? [])]),
  );
}

function emptyAnswer(question: EmptyRange, outer: readonly string[]): WhatsChanged {
  const { asked, target, of, range, omittedPrereleases } = question;
  const { reason, from, to } = range;
  if (reason === 'same_version') return emptyRangeAnswer(asked, target, range, { reason, hint: sameVersionHint(from) });
  if (reason === 'up_to_date') {
    return emptyRangeAnswer(asked, target, range, { reason, hint: upToDateHint(to ?? from) });
  }
  const hint = emptyRangeHint(outer, of.place);
  return emptyRangeAnswer(asked, target, range, { reason: 'no_entries_in_range', hint, omittedPrereleases });
}
