// What a report keeps of the files of a project: names and versions of packages that everybody may see. The rest is counted.
import { isPossibleName, normalizePackageName, scopeOf } from '../ecosystems/index.ts';
import type { PackageUpgrade, ProjectUpgrades } from '../upgrade/lockfiles/upgrades.ts';

const MAX_REPORT_PACKAGES = 5000;

export interface LeftOut {
  // From a private registry, or from an address that is no public one.
  private: number;
  // From git, a folder or an archive.
  elsewhere: number;
  // Of ecosystems that are not compared here.
  otherEcosystems: number;
  added: number;
  removed: number;
  // Lowered, or without a version that can be compared.
  incomparable: number;
  // More than a report holds.
  omitted: number;
}

export interface KeptRow {
  ecosystem: PackageUpgrade['ecosystem'];
  name: string;
  from: string;
  to: string;
  direct: boolean | null;
  dev: boolean | null;
}

interface KeptReport {
  kind: ProjectUpgrades['kind'];
  rows: KeptRow[];
  leftOut: LeftOut;
}

export function keptReport(read: ProjectUpgrades, privateScopes: ReadonlySet<string>): KeptReport {
  const kept = new Map<string, KeptRow>();
  let hidden = read.hidden ?? 0;
  let strange = 0;
  for (const { ecosystem, name: written, from, to, direct, dev } of read.upgrades) {
    const name = normalizePackageName(ecosystem, written);
    if (privateScopes.has(scopeOf({ ecosystem, name }) ?? '')) {
      hidden += 1;
      continue;
    }
    if (!isPossibleName(ecosystem, name) || !isPlain(from) || !isPlain(to)) {
      strange += 1;
      continue;
    }
    const key = [ecosystem, name, from, to].join('\n');
    const known = kept.get(key);
    // The same copy may be named by the project and by another package.
    if (known) Object.assign(known, { direct: known.direct || direct, dev: known.dev && dev });
    else kept.set(key, { ecosystem, name, from, to, direct, dev });
  }
  const rows = [...kept.values()];
  const count = (...reasons: string[]) => read.others.filter(({ reason }) => reasons.includes(reason)).length;
  return {
    kind: read.kind,
    rows: rows.slice(0, MAX_REPORT_PACKAGES),
    leftOut: {
      private: hidden,
      elsewhere: count('elsewhere') + (read.elsewhere ?? 0),
      otherEcosystems: read.otherEcosystems ?? 0,
      added: count('added') + (read.othersOmitted ?? 0),
      removed: count('removed'),
      incomparable: count('lowered', 'any_version', 'unreadable') + strange,
      omitted: read.omitted + Math.max(0, rows.length - MAX_REPORT_PACKAGES),
    },
  };
}

function isPlain(version: string): boolean {
  return /^[\x20-\x7e]{1,200}$/.test(version);
}

// A row with its answer, in bytes, reckoned before anybody has asked.
const ROW_SIZE = 900;

export function reportSize(rows: readonly KeptRow[]): number {
  return rows.reduce((sum, { name, from, to }) => sum + ROW_SIZE + name.length + from.length + to.length, 500);
}

// Anonymous reports take no more together.
export const ANONYMOUS_BYTES = 1_000_000_000;

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

export function reportEnd(createdAt: Date): string {
  return new Date(createdAt.getTime() + KEPT_DAYS * DAY_MS).toISOString();
}
