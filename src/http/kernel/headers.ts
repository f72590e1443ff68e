// Headers that do not depend on the content of an answer.
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config.ts';
import { HTML_TYPE } from './reply.ts';

export const SECURITY_HEADERS: readonly [string, string][] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
];

// The value of `Strict-Transport-Security`; null for a service without https. Subdomains may belong to somebody else, so
// they are included only where the operator configures it.
export function transportSecurity({
  baseUrl,
  hstsSubdomains,
}: Pick<Config, 'baseUrl' | 'hstsSubdomains'>): string | null {
  if (!baseUrl.startsWith('https:')) return null;
  return `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`;
}

export const PRIVATE = 'private, no-store';

const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

// A random prefix and a counter make unique ids without new random bytes for every request.
export function createRequestIds(
  randomBytes: (size: number) => Uint8Array,
): (given: string | string[] | undefined) => string {
  const start = Buffer.from(randomBytes(9)).toString('base64url');
  let count = 0;
  return (given) => {
    if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}

const EXPOSED =
  'ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, X-Request-Id, X-Cache, X-Markdown-Tokens';

const PREFLIGHT: readonly [string, string][] = [
  ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  [
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
  ],
  ['Access-Control-Max-Age', '600'],
];

export type CorsRule = (origin: string | undefined) => readonly [string, string][];

const NONE: readonly [string, string][] = [];

export function createCors(trustedOrigins: readonly string[]): CorsRule {
  const trusted = new Set(trustedOrigins);
  const open: readonly [string, string][] = [
    ['Access-Control-Allow-Origin', '*'],
    ['Access-Control-Expose-Headers', EXPOSED],
  ];
  return (origin) => {
    if (origin === undefined) return NONE;
    if (!trusted.has(origin)) return open;
    return [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Credentials', 'true'],
      ['Access-Control-Expose-Headers', EXPOSED],
    ];
  };
}

export function preflightHeaders(): readonly [string, string][] {
  return PREFLIGHT;
}

const SESSION_COOKIE = /(?:^|;)\s*(?:__Secure-)?(?:registry\.session_token|registry_operator(?:_hint)?)=/;

// Whether the answer belongs to one caller, so that no shared cache, ours included, may store it.
export function isPersonal(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || (headers.cookie !== undefined && SESSION_COOKIE.test(headers.cookie));
}

// The headers that every HTML page carries.

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; media-src 'self' https:; " +
  "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
];

export function pageHeaders(): Record<string, string> {
  return {
    'Content-Type': HTML_TYPE,
    'Content-Security-Policy': POLICY,
    'Permissions-Policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
  };
}
