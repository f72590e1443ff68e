// When an account wants digest mails, and what they tell. Off until its owner switches them on.
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import type { DigestInput, DigestSettings } from '../../contract/digest.ts';
import { ApiError } from '../../contract/errors.ts';
import { nextDigest } from '../../domain/digest-mail/schedule.ts';
import { readCounter } from '../../store/counters.ts';
import type { DigestSettingsRow } from '../../store/schema/digest.ts';
import { ownAccount } from '../describe-caller.ts';
import { seal, unseal } from '../sealing.ts';

const DEFAULTS = { cadence: 'off', weekday: 1, hour: 8, zone: 'UTC' } as const;

export async function readDigest(ctx: Context): Promise<DigestSettings> {
  const { userId } = ownAccount(ctx);
  const row = await settingsOf(ctx, userId);
  const user = await queries(ctx)
    .selectFrom('users')
    .select('email_verified')
    .where('id', '=', userId)
    .executeTakeFirst();
  return {
    cadence: row?.cadence ?? DEFAULTS.cadence,
    weekday: row?.weekday ?? DEFAULTS.weekday,
    hour: row?.hour ?? DEFAULTS.hour,
    zone: row?.zone ?? DEFAULTS.zone,
    minBreaking: row?.min_breaking ?? null,
    minImportance: row?.min_importance ?? null,
    security: row?.security === 1,
    isAvailable: ctx.config.mail !== null,
    isVerified: user?.email_verified === 1,
    nextAt: row?.next_at ?? null,
    stoppedReason: row?.stopped_reason ?? null,
  };
}

// What came before it was switched on is no news.
export async function putDigest(ctx: Context, input: DigestInput): Promise<DigestSettings> {
  const { userId } = ownAccount(ctx);
  const before = await readDigest(ctx);
  if (input.cadence !== 'off' && !before.isAvailable) {
    throw new ApiError('service_unavailable', 'this registry sends no mail');
  }
  if (input.cadence !== 'off' && !before.isVerified) {
    throw new ApiError('forbidden', 'verify the address of the account first', { reason: 'address_unverified' });
  }
  await transact(
    ctx,
    async (ctx) => {
      const times = {
        cadence: input.cadence,
        weekday: input.weekday ?? before.weekday,
        hour: input.hour ?? before.hour,
        zone: input.zone ?? before.zone,
      };
      const at = now(ctx);
      const columns = {
        ...times,
        min_breaking: input.minBreaking ?? null,
        min_importance: input.minImportance ?? null,
        security: input.security ? (1 as const) : (0 as const),
        next_at: nextDigest(times, ctx.clock())?.toISOString() ?? null,
        bounces: 0,
        stopped_reason: null,
        updated_at: at,
      };
      const isFresh = before.cadence === 'off' && input.cadence !== 'off';
      const start = { event_seq: await readCounter(ctx.tx, 'event_seq'), told_at: at };
      await ctx.tx
        .insertInto('digest_settings')
        .values({ user_id: userId, ...columns, ...start, created_at: at })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...columns, ...(isFresh && start) }))
        .execute();
      if (isFresh) await tellNothingOld(ctx, userId);
    },
    'bookkeeping',
  );
  return readDigest(ctx);
}

async function tellNothingOld(ctx: WriteContext, userId: string): Promise<void> {
  const stacks = ctx.tx.selectFrom('stacks').select('id').where('user_id', '=', userId);
  await ctx.tx
    .updateTable('stack_packages')
    .set((eb) => ({ told_target: eb.ref('target') }))
    .where('stack_id', 'in', stacks)
    .where('judged_at', 'is not', null)
    .execute();
}

async function settingsOf(ctx: Context, userId: string): Promise<DigestSettingsRow | undefined> {
  return queries(ctx).selectFrom('digest_settings').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

// The text in the link of a mail that stops it: nobody else can make one, and it tells nothing.
export function offToken(ctx: Context, userId: string): string {
  return Buffer.from(seal(ctx, OFF, Buffer.from(userId)), 'base64').toString('base64url');
}

const OFF = { info: 'digest-off/1', belongsTo: 'digest' };

// Null for a token that nobody has made here.
export function userOfToken(ctx: Context, token: string): string | null {
  const value = unseal(ctx, OFF, Buffer.from(token.slice(0, 500), 'base64url').toString('base64'));
  return value === null ? null : Buffer.from(value).toString();
}

// Also takes back mails that wait. A second call changes nothing.
export async function stopDigest(ctx: Context, userId: string): Promise<void> {
  const off = { cadence: 'off', next_at: null, updated_at: now(ctx) } as const;
  await transact(
    ctx,
    async ({ tx }) => {
      await tx.updateTable('digest_settings').set(off).where('user_id', '=', userId).execute();
      await tx.deleteFrom('digest_mails').where('user_id', '=', userId).execute();
    },
    'bookkeeping',
  );
}
