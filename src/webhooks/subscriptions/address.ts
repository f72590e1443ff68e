// The address of a subscription when it is set: may it be contacted, and is it one of the chat service's own?
import type { Context } from '../../context.ts';
import type { SavedWebhook } from '../../contract/webhooks.ts';
import type { WebhookFormat } from '../../domain/webhooks/format.ts';
import { formatRefusal, targetKey } from '../../domain/webhooks/target.ts';
import { refuseUrl } from '../refusals.ts';
import { checkTarget } from '../target.ts';

export interface WebhookAddress {
  url: string;
  target: string;
  warnings: SavedWebhook['warnings'];
}

// Looks a name up, so it is called outside of transactions.
export async function requireAddress(ctx: Context, url: string, format: WebhookFormat): Promise<WebhookAddress> {
  const check = await checkTarget(ctx, url);
  if (!check.ok) throw refuseUrl(check.reason);
  requireFitting(check.url, format);
  const warnings = 'unresolved' in check ? (['url_unresolved'] as const) : undefined;
  return { url: check.url, target: targetKey(check.url), warnings: warnings && [...warnings] };
}

export function requireFitting(url: string, format: WebhookFormat): void {
  const refusal = formatRefusal(format, url);
  if (refusal) throw refuseUrl(refusal);
}
