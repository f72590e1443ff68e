// Answers up to a hundred upgrade questions together: sources, packages, ranges and entries of all of them are read in a few
// queries each.
import type { Context } from '../../context.ts';
import { elementAt } from '../../domain/records.ts';
import { lookupMethod } from '../../domain/upgrade/asked.ts';
import { ambiguousHint, noReleasesHint, unknownHint } from '../../domain/upgrade/hints.ts';
import { answerSpans } from './answer-spans.ts';
import { unknownAnswer } from './compose.ts';
import { suggestSlugs } from './names.ts';
import { openRanges } from './open-ranges.ts';
import type { Question, RequestedUpgrade, UpgradeAnswer, UpgradeAnswers } from './questions.ts';
import { resolveTargets } from './resolve-targets.ts';

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
