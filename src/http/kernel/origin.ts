// Requests that a browser authenticates by itself must come from a page that is trusted.
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config.ts';
import { ApiError } from '../../contract/errors.ts';

export function requireTrustedOrigin(config: Pick<Config, 'trustedOrigins'>, headers: IncomingHttpHeaders): void {
  const origin = originOf(headers);
  if (origin !== null && config.trustedOrigins.includes(origin)) return;
  throw new ApiError('forbidden', 'the request comes from a page that is not trusted', { reason: 'origin' });
}

// The page that sent the request, as far as its browser tells; a browser that hides it says `null`.
export function originOf({ origin, referer }: IncomingHttpHeaders): string | null {
  if (origin !== undefined) return origin;
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : null;
}
