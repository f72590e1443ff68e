// Stored answers that no longer hold: those about packages of a private registry go at once, for whoever may not see it.
import { type RawBuilder, sql } from 'kysely';
import type { WriteContext } from '../../context.ts';

interface ForgottenAnswers {
  // The rows of packages that are meant, in a query over one table with `ecosystem` and `name`.
  packages: RawBuilder<boolean>;
  // The scope whose admitted accounts keep theirs; null: everybody's go.
  admittedTo: string | null;
}

const UNASKED = { target: null, target_at: null, judgement: null, security: 0, answer: null, judged_at: null } as const;

export async function forgetStackAnswers(ctx: WriteContext, { packages, admittedTo }: ForgottenAnswers): Promise<void> {
  const kept = sql<boolean>`stack_id IN (SELECT k.id FROM stacks k
    JOIN package_admissions a ON a.user_id = k.user_id WHERE a.scope = ${admittedTo ?? ''})`;
  await ctx.tx
    .updateTable('stack_packages')
    .set({ ...UNASKED, seen_target: null, told_target: null })
    .where(packages)
    .where(sql<boolean>`NOT (${kept})`)
    .execute();
}
