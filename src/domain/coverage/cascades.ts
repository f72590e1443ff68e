// Cascades inside one repository: a change to one package releases all that depend on it, and only the first has news.
import { isHeadingLine } from '../markdown/line-syntax.ts';

// The notes that monorepo tools write for every package of a push, as they are read.
export interface CascadeBody {
  // Commits of other packages that this one depends on ("Updated dependencies [abc1234]").
  followed: ReadonlySet<string>;
  // Commits that the body describes itself ("abc1234: Add retries").
  described: ReadonlySet<string>;
  // Packages that the body only names, as `name@version`.
  dependencies: readonly string[];
  // The body says nothing but "Version bump only for package …".
  isBump: boolean;
  // How many letters are neither heading nor list of dependencies.
  substance: number;
  length: number;
}

const LINK = /\[([^[\]\n]{0,200})\]\([^()\s]{0,2048}\)/g;
const BULLET = /^\s{0,12}[-*+]\s+(?<text>.+)$/;
const BOLD_LINE = /^\s*(?:\*\*|__)[^*_]{1,80}(?:\*\*|__)\s*$/;
const UPDATED = /^updated dependencies\b(?<rest>.*)$/i;
const DESCRIBED =
  /^(?:#\d{1,7}\s+)?(?<hash>[0-9a-f]{7,40})(?::\s*|\s+thanks\b[^!]{0,200}!\s*-?\s*|\s+[-–]\s+)(?<text>\S.*)$/i;
const PACKAGE = /^(?<name>(?:@[\w.-]{1,100}\/)?[\w.-]{1,100}@v?\d[\w.+-]{0,60})$/i;
const HASH = /\b[0-9a-f]{7,40}\b/gi;
const BUMP = /\bversion bump only\b/i;
const MAX_LINES = 5_000;

export function readCascadeBody(content: string): CascadeBody {
  const followed = new Set<string>();
  const described = new Set<string>();
  const dependencies: string[] = [];
  let bumps = 0;
  let substance = 0;
  for (const line of content.split('\n', MAX_LINES)) {
    const plain = line.replace(LINK, '$1').replaceAll('`', '').trimEnd();
    if (plain.trim() === '' || isHeadingLine(plain) || BOLD_LINE.test(plain)) continue;
    const bullet = BULLET.exec(plain)?.groups?.text;
    const text = (bullet ?? plain).trim();
    const updated = UPDATED.exec(text)?.groups?.rest;
    const own = bullet === undefined ? undefined : DESCRIBED.exec(text)?.groups;
    const named = bullet === undefined ? undefined : PACKAGE.exec(text)?.groups?.name;
    if (updated !== undefined) for (const [hash] of updated.matchAll(HASH)) followed.add(hash.toLowerCase());
    else if (named !== undefined) dependencies.push(named);
    else if (BUMP.test(text)) bumps += 1;
    else {
      if (own?.hash) described.add(own.hash.toLowerCase());
      substance += (own?.text ?? text).replace(/[^\p{L}\p{N}]+/gu, '').length;
    }
  }
  const isBump = bumps > 0 && substance === 0 && described.size === 0 && followed.size === 0;
  return { followed, described, dependencies, isBump, substance, length: content.length };
}

// Whether the body looks like the notes of one of several packages of a push.
export function isCascading({ followed, described, dependencies, isBump }: CascadeBody): boolean {
  return followed.size > 0 || described.size > 0 || dependencies.length > 0 || isBump;
}

// Which releases of a push another one covers.

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
