// The owner of the webhooks: the commands of an account and of the operator differ only in their path.
import type { Argument } from '../../../command.ts';
import { path } from '../../api.ts';

export interface WebhookRealm {
  // The first words of the commands.
  prefix: string;
  path: string;
  // The operator's lists are paged, and the operator's webhooks always belong to an org.
  isOperator: boolean;
}

export const WEBHOOK: Argument = { name: 'id', help: 'id of the webhook' };

export function webhookPath(realm: WebhookRealm, id: string | undefined): string {
  return `${realm.path}${path`/${id ?? ''}`}`;
}
