// Addresses to which an app may have its users sent back.
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const REFUSED = new Set(['javascript:', 'data:', 'file:', 'vbscript:', 'blob:', 'about:']);
// Only these characters are allowed in a Location header.
const ADDRESS = /^[\x21-\x7e]+$/;
// URL parsers accept characters in a host that no host name has and that have a meaning in other headers.
const HOST = /^(\[[\da-f:.]+\]|[\da-z._-]+)$/i;
const MAX_URIS = 10;
const MAX_LENGTH = 2000;

// Null when the address may be registered.
export function redirectUriFault(uri: unknown): string | null {
  if (typeof uri !== 'string' || uri.length > MAX_LENGTH || !URL.canParse(uri)) return 'must be an absolute address';
  if (!ADDRESS.test(uri)) return 'must be written in the letters of an address; encode all others';
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes('#')) return 'must not have a fragment';
  if (username || password) return 'must not hold credentials';
  if (REFUSED.has(protocol)) return `must not use ${protocol}`;
  if (protocol === 'https:') return HOST.test(hostname) ? null : 'must name a host';
  if (protocol === 'http:') return isLoopback(uri, hostname) ? null : 'must use https, except on this machine';
  return protocol.slice(0, -1).includes('.') ? null : 'a scheme of its own must contain a dot';
}

// The source expression of a Content-Security-Policy for an address; null for an address that cannot have one.
export function policySourceOf(uri: string): string | null {
  if (redirectUriFault(uri) !== null) return null;
  const { protocol, origin } = new URL(uri);
  return origin === 'null' ? protocol : origin;
}

export function redirectUrisFault(uris: unknown): string | null {
  if (!Array.isArray(uris) || uris.length < 1 || uris.length > MAX_URIS)
    return `redirect_uris must hold 1 to ${MAX_URIS} addresses`;
  for (const uri of uris) {
    const fault = redirectUriFault(uri);
    if (fault) return `redirect_uris: ${fault}`;
  }
  return null;
}

// Addresses are compared exactly, except for the port of a loopback address, which a native app gets when it starts.
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (redirectUriFault(uri) !== null) return false;
  if (registered.includes(uri)) return true;
  const portless = withoutLoopbackPort(uri);
  return portless !== null && registered.some((known) => withoutLoopbackPort(known) === portless);
}

// Spelled as it is: what a parser would make of `127.1` is not among the names that are allowed.
function isLoopback(uri: string, hostname: string): boolean {
  return LOOPBACK.has(hostname) && /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d*)?([/?]|$)/i.test(uri);
}

function withoutLoopbackPort(uri: string): string | null {
  const { protocol, hostname } = new URL(uri);
  if (protocol !== 'http:' || !isLoopback(uri, hostname)) return null;
  return uri.replace(/^(http:\/\/(?:\[::1\]|[^:/?]+)):\d*/i, '$1');
}
