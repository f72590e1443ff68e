// Decides clusters from pairs: which release is canonical, and which ones it covers.

import { mayPair, type PairMatch } from './pair-rules.ts';
import { type CoverableRelease, compareCanonical, timeApart } from './release.ts';

export interface Pair extends PairMatch {
  // The new release and the one it was compared with.
  a: CoverableRelease;
  b: CoverableRelease;
}

// A stored link. Links that people and agents made are never changed.
export interface Link {
  coverageId: string;
  canonicalId: string;
  manual: boolean;
}

interface Decision {
  coverageId: string;
  canonicalId: string;
  // Null for a link that only moves to another canonical release.
  reason: string | null;
}

export interface ClusterInfo {
  releases: ReadonlyMap<string, CoverableRelease>;
  links: readonly Link[];
  // Whether a person has separated two releases.
  denied: (a: string, b: string) => boolean;
}

const MAX_MEMBERS = 6;

interface Cluster {
  members: Set<string>;
  reasons: Map<string, string>;
}

// The links to create, move or leave. A release is only unlinked when it becomes canonical.
export function decideClusters(pairs: readonly Pair[], facts: ClusterInfo): Decision[] {
  const linkOf = new Map(facts.links.map((link) => [link.coverageId, link]));
  const clusterOf = new Map<string, Cluster>();
  const clusterFor = (id: string): Cluster => {
    const known = clusterOf.get(id);
    if (known) return known;
    const head = linkOf.get(id)?.canonicalId ?? id;
    const covered = facts.links.filter((link) => link.canonicalId === head).map((link) => link.coverageId);
    const cluster = { members: new Set([head, ...covered]), reasons: new Map() };
    for (const member of cluster.members) clusterOf.set(member, cluster);
    return cluster;
  };

  const grown = new Set<Cluster>();
  for (const { a, b, reason } of bestFirst(pairs)) {
    const [first, second] = [clusterFor(a.id), clusterFor(b.id)];
    if (first === second || !mayJoin(first, second, facts)) continue;
    for (const id of [a.id, b.id])
      if (!first.reasons.has(id) && !second.reasons.has(id)) second.reasons.set(id, reason);
    for (const [id, text] of first.reasons) second.reasons.set(id, text);
    for (const id of first.members) {
      second.members.add(id);
      clusterOf.set(id, second);
    }
    grown.delete(first);
    grown.add(second);
  }
  return [...grown].flatMap((cluster) => decisionsFor(cluster, linkOf, facts));
}

function bestFirst(pairs: readonly Pair[]): Pair[] {
  const rule = ({ reason }: Pair) => ['version', 'link', 'title'].indexOf(reason.split(':', 1)[0] ?? '');
  return pairs.toSorted(
    (x, y) =>
      y.score - x.score ||
      rule(x) - rule(y) ||
      timeApart(x.a, x.b) - timeApart(y.a, y.b) ||
      compareCanonical(x.a, y.a) ||
      compareCanonical(x.b, y.b),
  );
}

function mayJoin(first: Cluster, second: Cluster, { releases, denied, links }: ClusterInfo): boolean {
  if (first.members.size + second.members.size > MAX_MEMBERS) return false;
  if (fixedHead(first, links) !== null && fixedHead(second, links) !== null) return false;
  for (const a of first.members) {
    for (const b of second.members) {
      const [one, other] = [releases.get(a), releases.get(b)];
      if (!one || !other || denied(a, b) || !mayPair(one, other)) return false;
    }
  }
  return true;
}

// A canonical release that a person has set stays canonical.
function fixedHead({ members }: Cluster, links: readonly Link[]): string | null {
  return links.find((link) => link.manual && members.has(link.coverageId))?.canonicalId ?? null;
}

function decisionsFor(
  cluster: Cluster,
  linkOf: ReadonlyMap<string, Link>,
  { releases, links }: ClusterInfo,
): Decision[] {
  const members = [...cluster.members].flatMap((id) => releases.get(id) ?? []).sort(compareCanonical);
  const head = fixedHead(cluster, links) ?? members[0]?.id;
  if (head === undefined) return [];
  return members.flatMap(({ id }) => {
    const link = linkOf.get(id);
    if (id === head || link?.canonicalId === head || link?.manual) return [];
    return {
      coverageId: id,
      canonicalId: head,
      reason: link ? null : (cluster.reasons.get(id) ?? otherReason(cluster)),
    };
  });
}

// The former head had no link, so it takes the reason of a release that joined it.
function otherReason({ reasons }: Cluster): string | null {
  return reasons.values().next().value ?? null;
}
