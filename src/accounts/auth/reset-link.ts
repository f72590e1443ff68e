// The link by which somebody chooses a new password: mailed, or printed by the operator where there is no mail.
import type { Config } from '../../config.ts';
import { type Context, now, transact } from '../../context.ts';
import { randomBase62 } from '../../domain/secret-text.ts';
import { storedForm } from './grants.ts';
import { newAccountId } from './ids.ts';

const LIFETIME_MS = 3_600_000;
const TOKEN_LENGTH = 32;

export function resetLink({ webUrl }: Pick<Config, 'webUrl'>, token: string): string {
  return `${webUrl}/reset-password?token=${encodeURIComponent(token)}`;
}

// The identifier under which the sign-in library stores the token.
export function resetIdentifier(token: string): string {
  return storedForm(`reset-password:${token}`);
}

export function createResetLink(ctx: Context, input: { userId: string }): Promise<string> {
  return transact(
    ctx,
    async (ctx) => {
      const token = randomBase62(TOKEN_LENGTH, ctx.randomBytes);
      const at = now(ctx);
      await ctx.tx
        .insertInto('verifications')
        .values({
          id: newAccountId('verification', ctx.randomBytes),
          identifier: resetIdentifier(token),
          value: input.userId,
          created_at: at,
          updated_at: at,
          expires_at: new Date(ctx.clock().getTime() + LIFETIME_MS).toISOString(),
        })
        .execute();
      return resetLink(ctx.config, token);
    },
    'bookkeeping',
  );
}
