// What changed between two versions of a package, from what is stored alone. The rules are in `src/domain/upgrade`; here up
// to a hundred questions find their source (`resolve-targets.ts`), their package and range (`ranges.ts`), their counts
// (`tally.ts`) and their entries (`entries.ts`) side by side, in a few queries each.

import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { UpgradeEntry, WhatsChanged, WhatsChangedBatch } from '../../contract/whats-changed.ts';
import { type Ecosystem, isComparedEcosystem } from '../../domain/ecosystems/index.ts';
import type { Asker } from '../../domain/readings/reading.ts';
import { elementAt } from '../../domain/records.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { BATCH_TOKENS, DEFAULT_TOKENS } from '../../domain/upgrade/budget.ts';
import { ambiguousHint, noReleasesHint, unknownHint } from '../../domain/upgrade/hints.ts';
import { isUndocumented, judgementOf, witnessesOf } from '../../domain/upgrade/judgement.ts';
import { lookupMethod } from '../../domain/upgrade/requested-package.ts';
import { cutSteps, MAX_STEPS, mergeSteps } from '../../domain/upgrade/steps/merge-steps.ts';
import { isLatest, readAskedRange } from '../../domain/upgrade/version-range.ts';
import { resolveOrg } from '../../entities/resolve.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { countsByVersion, evidenceOfRanges } from '../evidence/evidence-of-ranges.ts';
import { withAdvisories } from './advisories.ts';
import { answerSpans } from './answer-spans.ts';
import { unknownAnswer, upToDateAnswer } from './compose.ts';
import { namedPackage, type UnmappedHistory, unmappedHistories, visiblePackages } from './listings.ts';
import { suggestNames } from './names.ts';
import { noteAsked } from './note-asked.ts';
import { withReadings } from './order-readings.ts';
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
import { provenBesideNotes } from './silent-notes.ts';
import { unknownTag, withTaggedVersions } from './tags.ts';

interface UpgradeQuestion extends RequestedUpgrade {
  // Looks for the slug in this org alone.
  org?: string;
  tokens?: number;
  // All findings of the packages, of which there may be thousands.
  findings?: 'all' | undefined;
}

export async function whatsChanged(
  ctx: Context,
  question: UpgradeQuestion,
  asker: Asker = 'api',
): Promise<WhatsChanged> {
  const { org, tokens = DEFAULT_TOKENS, findings, ...requested } = question;
  const orgId = org === undefined ? undefined : (await resolveOrg(ctx, org, { parameter: 'org' })).id;
  const [answer] = await answerQuestions(ctx, [{ ...requested, orgId }], {
    tokens,
    asker,
    findings,
  });
  if (answer === undefined || answer instanceof ApiError) throw answer;
  noteAsked(ctx, answer);
  return answer;
}

export async function whatsChangedBatch(
  ctx: Context,
  input: { items: readonly RequestedUpgrade[] },
  // Null for questions that order no readings.
  asker: Asker | null = 'api',
): Promise<WhatsChangedBatch> {
  const answers = await answerQuestions(ctx, input.items, { tokens: BATCH_TOKENS, asker });
  const items = answers.map((answer, index) =>
    answer instanceof ApiError ? { index, error: answer.toBody().error } : { index, ...answer },
  );
  return { items, truncated: items.some((item) => 'truncated' in item && item.truncated) };
}

// The same for who cannot ask again: what is too much together with the others is asked by itself.
export async function whatsChangedOfAll(
  ctx: Context,
  questions: readonly RequestedUpgrade[],
  asker: Asker | null = 'list',
): Promise<WhatsChangedBatch['items']> {
  const { items } = await whatsChangedBatch(ctx, { items: questions }, asker);
  for (const [index, item] of items.entries()) {
    if (!('error' in item) || item.error.code !== 'payload_too_large') continue;
    const [answer] = (await whatsChangedBatch(ctx, { items: [elementAt(questions, index)] }, asker)).items;
    if (answer) items[index] = { ...answer, index };
  }
  return items;
}

