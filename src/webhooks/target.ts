// Checks whether a webhook's address may be contacted, when it is set and again before every attempt.
import type { Context } from '../context.ts';
import type { SavedWebhook } from '../contract/webhooks.ts';
import type { RefusalReason } from '../domain/net/target.ts';
import type { WebhookFormat } from '../domain/webhooks/format.ts';
import { formatRefusal, targetKey, WEBHOOK_TARGET } from '../domain/webhooks/target.ts';
import { refuseForFormat, refuseUrl } from './refusals.ts';

type TargetCheck =
  // The address as it is stored: normalised, without fragment.
  | { ok: true; url: string; addresses: readonly string[] }
  // The name is allowed, but has no address now.
  | { ok: true; url: string; unresolved: string }
  | { ok: false; reason: RefusalReason };

export async function checkTarget(ctx: Pick<Context, 'guard'>, url: string): Promise<TargetCheck> {
  const verdict = await ctx.guard(url, WEBHOOK_TARGET);
  if (verdict.ok) return { ok: true, url: verdict.target.url.href, addresses: verdict.target.addresses };
  if (verdict.reason !== 'unresolved') return { ok: false, reason: verdict.reason };
  return { ok: true, url: withoutFragment(url), unresolved: verdict.detail };
}

function withoutFragment(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

export interface WebhookAddress {
  url: string;
  target: string;
  warnings: SavedWebhook['warnings'];
}

// Resolves the host name, so it must not be called in a transaction.
export async function requireAddress(ctx: Context, url: string, format: WebhookFormat): Promise<WebhookAddress> {
  const check = await checkTarget(ctx, url);
  if (!check.ok) throw refuseUrl(check.reason);
  requireFitting(check.url, format);
  const warnings = 'unresolved' in check ? (['url_unresolved'] as const) : undefined;
  return { url: check.url, target: targetKey(check.url), warnings: warnings && [...warnings] };
}

export function requireFitting(url: string, format: WebhookFormat): void {
  const refusal = formatRefusal(format, url);
  if (refusal) throw refuseForFormat(refusal, format);
}
