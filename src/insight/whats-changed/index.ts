// What changed between two versions of a package, from what is stored alone. The rules are in `src/domain/upgrade`; here
// questions find their source (`resolve-targets.ts`), their package and range (`open-ranges.ts`), their counts
// (`tally.ts`) and their entries (`entries.ts`), all questions of a call side by side.
import { resolveOrg } from '../../catalog/resolve.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { WhatsChanged, WhatsChangedBatch } from '../../contract/whats-changed.ts';
import { BATCH_TOKENS, DEFAULT_TOKENS } from '../../domain/upgrade/budget.ts';
import { answerQuestions } from './answer.ts';
import type { RequestedUpgrade } from './questions.ts';

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