// The answers in the order of the questions. With `orgId`, slugs are looked up in that org alone.
async function answerQuestions(
  ctx: Context,
  upgrades: readonly (RequestedUpgrade & { orgId?: string })[],
  { tokens, asker, findings }: { tokens: number; asker: Asker | null; findings?: 'all' | undefined },
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
  const packages = [...opened.packages, ...unmappedPackages(questions, answers)];
  await withEvidence(ctx, { answers: all, packages, all: findings === 'all' });
  await withAdvisories(ctx, all, packages);
  const unjudged = [...all].flatMap(([index, answer]) =>
    answer instanceof ApiError ? [] : ([[index, answer]] as const),
  );
  const besideNotes = await provenBesideNotes(ctx, unjudged);
  const judgements: (WhatsChanged | ApiError)[] = [];
  for (const { index } of questions) {
    await endLongTurn();
    const answer = answerOf(all, index);
    const { from, to } = elementAt(upgrades, index);
    const judging = { questions: questions.length, isProvenBesideNote: besideNotes.has(index) };
    judgements.push(answer instanceof ApiError ? answer : judged({ ...answer, from, to }, judging));
  }
  return asker === null ? judgements : withReadings(ctx, { questions, answers: judgements, packages, asker });
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
  const open = questions.filter(({ target }) => (target.source?.releaseCount ?? 0) === 0);
  if (open.length === 0) return answers;
  const unknown = await withTaggedVersions(ctx, open, open.map(namedPackage));
  const lost = unknown.filter(({ target }) => target.source === null);
  const near = await suggestNames(
    ctx,
    lost.map(({ requested }) => requested),
  );
  const close = new Map(lost.map(({ index }, slot) => [index, elementAt(near, slot)]));
  const published = await unmappedHistories(ctx, unknown);
  for (const question of unknown) {
    const { index, requested, method, target } = question;
    const history = unknownTag(question) ?? published.get(index);
    if (history instanceof ApiError) {
      answers.set(index, history);
      continue;
    }
    // Its registry lists nothing newer, whatever is stored of it.
    if (history && isAtLatest(requested, history)) {
      answers.set(index, upToDateAnswer(requested, target, history));
    } else if (target.source === null) {
      const { reason, detail, candidates, suggested } = target;
      const slugs = [suggested?.slug ?? [], close.get(index) ?? []].flat();
      const suggestions = [...new Set(slugs)].slice(0, MAX_SUGGESTIONS);
      const hint = reason === 'ambiguous' ? ambiguousHint(requested.package) : unknownHint(method, requested.package);
      const found = { reason, detail, hint, suggestions, candidates, published: history };
      answers.set(index, unknownAnswer(requested, target, found));
    } else {
      const hint = noReleasesHint(target.source);
      const found = { reason: 'no_releases', hint, published: history } as const;
      answers.set(index, unknownAnswer(requested, target, found));
    }
  }
  return answers;
}

function isAtLatest({ from, to }: RequestedUpgrade, { toVersion }: UnmappedHistory): boolean {
  const [own, latest] = [readBound(from), readBound(toVersion ?? '')];
  return isLatest(to) && own.key !== null && own.key === latest.key && readAskedRange(from) === null;
}

// The last steps of an answer: what the published packages themselves show, then what all of it says in one word, by which
// witnesses, and what the reader has to do.

interface AskedEvidence {
  index: number;
  answer: UnjudgedAnswer;
  range: { ecosystem: Ecosystem; name: string; from: string; to: string };
}

