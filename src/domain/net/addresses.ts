// Which IP addresses the service may talk to. Text comes in as the URL parser or a resolver writes it; anything that is
// no plain address (a zone, a name, an odd spelling) counts as not public.
import { BlockList, isIPv4, isIPv6 } from 'node:net';

interface IpAddress {
  family: 4 | 6;
  value: bigint;
}

export interface AddressRange extends IpAddress {
  // Length of the network part.
  bits: number;
}

const MAPPED = range('::ffff:0:0/96');
const NAT64 = range('64:ff9b::/96');

// The IPv4 and IPv6 special-purpose registries. Of IPv6 only global unicast is public, and not its special blocks.
const SPECIAL_IPV4 = blockList([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]);
const GLOBAL_UNICAST = blockList(['2000::/3']);
const SPECIAL_IPV6 = blockList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

// Metadata services that give out credentials: the first is that of AWS, Azure, Google and others; then those of
// containers, of Alibaba and over IPv6.
const METADATA = [
  ...['169.254.169.254/32', '169.254.170.2/32', '169.254.170.23/32', '100.100.100.200/32'],
  ...['fd00:ec2::254/128', 'fd00:ec2::23/128', 'fd20:ce::254/128'],
].map(range);

// Addresses by which the machine reaches itself; the unspecified ones also connect to loopback.
const LOOPBACK = ['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'].map(range);

export function isPublicAddress(ip: string): boolean {
  const address = judgedAddress(ip);
  if (address === null) return false;
  if (address.family === 4) return !SPECIAL_IPV4.check(ipv4Text(address.value), 'ipv4');
  return GLOBAL_UNICAST.check(ip, 'ipv6') && !SPECIAL_IPV6.check(ip, 'ipv6');
}

export function isMetadataAddress(ip: string): boolean {
  const address = judgedAddress(ip);
  return address !== null && METADATA.some((one) => contains(one, address));
}

export function isLoopbackAddress(ip: string): boolean {
  const address = judgedAddress(ip);
  return address !== null && LOOPBACK.some((one) => contains(one, address));
}

// The address that decides: the IPv4 address inside a mapped or NAT64 form, else the address itself.
export function judgedAddress(ip: string): IpAddress | null {
  const address = parseAddress(ip);
  if (address === null || !(contains(MAPPED, address) || contains(NAT64, address))) return address;
  return { family: 4, value: address.value & 0xffff_ffffn };
}

// The IPv4 address inside the mapped form of a dual-stack socket, however it is spelled; any other text as it is.
export function unmappedAddress(ip: string): string {
  const address = ip.includes(':') ? parseAddress(ip) : null;
  return address !== null && contains(MAPPED, address) ? ipv4Text(address.value & 0xffff_ffffn) : ip;
}

export function parseAddress(ip: string): IpAddress | null {
  const isAddress = ip.includes(':') ? isIPv6(ip) && !ip.includes('%') : isIPv4(ip);
  return isAddress ? addressOf(ip) : null;
}

function addressOf(ip: string): IpAddress {
  if (ip.includes(':')) return { family: 6, value: joined(ipv6Groups(ip), 16n) };
  return { family: 4, value: joined(ip.split('.').map(Number), 8n) };
}

// Parses a range such as `10.0.0.0/8`; bits of the host part are ignored.
export function parseRange(text: string): AddressRange | null {
  const { ip, bits } = /^(?<ip>[^/]+)\/(?<bits>\d{1,3})$/.exec(text)?.groups ?? {};
  const address = ip === undefined ? null : parseAddress(ip);
  if (address === null || Number(bits) > width(address)) return null;
  return { ...address, bits: Number(bits) };
}

export function contains(range: AddressRange, address: IpAddress): boolean {
  if (range.family !== address.family) return false;
  const hostBits = BigInt(width(range) - range.bits);
  return range.value >> hostBits === address.value >> hostBits;
}

export function width({ family }: IpAddress): number {
  return family === 4 ? 32 : 128;
}

function ipv4Text(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}

function ipv6Groups(ip: string): number[] {
  const groupsOf = (part: string): number[] =>
    part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? dottedGroups(group) : [hex(group)]));
  const [left = '', right] = ip.split('::');
  const head = groupsOf(left);
  const tail = right === undefined ? [] : groupsOf(right);
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function dottedGroups(dotted: string): number[] {
  const value = Number(joined(dotted.split('.').map(Number), 8n));
  return [Math.floor(value / 0x1_0000), value % 0x1_0000];
}

function hex(text: string): number {
  return Number.parseInt(text, 16);
}

function joined(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(part), 0n);
}

// A range of the tables above, which is known to be one. The check of an IPv6 address compiles a long pattern, which is a fiftieth
// of the start of the service, so it is asked only where an address may be one.
function range(text: string): AddressRange {
  const [ip = '', bits] = text.split('/');
  return { ...addressOf(ip), bits: Number(bits) };
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of ranges) {
    const [ip = '', bits] = text.split('/');
    list.addSubnet(ip, Number(bits), isIPv4(ip) ? 'ipv4' : 'ipv6');
  }
  return list;
}
