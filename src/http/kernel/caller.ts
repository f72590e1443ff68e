// Who is calling: identifies the caller, checks the access that the route requires, and reads the address of the client.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Config } from '../../config.ts';
import { ANONYMOUS, type Caller, mayHoldScope } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import { addressKey } from '../../domain/net/address-key.ts';
import { unmappedAddress } from '../../domain/net/addresses.ts';

const RECENT_MS = 86_400_000;

// public: no credential; credential: any valid one; account: one of an account, where account:write also changes the
// account and account:session accepts only a session of its owner; stacks and stacks:push are account and account:write
// that also accept a key for stacks; the rest are scopes, each of which includes the one before.
export type Access = 'public' | 'credential' | AccountAccess | SessionAccess | 'publish' | 'write' | 'admin';
const ACCOUNT_ACCESS = ['account', 'account:write', 'account:session', 'stacks', 'stacks:push'] as const;
type AccountAccess = (typeof ACCOUNT_ACCESS)[number];
// For pages and sign-in. visitor: a session is optional; session: one is required; session:recent: it was sent as a
// cookie and began within the last day.
export type SessionAccess = 'visitor' | 'session' | 'session:recent';

export interface CredentialCheck {
  // Null for every token that is not valid now, whatever the reason.
  identify(bearer: string): Promise<Caller | null>;
  // The same for a whole Cookie header. Without this function cookies identify nobody.
  identifyCookie?(cookies: string): Promise<{ caller: Caller; setCookie: string | null } | null>;
  // Whether the header contains a session at all.
  hasSession?(cookies: string): boolean;
}

export interface Identity {
  caller: Caller;
  // A bearer token or a session was sent, valid or not.
  presented: boolean;
  // The caller was identified by a cookie, which browsers also send with requests of other sites.
  byCookie: boolean;
  // The renewed cookie.
  setCookie: string | null;
}

interface PresentedCredentials {
  authorization: string | undefined;
  cookies?: string | undefined;
  ip: string;
}

const BEARER = /^bearer +(\S+) *$/i;

export async function identifyCaller(
  credentials: CredentialCheck,
  { authorization, cookies, ip }: PresentedCredentials,
  access: Access,
): Promise<Identity> {
  const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  const presented = bearer !== undefined || (cookies !== undefined && credentials.hasSession?.(cookies) === true);
  const byBearer = bearer === undefined ? null : await credentials.identify(bearer);
  const session = cookies === undefined ? null : ((await credentials.identifyCookie?.(cookies)) ?? null);
  if (session && prefersCookie(access, byBearer, session.caller)) {
    return { caller: { ...session.caller, ip }, presented, byCookie: true, setCookie: session.setCookie };
  }
  return { caller: { ...(byBearer ?? ANONYMOUS), ip }, presented, byCookie: false, setCookie: null };
}

// The session of an account takes precedence over a token of an operator or a machine where an account is required;
// elsewhere the token does.
function prefersCookie(access: Access, byBearer: Caller | null, byCookie: Caller): boolean {
  if (byBearer === null || isSessionAccess(access)) return true;
  if (!byBearer.account) return isAccountAccess(access);
  if (byBearer.account.userId === byCookie.account?.userId) return true;
  throw new ApiError('bad_request', 'the cookie and the Bearer value belong to different accounts');
}

// Who a public route answers. A key for stacks reads nothing else as its account.
export function callerOf(access: Access, { caller }: Identity): Caller {
  return access === 'public' && caller.account?.only ? { ...ANONYMOUS, ip: caller.ip } : caller;
}

export function requireAccess(access: Access, identity: Identity, now: Date): void {
  const { caller, presented } = identity;
  if (access === 'public') return;
  if (isSessionAccess(access)) {
    requireSession(access, identity, now);
    return;
  }
  if (caller.kind === 'anonymous') throw unauthorized(presented);
  if (caller.account?.only === 'stacks' && access !== 'stacks' && access !== 'stacks:push') {
    throw new ApiError('insufficient_scope', 'this key can only read and push stacks', { required: 'read' });
  }
  if (access === 'credential') return;
  if (isAccountAccess(access)) {
    requireAccount(access, caller);
    return;
  }
  if (mayHoldScope(caller, access)) return;
  throw new ApiError('insufficient_scope', `this call needs the scope ${access}`, { required: access });
}

function isAccountAccess(access: Access): access is AccountAccess {
  return ACCOUNT_ACCESS.some((one) => one === access);
}

function isSessionAccess(access: Access): access is SessionAccess {
  return access === 'visitor' || access === 'session' || access === 'session:recent';
}

function requireSession(access: SessionAccess, { caller, byCookie }: Identity, now: Date): void {
  if (access === 'visitor') return;
  const { account } = caller;
  if (caller.kind !== 'session' || !account) throw new ApiError('unauthorized', 'sign in first');
  if (access === 'session') return;
  if (!byCookie) {
    throw new ApiError('forbidden', 'this needs a session in a browser', { reason: 'session_required' });
  }
  if (now.getTime() - Date.parse(account.signedInAt ?? '') <= RECENT_MS) return;
  throw new ApiError('forbidden', 'sign in again first', { reason: 'recent_sign_in_required' });
}

