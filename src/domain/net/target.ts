// Checks of an outbound address that need no name resolution.
import { isIPv4, isIPv6 } from 'node:net';
import { isLoopbackAddress, isPublicAddress, judgedAddress } from './addresses.ts';
import { bareHost } from './host-list.ts';

export type RefusalReason =
  | 'invalid_url'
  // The scheme is neither http nor https; `not_https` when only https is allowed.
  | 'not_http'
  | 'not_https'
  | 'user_info'
  | 'port'
  // The name belongs to an internal network or to the service itself.
  | 'internal_host'
  | 'private_address'
  // The operator's deny list names the host.
  | 'denied_host';

export interface TargetRules {
  httpsOnly?: boolean;
  // `web`: 443 and everything from 1024 up.
  ports?: 'any' | 'web';
}

export interface OutboundTarget {
  // The URL without its fragment.
  url: URL;
  // The host in lower case, without brackets and trailing dot.
  host: string;
  port: number;
  // The host is an address, not a name.
  literal: boolean;
}

export interface OwnHost {
  host: string;
  port: number;
}

const INTERNAL_NAMES = new Set(['localhost', 'metadata', 'metadata.google.internal']);
const INTERNAL_SUFFIXES = ['.localhost', '.local', '.internal', '.home.arpa', '.onion'];

export function readTarget(input: string | URL): OutboundTarget | null {
  const url = URL.parse(String(input));
  if (url === null) return null;
  const host = bareHost(url.hostname);
  // An empty label would slip past the rules on suffixes.
  if (host === '' || host.startsWith('.') || host.endsWith('.') || host.includes('..')) return null;
  url.hash = '';
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { url, host, port, literal: host.includes(':') ? isIPv6(host) : isIPv4(host) };
}

// The first rule that the target breaks; `admitted` waives those that the operator's allow list may waive.
export function targetRefusal(
  target: OutboundTarget,
  { rules, own, admitted }: { rules: TargetRules; own: readonly OwnHost[]; admitted: boolean },
): RefusalReason | null {
  const { url, host, port } = target;
  if (url.protocol !== 'https:' && rules.httpsOnly && !(admitted && url.protocol === 'http:')) return 'not_https';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'not_http';
  if (url.username !== '' || url.password !== '') return 'user_info';
  if (port === 0 || (rules.ports === 'web' && !admitted && port !== 443 && port < 1024)) return 'port';
  if (own.some((one) => one.host === host && one.port === port)) return 'internal_host';
  if (!admitted && (isInternalName(target) || isOwnHost(target, own))) return 'internal_host';
  return null;
}

// Origins (`https://registry.example`) or `host:port`; what is neither is left out.
export function parseOwnHosts(texts: readonly string[]): OwnHost[] {
  return texts.flatMap((text) => {
    const target = readTarget(text.includes('://') ? text : `http://${text}`);
    return target === null ? [] : [{ host: target.host, port: target.port }];
  });
}

// Whether an address reaches the service itself; the loopback has many addresses, and an own address can be embedded in
// another.
export function isOwnAddress(own: readonly OwnHost[], ip: string, port: number): boolean {
  return own.some((one) => one.port === port && (isSelf(one, ip) || sameAddress(one.host, ip)));
}

function isSelf({ host }: OwnHost, ip: string): boolean {
  return (host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host)) && isLoopbackAddress(ip);
}

function sameAddress(host: string, ip: string): boolean {
  const one = judgedAddress(host);
  const other = judgedAddress(ip);
  return one !== null && other !== null && one.family === other.family && one.value === other.value;
}

// Whether a target is the service itself. A private address is left to the rule on private addresses.
function isOwnHost({ host, literal }: OutboundTarget, own: readonly OwnHost[]): boolean {
  return own.some((one) => one.host === host) && (!literal || isPublicAddress(host));
}

function isInternalName({ host, literal }: OutboundTarget): boolean {
  if (literal) return false;
  return INTERNAL_NAMES.has(host) || INTERNAL_SUFFIXES.some((suffix) => host.endsWith(suffix)) || !host.includes('.');
}
