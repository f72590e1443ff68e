// Decides whether a request may leave, and to which addresses. It is asked for every hop and every retry; the returned
// addresses are used without a second lookup, so a name that changes in between gains nothing.
import { isMetadataAddress, isPublicAddress, parseAddress } from '../domain/net/addresses.ts';
import { type HostList, listsAddress, listsDomain, listsName, parseHostList } from '../domain/net/host-list.ts';
import {
  isOwnAddress,
  type OutboundTarget,
  type OwnHost,
  parseOwnHosts,
  type RefusalReason,
  readTarget,
  type TargetRules,
  targetRefusal,
} from '../domain/net/target.ts';
import type { Resolve } from './resolve.ts';

export interface GuardOptions {
  // Hosts, host:port and CIDRs that may be private, plain http and on any port. Metadata addresses and the service
  // itself stay refused.
  allow?: readonly string[];
  // Hosts never contacted, with every name below them; wins over `allow`.
  deny?: readonly string[];
  // The addresses of the service itself: public origins and the address it listens on.
  ownHosts?: readonly string[];
  resolve: Resolve;
}

export type CheckedTarget = OutboundTarget & {
  // At least one address; only these may be connected to.
  addresses: readonly string[];
};

type GuardVerdict =
  | { ok: true; target: CheckedTarget }
  | { ok: false; reason: RefusalReason }
  // The name is allowed, but has no address now.
  | { ok: false; reason: 'unresolved'; detail: string };

// `limitMs` shortens the time for the name lookup. A name that goes through a proxy is not looked up here.
export type Guard = (
  url: string | URL,
  rules?: TargetRules,
  limitMs?: number,
  byProxy?: boolean,
) => Promise<GuardVerdict>;

export function createGuard({ allow = [], deny = [], ownHosts = [], resolve }: GuardOptions): Guard {
  const policy: EgressPolicy = { allow: hostList(allow), deny: hostList(deny), own: parseOwnHosts(ownHosts) };

  return async (url, rules = {}, limitMs, byProxy = false) => {
    const target = readTarget(url);
    if (target === null) return refuse('invalid_url');
    const { host, port, literal } = target;
    if (listsDomain(policy.deny, host, port)) return refuse('denied_host');

    const named = literal ? listsAddress(policy.allow, host, port) : listsName(policy.allow, host, port);
    const refusal = targetRefusal(target, { rules, own: policy.own, admitted: named });
    if (refusal !== null && !mayBeWaived(target, { rules, policy, named })) return refuse(refusal);

    if (byProxy && !literal && refusal === null)
      return { ok: true, target: { ...target, addresses: [`${host}:${port}`] } };
    const resolution = literal
      ? { ok: true as const, addresses: [host] }
      : await resolve(host, { local: named, limitMs });
    if (!resolution.ok) {
      return refusal === null ? { ok: false, reason: 'unresolved', detail: resolution.detail } : refuse(refusal);
    }
    const { addresses } = resolution;
    if (refusal !== null && !addresses.every((ip) => listsAddress(policy.allow, ip, port))) return refuse(refusal);
    const wrong = addresses.map((ip) => addressRefusal(ip, { port, policy, named })).find((reason) => reason !== null);
    return wrong ? refuse(wrong) : { ok: true, target: { ...target, addresses } };
  };
}

interface EgressPolicy {
  allow: HostList;
  deny: HostList;
  own: readonly OwnHost[];
}

// A name that breaks a rule can still resolve into an allowed range; only then is it looked up.
function mayBeWaived(
  target: OutboundTarget,
  { rules, policy: { allow, own }, named }: { rules: TargetRules; policy: EgressPolicy; named: boolean },
): boolean {
  if (named || target.literal || allow.ranges.length === 0) return false;
  return targetRefusal(target, { rules, own, admitted: true }) === null;
}

function addressRefusal(
  ip: string,
  { port, policy, named }: { port: number; policy: EgressPolicy; named: boolean },
): RefusalReason | null {
  // A resolver that returns anything but an address would make the socket look it up again.
  if (parseAddress(ip) === null || isMetadataAddress(ip)) return 'private_address';
  if (listsAddress(policy.deny, ip, port)) return 'denied_host';
  if (isOwnAddress(policy.own, ip, port)) return 'internal_host';
  return named || isPublicAddress(ip) || listsAddress(policy.allow, ip, port) ? null : 'private_address';
}

function refuse(reason: RefusalReason): GuardVerdict {
  return { ok: false, reason };
}

function hostList(texts: readonly string[]): HostList {
  const { list, invalid } = parseHostList(texts);
  // An invalid entry is an error: it would allow or deny less than the operator believes.
  if (invalid.length > 0) throw new Error(`not a host, host:port or CIDR: ${invalid.join(', ')}`);
  return list;
}
