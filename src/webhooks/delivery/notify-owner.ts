// Mails the owner of a subscription that it was disabled, when mail is configured.
import type { Mailer } from '../../accounts/auth/mail.ts';
import { type Context, queries } from '../../context.ts';
import { shownHost } from '../../domain/webhooks/target.ts';
import type { DisabledSubscription } from './tally.ts';

export async function notifyOwner(
  ctx: Context,
  mailer: Mailer,
  { subscription, reason }: DisabledSubscription,
): Promise<void> {
  if (!mailer.available || subscription.user_id === null) return;
  const user = await queries(ctx)
    .selectFrom('users')
    .select('email')
    .where('id', '=', subscription.user_id)
    .executeTakeFirst();
  if (!user) return;
  await mailer.send({
    to: user.email,
    subject: 'a webhook was disabled',
    lines: [
      // Only the host is named: the path can be a secret.
      `Your webhook to ${shownHost(subscription.url)} was ${reason}.`,
      'Nothing more is sent to it. Once the receiver works again, enable it and ask for what it has missed:',
      `${ctx.config.webUrl}/account/webhooks/${subscription.id}`,
    ],
  });
}