// Adds what the packages show, where packages of their ecosystem are compared; all answers of a call share the reads.
async function withEvidence(
  ctx: Context,
  { answers, packages, all }: { answers: UpgradeAnswers; packages: readonly AskedPackage[]; all: boolean },
): Promise<void> {
  const comparable = packages.filter(({ named }) => isComparedEcosystem(named.ecosystem));
  const seen = new Set(
    await visiblePackages(
      ctx,
      comparable.map(({ named }) => named),
    ),
  );
  const asked = comparable.flatMap(({ index, named }): AskedEvidence[] => {
    const answer = answers.get(index);
    if (answer === undefined || answer instanceof ApiError || !seen.has(named)) return [];
    const range = rangeOf(answer);
    return range ? [{ index, answer, range: { ecosystem: named.ecosystem, name: named.name, ...range } }] : [];
  });
  if (asked.length === 0) return;
  const found = await evidenceOfRanges(
    ctx,
    asked.map(({ range }) => range),
    { all },
  );
  for (const [slot, { index, answer }] of asked.entries()) {
    await endLongTurn();
    const { evidence, compared, known } = elementAt(found, slot);
    const entries = answer.entries.length === 0 ? [] : shownEntries(answer.entries, countsByVersion(known));
    answers.set(index, { ...answer, entries, evidence, compared });
  }
}

const NOTHING_BETWEEN: ReadonlySet<WhatsChanged['reason']> = new Set(['same_version', 'up_to_date', 'ambiguous']);

function rangeOf({ fromVersion, toVersion, reason }: UnjudgedAnswer): { from: string; to: string } | null {
  if (fromVersion === null || toVersion === null || NOTHING_BETWEEN.has(reason)) return null;
  return { from: fromVersion, to: toVersion };
}

function shownEntries(
  entries: readonly UpgradeEntry[],
  byVersion: ReadonlyMap<string, { proven: number; likely: number }>,
): UpgradeEntry[] {
  return entries.map((entry) => {
    const counts = entry.version === null ? undefined : byVersion.get(readBound(entry.version).version);
    return counts ? { ...entry, evidence: { counts } } : entry;
  });
}

// The steps of all answers of a call together; each has room for a few.
const STEPS_OF_CALL = 500;
const MIN_STEPS = 5;

interface Judging {
  questions: number;
  isProvenBesideNote: boolean;
}

function judged(unjudged: UnjudgedAnswer, { questions, isProvenBesideNote }: Judging): WhatsChanged {
  const { told: _, compared: __, notesIn: ___, byVersion, leftBreaks, ...answer } = unjudged;
  const { status, reason, total, summary, history, evidence = null } = answer;
  const isComplete = history?.complete === true;
  const { breaking } = summary;
  const [major, minor] = [breaking.major + leftBreaks.major, breaking.minor + leftBreaks.minor];
  const verdicts = { ...breaking, major, minor };
  const range = { status, reason, verdicts, total, isComplete, evidence, isProvenBesideNote };
  const steps = stepsOf(unjudged);
  const room = questions === 1 ? MAX_STEPS : Math.max(MIN_STEPS, Math.floor(STEPS_OF_CALL / questions));
  return {
    ...answer,
    judgement: judgementOf(range),
    judgedBy: witnessesOf({
      total: total + leftBreaks.major + leftBreaks.minor,
      major,
      byVersion,
      isCompared: isCompared(evidence),
    }),
    undocumented: isUndocumented(range),
    ...cutSteps(steps, room),
  };
}

function isCompared(evidence: WhatsChanged['evidence'] | null): boolean {
  return evidence != null && (evidence.pairs.length > 0 || ['compared', 'no_types'].includes(evidence.status));
}

function stepsOf({ told, entries, compared, fromVersion: from, toVersion: to }: UnjudgedAnswer) {
  const asking = new Map(told.map((one) => [one.id, one.steps]));
  const listed = new Set(entries.map(({ id }) => id));
  return mergeSteps({
    entries: [
      ...told.filter(({ id }) => !listed.has(id)),
      ...entries.map(({ id, version }) => ({ id, version, steps: asking.get(id) ?? [] })),
    ],
    pairs: compared,
    range: { from, to },
  });
}
