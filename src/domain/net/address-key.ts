// The key under which a client's address is counted.
import { isIPv6 } from 'node:net';

// An IPv6 client usually owns a whole /64.
export function addressKey(ip: string): string {
  return ip.includes(':') && isIPv6(ip) ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : ip;
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
