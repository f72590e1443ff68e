// Answers of the sign-in door as bytes on the exchange.
import { type Answer, createAnswer } from '../kernel/answer.ts';
import type { Exchange } from '../kernel/exchange.ts';
import { PRIVATE } from '../kernel/headers.ts';

// The library's own ideas about cross-origin reads and about handing out tokens in headers stay inside.
const KEPT = [
  'Content-Type',
  'Location',
  'WWW-Authenticate',
  'Retry-After',
  'Allow',
  'Content-Security-Policy',
  'Permissions-Policy',
  'Strict-Transport-Security',
  'X-Robots-Tag',
];
const JWKS_SECONDS = 300;

export async function toAnswer(response: Response, { response: out, target }: Exchange): Promise<Answer> {
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) out.setHeader('Set-Cookie', cookies);
  const headers: [string, string][] = KEPT.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  const isPublic = target.path.endsWith('/jwks') && response.status === 200;
  headers.push(['Cache-Control', isPublic ? `public, max-age=${JWKS_SECONDS}` : PRIVATE]);
  const text = await response.text();
  const body = text === '' && response.status >= 300 ? null : text;
  return createAnswer({ status: response.status, headers, vary: ['Authorization', 'Cookie'], body, tagged: false });
}