// An app may read its account, and change it only with the grant `account`. Some routes accept only the owner's
// session.
function requireAccount(access: AccountAccess, { kind, account }: Caller): void {
  if (!account) {
    throw new ApiError('unauthorized', 'this call needs the credential of an account', undefined, {
      'WWW-Authenticate': 'Bearer realm="registry", error="invalid_token"',
    });
  }
  if (access === 'account:session' && kind !== 'session') {
    throw new ApiError('forbidden', 'only a signed-in session may do this', { reason: 'session_required' });
  }
  if (access === 'account' || access === 'stacks' || kind !== 'oauth' || account.grants.includes('account')) return;
  throw new ApiError('insufficient_scope', 'this call needs the scope account', { required: 'account' });
}

function unauthorized(presented: boolean): ApiError {
  const challenge = 'Bearer realm="registry"';
  return presented
    ? new ApiError('unauthorized', 'the credential is not valid', undefined, {
        'WWW-Authenticate': `${challenge}, error="invalid_token"`,
      })
    : new ApiError('unauthorized', 'this call needs a credential', undefined, { 'WWW-Authenticate': challenge });
}

// The address of the client behind trusted proxies.

export interface ClientAddress {
  ip: string;
  // The key of rate limits: an IPv6 client usually owns a whole /64.
  key: string;
  // The client is local and the registry serves only this machine, so limits by address do not apply.
  exempt: boolean;
}

interface Peer {
  // The client address of a request without a forwarding header, and of one with such a header.
  direct: ClientAddress;
  relayed: ClientAddress;
  trusted: boolean;
}

export function createAddressReader(
  config: Pick<Config, 'baseUrl' | 'trustedProxies'>,
): (request: IncomingMessage) => ClientAddress {
  const proxies = trustedProxies(config.trustedProxies);
  const local = isLoopbackHost(new URL(config.baseUrl).hostname);
  // Cached per connection, because it carries many requests from the same address.
  const peers = new WeakMap<Socket, Peer>();

  function peerOf(socket: Socket): Peer {
    const ip = plainAddress(socket.remoteAddress ?? '');
    const relayed = { ip, key: addressKey(ip), exempt: false };
    const direct = { ...relayed, exempt: local && isLoopbackHost(ip) };
    return { direct, relayed, trusted: proxies !== null && contains(proxies, ip) };
  }

  return ({ socket, headers }) => {
    let peer = peers.get(socket);
    if (peer === undefined) {
      peer = peerOf(socket);
      peers.set(socket, peer);
    }
    const hops = headers['x-forwarded-for'];
    if (hops !== undefined && peer.trusted && proxies !== null) {
      const ip = rightmostUntrusted(String(hops), peer.relayed.ip, proxies);
      return { ip, key: addressKey(ip), exempt: false };
    }
    return isForwarded(headers) ? peer.relayed : peer.direct;
  };
}

// Each header is compared by name instead of in a loop, because this runs for every request.
function isForwarded(headers: IncomingHttpHeaders): boolean {
  return (
    headers['x-forwarded-for'] !== undefined ||
    headers.forwarded !== undefined ||
    headers['x-real-ip'] !== undefined ||
    headers['x-forwarded-host'] !== undefined ||
    headers['x-forwarded-proto'] !== undefined
  );
}

function rightmostUntrusted(header: string, socketIp: string, proxies: BlockList): string {
  let ip = socketIp;
  for (const hop of header.split(',').reverse()) {
    const address = plainAddress(hop.trim());
    if (isIP(address) === 0) return ip;
    ip = address;
    if (!contains(proxies, address)) return ip;
  }
  return ip;
}

function trustedProxies(entries: readonly string[]): BlockList | null {
  if (entries.length === 0) return null;
  const list = new BlockList();
  for (const entry of entries) {
    const [given = '', bits] = entry.split('/');
    const address = bits === undefined ? unmappedAddress(given) : given;
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const prefix = Number(bits);
    if (isIP(address) === 0 || (bits !== undefined && !(Number.isInteger(prefix) && prefix >= 0 && prefix <= 128))) {
      throw new Error(`REGISTRY_TRUSTED_PROXIES: not an address or network: ${entry}`);
    }
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, prefix, family);
  }
  return list;
}

function contains(list: BlockList, ip: string): boolean {
  const version = isIP(ip);
  return version !== 0 && list.check(ip, version === 6 ? 'ipv6' : 'ipv4');
}

// Dual-stack sockets show IPv4 clients as mapped IPv6; proxies add brackets or ports.
function plainAddress(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const bare = bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
  return unmappedAddress(bare);
}

function isLoopbackHost(host: string): boolean {
  return (
    host === 'localhost' ||
    host === '::1' ||
    host === '[::1]' ||
    host.endsWith('.localhost') ||
    (host.startsWith('127.') && isIP(host) === 4)
  );
}
