// Cascades inside one repository: a change to one package releases all that depend on it, and only the first has news.
import type { CascadeBody } from './cascade-body.ts';

export interface CascadeRelease {
  id: string;
  // `name@version` as release identities write it.
  name: string | null;
  publishedAt: string;
  body: CascadeBody;
  // The existing link, when the release is already covered.
  coveredBy: { canonicalId: string; reason: string | null; isCascade: boolean } | null;
  isCanonical: boolean;
  // A person has made it canonical.
  isFixed: boolean;
}

interface CascadeDecision {
  coverageId: string;
  canonicalId: string;
  reason: string;
}

const WINDOW_MS = 24 * 3_600_000;
const BUMP_WINDOW_MS = 600_000;
const MAX_HOPS = 2;

// Decides the links of one push and its neighbours within a day; links that other rules or people made stay.
export function decideCascades(
  releases: readonly CascadeRelease[],
  denied: (a: string, b: string) => boolean,
): CascadeDecision[] {
  const state = new Cascades(releases, denied);
  for (const [hash, group] of groupsByHash(releases)) state.coverGroup(hash, group);
  for (const release of releases) state.followDependencies(release);
  for (const release of releases) state.joinBump(release);
  return [...state.decisions.values()];
}

// The releases of each commit, the largest group first; ties are ordered by hash.
function groupsByHash(releases: readonly CascadeRelease[]): [string, CascadeRelease[]][] {
  const groups = new Map<string, CascadeRelease[]>();
  for (const release of releases) {
    for (const hash of release.body.followed.union(release.body.described)) {
      const group = groups.get(hash);
      if (group) group.push(release);
      else groups.set(hash, [release]);
    }
  }
  const several = [...groups].filter(([, group]) => group.length >= 2);
  return several.sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
}

class Cascades {
  readonly decisions = new Map<string, CascadeDecision>();
  readonly #releases: readonly CascadeRelease[];
  readonly #byName: ReadonlyMap<string, CascadeRelease>;
  readonly #denied: (a: string, b: string) => boolean;
  readonly #heads: Set<string>;

  constructor(releases: readonly CascadeRelease[], denied: (a: string, b: string) => boolean) {
    this.#releases = releases;
    this.#denied = denied;
    this.#byName = new Map(releases.flatMap((release) => (release.name === null ? [] : [[release.name, release]])));
    this.#heads = new Set(releases.filter(({ isCanonical }) => isCanonical).map(({ id }) => id));
  }

  coverGroup(hash: string, group: readonly CascadeRelease[]): void {
    const head = group.filter((release) => !this.#isCovered(release)).sort(byCanonical(hash))[0];
    if (!head) return;
    for (const member of group) {
      const describesOthers = member.body.described.difference(new Set([hash])).size > 0;
      if (member === head || describesOthers || apart(member, head) > WINDOW_MS) continue;
      // A better release replaces the canonical release of the same push, but never that of another push.
      const isOldHead = this.#heads.has(member.id) && !this.#followsOnly(member, hash);
      if (!isOldHead) this.#cover(member, head.id, `cascade:${hash}`);
    }
  }

  followDependencies(release: CascadeRelease): void {
    const { followed, described, dependencies, substance } = release.body;
    if (dependencies.length === 0 || followed.size + described.size > 0 || substance > 0) return;
    if (this.#isCovered(release) || this.#heads.has(release.id)) return;
    let level = dependencies;
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const named = level.flatMap((name) => this.#byName.get(name.toLowerCase().replace(/@v(?=\d)/, '@')) ?? []);
      for (const target of named) {
        const cluster = target === release ? null : this.#clusterOf(target);
        if (!cluster || apart(target, release) > WINDOW_MS) continue;
        this.#cover(release, cluster.head, cluster.reason);
        return;
      }
      level = named.flatMap(({ body }) => body.dependencies);
    }
  }

  joinBump(release: CascadeRelease): void {
    if (!release.body.isBump || this.#isCovered(release) || this.#heads.has(release.id)) return;
    const near = this.#releases.filter(
      (other) => other !== release && other.body.substance > 0 && apart(other, release) <= BUMP_WINDOW_MS,
    );
    const [target] = near.sort(byCanonical(''));
    if (target) this.#cover(release, this.#clusterOf(target)?.head ?? target.id, 'cascade:bump');
  }

  #isCovered(release: CascadeRelease): boolean {
    return release.coveredBy !== null || this.decisions.has(release.id);
  }

  // True when the release follows only this commit, so that another release of the commit can cover it.
  #followsOnly({ body }: CascadeRelease, hash: string): boolean {
    return body.followed.union(body.described).difference(new Set([hash])).size === 0;
  }

  #clusterOf({ id, coveredBy }: CascadeRelease): { head: string; reason: string } | null {
    const decided = this.decisions.get(id);
    if (decided) return { head: decided.canonicalId, reason: decided.reason };
    if (coveredBy) {
      return {
        head: coveredBy.canonicalId,
        reason: coveredBy.isCascade ? (coveredBy.reason ?? 'cascade:bump') : 'cascade:bump',
      };
    }
    if (!this.#heads.has(id)) return null;
    const member = [...this.decisions.values()].find(({ canonicalId }) => canonicalId === id);
    const stored = this.#releases.find(
      (release) => release.coveredBy?.canonicalId === id && release.coveredBy.isCascade,
    );
    return { head: id, reason: member?.reason ?? stored?.coveredBy?.reason ?? 'cascade:bump' };
  }

  #cover(release: CascadeRelease, head: string, reason: string): void {
    if (release.id === head || release.isFixed || this.decisions.has(release.id) || this.#denied(release.id, head))
      return;
    const { coveredBy } = release;
    if (coveredBy && (!coveredBy.isCascade || coveredBy.canonicalId === head)) return;
    this.decisions.set(release.id, { coverageId: release.id, canonicalId: head, reason });
    this.#heads.delete(release.id);
    this.#heads.add(head);
    // Releases that it covered in this run are moved to the new canonical release, so that no chain forms.
    for (const [id, decision] of this.decisions) {
      if (decision.canonicalId === release.id) this.decisions.set(id, { ...decision, canonicalId: head });
    }
  }
}

function byCanonical(hash: string): (a: CascadeRelease, b: CascadeRelease) => number {
  return (a, b) =>
    Number(b.body.described.has(hash)) - Number(a.body.described.has(hash)) ||
    b.body.substance - a.body.substance ||
    b.body.length - a.body.length ||
    (a.id < b.id ? -1 : 1);
}

function apart(a: CascadeRelease, b: CascadeRelease): number {
  return Math.abs(Date.parse(a.publishedAt) - Date.parse(b.publishedAt));
}
