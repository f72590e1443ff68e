import type { IncomingHttpHeaders } from 'node:http';

export type HeaderRecord = Readonly<Record<string, string>>;

// Headers that only the guarded fetch sets. Cookies are never sent.
const RESERVED_HEADERS = new Set([
  ...['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...['user-agent', 'accept-encoding', 'cookie', 'proxy-authorization', 'proxy-connection'],
]);

// The only headers that are sent to another host after a redirect. Any other may be a credential.
const HARMLESS = new Set(['accept', 'accept-language', 'if-none-match', 'if-modified-since', 'range', 'if-range']);

// The caller's headers in lower case, without those that are not the caller's to set.
export function callerHeaders(headers: HeaderRecord): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  return Object.fromEntries(entries.filter(([name]) => !RESERVED_HEADERS.has(name)));
}

export function withoutCredentials(headers: HeaderRecord): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name)));
}

export function answerHeaders(headers: IncomingHttpHeaders): HeaderRecord {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || name === 'set-cookie') return [];
    return [[name, Array.isArray(value) ? value.join(', ') : value]];
  });
  return Object.fromEntries(entries);
}
