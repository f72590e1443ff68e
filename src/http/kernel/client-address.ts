// The address of the client behind trusted proxies.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import type { Config } from '../../config.ts';
import { unmappedAddress } from '../../domain/net/addresses.ts';

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

export function addressKey(ip: string): string {
  return isIPv6(ip) ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : ip;
}

function groupsOf(ip: string): string[] {
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const dotted = right.some((group) => group.includes('.')) ? 1 : 0;
  const missing = tail === undefined ? 0 : 8 - left.length - right.length - dotted;
  const groups = [...left, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...right];
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
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
