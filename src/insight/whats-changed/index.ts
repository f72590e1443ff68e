// What changed between two versions of a package, from what is stored alone. The rules are in `src/domain/upgrade`; here up
// to a hundred questions find their source (`resolve-targets.ts`), their package and range (`ranges.ts`), their counts
// (`tally.ts`) and their entries (`entries.ts`) side by side, in a few queries each.
import { evidenceOfRanges } from '../../catalog/evidence/evidence-of-ranges.ts';
import { resolveOrg } from '../../catalog/resolve.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { UpgradeEntry, WhatsChanged, WhatsChangedBatch } from '../../contract/whats-changed.ts';
import { elementAt } from '../../domain/records.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { BATCH_TOKENS, DEFAULT_TOKENS } from '../../domain/upgrade/budget.ts';
import { ambiguousHint, noReleasesHint, unknownHint } from '../../domain/upgrade/hints.ts';
import { isUndocumented, type JudgedRange, judgementOf } from '../../domain/upgrade/judgement.ts';
import { lookupMethod } from '../../domain/upgrade/requested-package.ts';
import { type ComparedPair, MAX_STEPS, mergeSteps } from '../../domain/upgrade/steps/merge-steps.ts';
import { answerSpans } from './answer-spans.ts';
import { unknownAnswer } from './compose.ts';
import { namedPackage, unmappedHistories, visiblePackages } from './listings.ts';
import { suggestSlugs } from './names.ts';
import type {
  AskedPackage,
  Question,
  RequestedUpgrade,
  UnjudgedAnswer,
  UpgradeAnswer,
  UpgradeAnswers,
} from './questions.ts';
import { openRanges } from './ranges.ts';
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

// The last steps of an answer: what the published packages themselves show, then what all of it says in one word, by which
// witnesses, and what the reader has to do.

interface AskedEvidence {
  index: number;
  answer: UnjudgedAnswer;
  range: { name: string; from: string; to: string };
}

// Adds to answers about npm packages what their packages show; all answers of a call share the reads.
async function withEvidence(ctx: Context, answers: UpgradeAnswers, packages: readonly AskedPackage[]): Promise<void> {
  const onNpm = packages.filter(({ named }) => named.ecosystem === 'npm');
  const seen = new Set(
    await visiblePackages(
      ctx,
      onNpm.map(({ named }) => named),
    ),
  );
  const asked = onNpm.flatMap(({ index, named }): AskedEvidence[] => {
    const answer = answers.get(index);
    if (answer === undefined || answer instanceof ApiError || !seen.has(named)) return [];
    const range = rangeOf(answer);
    return range ? [{ index, answer, range: { name: named.name, ...range } }] : [];
  });
  if (asked.length === 0) return;
  const found = await evidenceOfRanges(
    ctx,
    asked.map(({ range }) => range),
  );
  for (const [slot, { index, answer }] of asked.entries()) {
    const { evidence, byVersion } = elementAt(found, slot);
    const entries = byVersion.size === 0 ? answer.entries : answer.entries.map((entry) => shown(entry, byVersion));
    answers.set(index, { ...answer, entries, evidence });
  }
}

const NOTHING_BETWEEN: ReadonlySet<WhatsChanged['reason']> = new Set(['same_version', 'up_to_date', 'ambiguous']);

function rangeOf({ fromVersion, toVersion, reason }: UnjudgedAnswer): { from: string; to: string } | null {
  if (fromVersion === null || toVersion === null || NOTHING_BETWEEN.has(reason)) return null;
  return { from: fromVersion, to: toVersion };
}

function shown(entry: UpgradeEntry, byVersion: ReadonlyMap<string, { proven: number; likely: number }>): UpgradeEntry {
  const counts = entry.version === null ? undefined : byVersion.get(readBound(entry.version).version);
  return counts ? { ...entry, evidence: { counts } } : entry;
}

// The steps of all answers of a call together; each has room for a few.
const STEPS_OF_CALL = 500;
const MIN_STEPS = 5;

type SeenEvidence = NonNullable<JudgedRange['evidence']> & { pairs: readonly ComparedPair[] };

function judged({ told, ...answer }: UnjudgedAnswer, evidence: SeenEvidence | null, questions: number): WhatsChanged {
  const { status, reason, total, summary, history } = answer;
  const range = { status, reason, verdicts: summary.breaking, total, isComplete: history?.complete === true, evidence };
  const steps = stepsOf({ told, ...answer }, evidence);
  const room = questions === 1 ? MAX_STEPS : Math.max(MIN_STEPS, Math.floor(STEPS_OF_CALL / questions));
  const shown = steps.slice(0, room);
  return {
    ...answer,
    judgement: judgementOf(range),
    judgedBy: [...(total > 0 ? (['notes'] as const) : []), ...(isCompared(evidence) ? (['package'] as const) : [])],
    undocumented: isUndocumented(range),
    steps: shown,
    ...(shown.length < steps.length ? { moreSteps: steps.length - shown.length } : {}),
  };
}

function isCompared(evidence: SeenEvidence | null): boolean {
  return evidence !== null && (evidence.pairs.length > 0 || ['compared', 'no_types'].includes(evidence.status));
}

function stepsOf(answer: UnjudgedAnswer, evidence: SeenEvidence | null) {
  const { told, entries, fromVersion: from, toVersion: to, total } = answer;
  const asking = new Map(told.map((one) => [one.id, one.steps]));
  const listed = new Set(entries.map(({ id }) => id));
  return mergeSteps({
    entries: [
      ...told.filter(({ id }) => !listed.has(id)),
      ...entries.map(({ id, version }) => ({ id, version, steps: asking.get(id) ?? [] })),
    ],
    pairs: evidence?.pairs ?? [],
    range: { from, to, isOneStep: Math.max(total, answer.history?.published ?? 0) <= 1 },
  });
}
