import type { HeaderRecord } from './headers.ts';
import type { Redirect, RequestFailure } from './result.ts';

const FOLLOWED = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
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
export function nextHop({ from, headers, followed, max }: RedirectAnswer): NextHop {
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
