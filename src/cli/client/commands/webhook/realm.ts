// Whose webhooks a command is about: the commands of an account and of the operator differ in their path alone.
import type { Argument } from '../../../command.ts';
import { path } from '../../api.ts';

export interface WebhookRealm {
  // First words of the commands.
  prefix: string;
  path: string;
  // Of the operator: paged, and always for an org.
  isOperator: boolean;
}

export const WEBHOOK: Argument = { name: 'id', help: 'id of the webhook' };

export function webhookPath(realm: WebhookRealm, id: string | undefined): string {
  return `${realm.path}${path`/${id ?? ''}`}`;
}
