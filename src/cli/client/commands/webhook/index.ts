// Webhook commands: for an account, and under another path for the operator.
import type { Command } from '../../../command.ts';
import { deliveryCommands } from './deliveries.ts';
import type { WebhookRealm } from './realm.ts';
import { deletionCommand, subscriptionCommands } from './subscriptions.ts';

function webhookCommandsOf(realm: WebhookRealm): Command[] {
  return [...subscriptionCommands(realm), ...deliveryCommands(realm), deletionCommand(realm)];
}

export const webhookCommands = webhookCommandsOf({ prefix: 'webhook', path: '/v1/me/webhooks', isOperator: false });
export const adminWebhookCommands = webhookCommandsOf({
  prefix: 'admin webhook',
  path: '/v1/webhooks',
  isOperator: true,
});
