// Hands waiting digests over to the mail server. A mail goes from the table after the server has taken it, so that a kill in
// between may repeat one, under the same message id, and never loses one.
import { type Context, now, queries, transact } from '../../context.ts';
import type { DigestMailRow } from '../../store/schema/digest.ts';
import type { Mailer } from '../auth/mail.ts';

const LEASE_MS = 5 * 60_000;
const FIRST_WAIT_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 6 * 3_600_000;
const GIVEN_UP_AFTER_MS = 7 * 86_400_000;
const MOST_BOUNCES = 3;

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
    await forget(ctx, mail, null);
    return true;
  }
  try {
    await mailer.deliver({
      to: user.email,
      subject: mail.subject,
      text: mail.text_part,
      html: mail.html_part,
      messageId: `<${mail.id}>`,
      headers: {
        'List-Unsubscribe': `<${mail.unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
    await forget(ctx, mail, 0);
  } catch (err) {
    ctx.log.warn({ err }, 'a digest could not be sent');
    await (isRefused(err) ? bounced(ctx, mail) : retryLater(ctx, mail));
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

// `bounces`: how many there are in a row now; null leaves the count.
async function forget(ctx: Context, { id, user_id }: DigestMailRow, bounces: number | null): Promise<void> {
  await transact(
    ctx,
    async ({ tx }) => {
      await tx.deleteFrom('digest_mails').where('id', '=', id).execute();
      if (bounces === null) return;
      const isOver = bounces >= MOST_BOUNCES;
      const stopped_reason = `switched off after ${bounces} mails in a row were refused`;
      const off = { cadence: 'off', next_at: null, stopped_reason } as const;
      await tx
        .updateTable('digest_settings')
        .set({ bounces, ...(isOver && off) })
        .where('user_id', '=', user_id)
        .execute();
    },
    'bookkeeping',
  );
}

async function bounced(ctx: Context, mail: DigestMailRow): Promise<void> {
  const row = await queries(ctx)
    .selectFrom('digest_settings')
    .select('bounces')
    .where('user_id', '=', mail.user_id)
    .executeTakeFirst();
  await forget(ctx, mail, (row?.bounces ?? 0) + 1);
}

async function retryLater(ctx: Context, mail: DigestMailRow): Promise<void> {
  const at = ctx.clock().getTime();
  if (at - Date.parse(mail.created_at) > GIVEN_UP_AFTER_MS) return forget(ctx, mail, null);
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** mail.attempts);
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
