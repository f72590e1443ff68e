// What changed between two versions of a package, from what is stored alone. The rules are in `src/domain/upgrade`; here up
// to a hundred questions find their source (`resolve-targets.ts`), their package and range (`ranges.ts`), their counts
// (`tally.ts`) and their entries (`entries.ts`) side by side, in a few queries each.
import { resolveOrg } from '../../catalog/resolve.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { WhatsChanged, WhatsChangedBatch } from '../../contract/whats-changed.ts';
import { elementAt } from '../../domain/records.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { BATCH_TOKENS, DEFAULT_TOKENS } from '../../domain/upgrade/budget.ts';
import { ambiguousHint, noReleasesHint, packageHint, unknownHint } from '../../domain/upgrade/hints.ts';
import {
  choosePart,
  lookupMethod,
  namesOf,
  type PartChoice,
  type PartsOfSource,
} from '../../domain/upgrade/requested-package.ts';
import { readAskedRange } from '../../domain/upgrade/version-range.ts';
import { answerEmpty, answerSpans } from './answer-spans.ts';
import { unknownAnswer } from './compose.ts';
import { type HistoryRequest, readHistories } from './history.ts';
import { type AskedPackage, judged, withEvidence } from './judge.ts';
import { listingsOf, namedPackage, packagesOf, unmappedHistories, upperBounds } from './listings.ts';
import { suggestSlugs } from './names.ts';
import { partsOfSources } from './package-sources.ts';
import type {
  PackageQuestion,
  Question,
  RangeQuestion,
  RequestedUpgrade,
  SpanQuestion,
  UpgradeAnswer,
  UpgradeAnswers,
} from './questions.ts';
import { openRange } from './ranges.ts';
import { resolveTargets } from './resolve-targets.ts';

interface UpgradeQuestion extends RequestedUpgrade {
  // Looks for the slug in this org alone.
  org?: string;
  tokens?: number;
}

export async function whatsChanged(ctx: Context, question: UpgradeQuestion): Promise<WhatsChanged> {
  const { org, tokens = DEFAULT_TOKENS, ...requested } = question;
  const orgId = org === undefined ? undefined : (await resolveOrg(ctx, org, { parameter: 'org' })).id;
  const [answer] = await answerQuestions(ctx, [{ ...requested, orgId }], tokens);
  if (answer === undefined || answer instanceof ApiError) throw answer;
  return answer;
}

export async function whatsChangedBatch(
  ctx: Context,
  input: { items: readonly RequestedUpgrade[] },
): Promise<WhatsChangedBatch> {
  const answers = await answerQuestions(ctx, input.items, BATCH_TOKENS);
  const items = answers.map((answer, index) =>
    answer instanceof ApiError ? { index, error: answer.toBody().error } : { index, ...answer },
  );
  return { items, truncated: items.some((item) => 'truncated' in item && item.truncated) };
}

// The answers in the order of the questions. With `orgId`, slugs are looked up in that org alone.
async function answerQuestions(
  ctx: Context,
  upgrades: readonly (RequestedUpgrade & { orgId?: string })[],
  tokens: number,
): Promise<(WhatsChanged | ApiError)[]> {
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
  await withEvidence(ctx, all, [...opened.packages, ...unmappedPackages(questions, answers)]);
  return questions.map(({ index }) => {
    const answer = answerOf(all, index);
    return answer instanceof ApiError ? answer : judged(answer, answer.evidence ?? null, questions.length);
  });
}

function answerOf(answers: UpgradeAnswers, index: number): UpgradeAnswer {
  const answer = answers.get(index);
  if (answer === undefined) throw new Error(`question ${index} has no answer`);
  return answer;
}

// Packages that are known by their registry alone.
function unmappedPackages(questions: readonly Question[], answers: UpgradeAnswers): AskedPackage[] {
  return questions.flatMap((question) => {
    const answer = answers.get(question.index);
    const named = answer && 'history' in answer ? namedPackage(question) : null;
    return named ? [{ index: question.index, named }] : [];
  });
}

const MAX_SUGGESTIONS = 5;

async function answerUnknown(ctx: Context, questions: readonly Question[]): Promise<UpgradeAnswers> {
  const answers: UpgradeAnswers = new Map();
  const unknown = questions.filter(({ target }) => (target.source?.releaseCount ?? 0) === 0);
  if (unknown.length === 0) return answers;
  const lost = unknown.filter(({ target }) => target.source === null);
  const close = await suggestSlugs(ctx, [...new Set(lost.map(({ requested }) => requested.package))]);
  const published = await unmappedHistories(ctx, unknown);
  for (const { index, requested, method, target } of unknown) {
    if (target.source === null) {
      const { reason, detail, candidates, suggested } = target;
      const slugs = [suggested?.slug ?? [], close.get(requested.package) ?? []].flat();
      const suggestions = [...new Set(slugs)].slice(0, MAX_SUGGESTIONS);
      const hint = reason === 'ambiguous' ? ambiguousHint(requested.package) : unknownHint(method, requested.package);
      const found = { reason, detail, hint, suggestions, candidates, published: published.get(index) };
      answers.set(index, unknownAnswer(requested, target, found));
    } else {
      const hint = noReleasesHint(target.source);
      const found = { reason: 'no_releases', hint, published: published.get(index) } as const;
      answers.set(index, unknownAnswer(requested, target, found));
    }
  }
  return answers;
}

// Finds the requested range of releases of a source: which of its packages, between which versions.

interface OpenedRanges {
  spans: SpanQuestion[];
  // The answers of questions that need no further step.
  answers: UpgradeAnswers;
  packages: AskedPackage[];
}

async function openRanges(ctx: Context, questions: readonly Question[]): Promise<OpenedRanges> {
  const answers: UpgradeAnswers = new Map();
  const packages = await choosePackages(ctx, questions, answers);
  const names = await packagesOf(ctx, packages);
  const listings = await listingsOf(ctx, names);
  const uppers = await upperBounds(ctx, packages, listings);
  const open: HistoryRequest[] = [];
  for (const [slot, question] of packages.entries()) {
    const upper = elementAt(uppers, slot);
    const range = await openRange(ctx, { requested: question.requested, of: question.of, upper }).catch(refusal);
    if (range instanceof ApiError) answers.set(question.index, range);
    else open.push({ ...question, range, upper, listing: elementAt(listings, slot) });
  }
  const histories = await readHistories(ctx, open);
  const spans: SpanQuestion[] = [];
  const empty: RangeQuestion[] = [];
  for (const [slot, { upper: _, listing: __, ...question }] of open.entries()) {
    const historyOf = elementAt(histories, slot);
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
