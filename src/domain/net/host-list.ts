// The grammar of REGISTRY_EGRESS_ALLOW and REGISTRY_EGRESS_DENY: host, host:port, address, address:port or CIDR.
import { type AddressRange, contains, judgedAddress, parseRange, width } from './addresses.ts';

export interface HostList {
  names: readonly { host: string; port: number | null }[];
  ranges: readonly (AddressRange & { port: number | null })[];
}

interface ParsedHostList {
  list: HostList;
  // Entries that have none of the five forms, as they were given.
  invalid: string[];
}

const NAME = /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/;

export function parseHostList(texts: readonly string[]): ParsedHostList {
  const names: { host: string; port: number | null }[] = [];
  const ranges: (AddressRange & { port: number | null })[] = [];
  const invalid: string[] = [];
  for (const text of texts) {
    const entry = parseEntry(text.trim());
    if (entry === null) invalid.push(text);
    else if ('host' in entry) names.push(entry);
    else ranges.push(entry);
  }
  return { list: { names, ranges }, invalid };
}

export function listsName(list: HostList, host: string, port: number): boolean {
  return list.names.some((entry) => entry.host === host && samePort(entry, port));
}

// Like `listsName`, but an entry also covers every subdomain.
export function listsDomain(list: HostList, host: string, port: number): boolean {
  return list.names.some((entry) => (entry.host === host || host.endsWith(`.${entry.host}`)) && samePort(entry, port));
}

export function listsAddress(list: HostList, ip: string, port: number): boolean {
  const address = judgedAddress(ip);
  return address !== null && list.ranges.some((entry) => contains(entry, address) && samePort(entry, port));
}

// A host as names are compared: lower case, ASCII, without brackets and without one trailing dot.
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function samePort(entry: { port: number | null }, port: number): boolean {
  return entry.port === null || entry.port === port;
}

type HostListEntry = HostList['names'][number] | HostList['ranges'][number];

function parseEntry(text: string): HostListEntry | null {
  if (text.includes('/')) {
    const range = parseRange(text);
    return range && { ...range, port: null };
  }
  // A bare IPv6 address has no brackets, so its last group must not be read as a port.
  const address = judgedAddress(text);
  if (address) return { ...address, bits: width(address), port: null };
  const { name = '', port } = /^(?<name>\[[^\]]*\]|[^:]+)(?::(?<port>\d{1,5}))?$/.exec(text)?.groups ?? {};
  const url = /[\s?#@\\]/.test(name) ? null : URL.parse(`http://${name}`);
  if (url === null || url.port !== '' || Number(port ?? 1) > 65535 || Number(port ?? 1) === 0) return null;
  return entryOf(bareHost(url.hostname), port === undefined ? null : Number(port));
}

function entryOf(host: string, port: number | null): HostListEntry | null {
  const address = judgedAddress(host);
  if (address) return { ...address, bits: width(address), port };
  return NAME.test(host) && !host.includes('..') ? { host, port } : null;
}
