// Hands waiting digests over to the mail server. A mail goes from the table after the server has taken it, so that a kill in
// between may repeat one, under the same message id, and never loses one.

import { type Context, now, queries, transact } from '../../context.ts';
import { DIGEST_COUNTER } from '../../packages/work-figures.ts';
import { addToCounter } from '../../store/counters.ts';
import type { DigestMailRow } from '../../store/schema/digest.ts';
import type { Mailer } from '../auth/mail.ts';
import { writeDigest } from './write-mail.ts';

const LEASE_MS = 5 * 60_000;
const FIRST_WAIT_MS = 5 * 60_000;
const MAX_WAIT_MS = 6 * 3_600_000;
const GIVEN_UP_AFTER_MS = 7 * 86_400_000;
const MAX_BOUNCES = 3;

// Returns whether there was one.
export async function sendNextDigest(ctx: Context, mailer: Mailer): Promise<boolean> {
  if (!mailer.available) return false;
  const mail = await claim(ctx);
  if (!mail) return false;
  const user = await queries(ctx)
    .selectFrom('users')
    .select(['email', 'email_verified', 'disabled_at'])
    .where('id', '=', mail.user_id)
    .executeTakeFirst();
  if (user?.email_verified !== 1 || user.disabled_at !== null) {
    await settle(ctx, mail, 'not_wanted');
    return true;
  }
  try {
    const written = await writeDigest(ctx, mail);
    if (written === null) {
      await settle(ctx, mail, 'nothing_left');
      return true;
    }
    const { unsubscribe, ...parts } = written;
    await mailer.deliver({
      to: user.email,
      ...parts,
      messageId: `<${mail.id}>`,
      headers: {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
    await settle(ctx, mail, 'sent');
  } catch (err) {
    ctx.log.warn({ err }, 'a digest could not be sent');
    await (isRefused(err) ? settle(ctx, mail, 'refused') : retryLater(ctx, mail));
  }
  return true;
}

async function claim(ctx: Context): Promise<DigestMailRow | undefined> {
  const at = now(ctx);
  const lease_until = new Date(ctx.clock().getTime() + LEASE_MS).toISOString();
  return transact(
    ctx,
    async ({ tx, store }) => {
      await store.dialect.lock(tx, 'digest mails');
      const mail = await tx
        .selectFrom('digest_mails')
        .selectAll()
        .where('due_at', '<=', at)
        .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', at)]))
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst();
      if (mail) await tx.updateTable('digest_mails').set({ lease_until }).where('id', '=', mail.id).execute();
      return mail;
    },
    'bookkeeping',
  );
}

type Outcome = 'sent' | 'refused' | 'given_up' | 'not_wanted' | 'nothing_left';

// The mail goes. Refusals are counted until one is taken.
async function settle(ctx: Context, { id, user_id }: DigestMailRow, outcome: Outcome): Promise<void> {
  await transact(
    ctx,
    async ({ tx }) => {
      await tx.deleteFrom('digest_mails').where('id', '=', id).execute();
      await addToCounter(tx, `${DIGEST_COUNTER}${outcome}`, 1);
      const own = tx.updateTable('digest_settings').where('user_id', '=', user_id);
      if (outcome === 'sent') await own.set({ bounces: 0 }).execute();
      if (outcome !== 'refused') return;
      const [row] = await own
        .set((eb) => ({ bounces: eb('bounces', '+', 1) }))
        .returning('bounces')
        .execute();
      if (!row || row.bounces < MAX_BOUNCES) return;
      const stopped_reason = `switched off after ${row.bounces} mails in a row were refused`;
      await own.set({ cadence: 'off', next_at: null, stopped_reason }).execute();
    },
    'bookkeeping',
  );
}

async function retryLater(ctx: Context, mail: DigestMailRow): Promise<void> {
  const at = ctx.clock().getTime();
  if (at - Date.parse(mail.created_at) > GIVEN_UP_AFTER_MS) return settle(ctx, mail, 'given_up');
  const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** mail.attempts);
  const due_at = new Date(at + wait).toISOString();
  const changed = { due_at, attempts: mail.attempts + 1, lease_until: null };
  await transact(
    ctx,
    ({ tx }) => tx.updateTable('digest_mails').set(changed).where('id', '=', mail.id).execute(),
    'bookkeeping',
  );
}

// The server refused the address or the mail for good. A server that refuses whoever signs in is at fault itself.
function isRefused(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: number; command?: string };
  const isOurs = command === 'AUTH' || command === 'CONN' || command === 'EHLO' || command === 'MAIL FROM';
  return responseCode !== undefined && responseCode >= 500 && responseCode < 600 && !isOurs;
}
