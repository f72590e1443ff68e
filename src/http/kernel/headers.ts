// Headers that are the same for many answers.
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

export const PREFLIGHT_HEADERS: readonly [string, string][] = [
  ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  [
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
  ],
  ['Access-Control-Max-Age', '600'],
];

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

export const PAGE_HEADERS = {
  'Content-Type': HTML_TYPE,
  'Content-Security-Policy': POLICY,
  'Permissions-Policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
} as const;
