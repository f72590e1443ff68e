// Redirects: which are followed, where they lead, and what goes along.
import { type HeaderRecord, withoutCredentials } from './headers.ts';
import type { Exchange } from './request.ts';
import type { Redirect, RequestFailure } from './result.ts';
import type { FetchTrip, PreparedRequest } from './trip.ts';

const FOLLOWED = new Set([301, 302, 303, 307, 308]);

function isRedirect(status: number): boolean {
  return FOLLOWED.has(status);
}

type NextHop = { ok: true; url: URL } | { ok: false; failure: RequestFailure };

interface RedirectAnswer {
  from: URL;
  headers: HeaderRecord;
  followed: readonly Redirect[];
  max: number;
}

// Where a redirect leads, or why it is not followed. Whether the new target may be contacted is the guard's to say.
function nextHop({ from, headers, followed, max }: RedirectAnswer): NextHop {
  if (followed.length >= max) return refuse('too_many', `more than ${max} redirects`);
  const url = URL.parse(utf8(headers.location ?? ''), from.href);
  if (url === null || headers.location === undefined)
    return refuse('bad_location', 'redirect without a usable location');
  url.hash = '';
  if (from.protocol === 'https:' && url.protocol === 'http:') return refuse('downgrade', 'redirect from https to http');
  const seen = url.href === from.href || followed.some((redirect) => redirect.from === url.href);
  return seen ? refuse('loop', 'redirect in a circle') : { ok: true, url };
}

// Header bytes arrive as Latin-1; many servers write UTF-8 into a location.
function utf8(text: string): string {
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? text : decoded;
}

function refuse(code: Extract<RequestFailure, { failure: 'redirect' }>['code'], detail: string): NextHop {
  return { ok: false, failure: { failure: 'redirect', code, detail } };
}

// Moves the trip to the next hop, or returns why it ends.
export async function redirect(
  order: PreparedRequest,
  trip: FetchTrip,
  exchange: Exchange & { ok: true },
): Promise<RequestFailure | null> {
  const from = trip.url;
  const next = nextHop({
    from,
    headers: exchange.headers,
    followed: trip.redirects,
    max: order.rules.limits.maxRedirects,
  });
  if (!next.ok) return next.failure;
  if (order.mayRedirect && !(await order.mayRedirect(from, next.url))) {
    return { failure: 'redirect', code: 'unwanted', detail: 'redirect to an address that is not wanted' };
  }
  if (next.url.origin !== from.origin) trip.headers = withoutCredentials(trip.headers);
  trip.redirects.push({ status: exchange.status, from: from.href, to: next.url.href });
  trip.url = next.url;
  return null;
}

// The answer itself is the result when redirects are off, or when a body would have to be sent again.
export function follows({ method, rules }: Pick<PreparedRequest, 'method' | 'rules'>, status: number): boolean {
  return isRedirect(status) && rules.limits.maxRedirects > 0 && method !== 'POST';
}
