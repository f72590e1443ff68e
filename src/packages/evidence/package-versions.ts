// The versions of packages as pairs and orders see them. Each package is read once from the lowest to the highest bound of
// its ranges, which are cut from that in memory.

import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { type Ecosystem, type PackageName, packageKey } from '../../domain/ecosystems/index.ts';
import { majorOf } from '../../domain/pairs/range-pairs.ts';
import { isPublishedPrerelease } from '../../domain/upgrade/published.ts';
import { countBelow, countUpTo, widestRange } from '../../domain/upgrade/rising-keys.ts';
import { readSpans } from '../../entities/packages/version-spans.ts';
import { endLongTurn } from '../../threads/turns.ts';

export interface NamedSpan {
  ecosystem: Ecosystem;
  name: string;
  // Order keys; both belong to the span.
  lowest: string;
  highest: string;
}

export interface PackageVersion {
  version: string;
  key: string;
  integrity: string | null;
  // '' when that is not known.
  publishedAt: string;
  // Its major number.
  major: string;
  // It can be downloaded and checked, and is not withdrawn.
  isComparable: boolean;
  isPrerelease: boolean;
  // An ordinary installation may get it.
  isInstallable: boolean;
}

interface VersionRow {
  version: string;
  version_sort: string;
  published_at: string | null;
  integrity: string | null;
  has_address: number;
  withdrawn: number;
}

// The versions of one package, rising.
export class PackageVersions {
  readonly versions: readonly PackageVersion[];
  readonly #keys: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  // Those that may be compared inside of a range.
  readonly #inner: readonly PackageVersion[];
  readonly #innerKeys: readonly string[];
  // How many installable versions come before each place.
  readonly #installable: Uint32Array;

  constructor(versions: readonly PackageVersion[]) {
    this.versions = versions;
    this.#keys = versions.map(({ key }) => key);
    this.#places = new Map(versions.map(({ version }, place) => [version, place]));
    this.#inner = versions.filter(({ isComparable, isPrerelease }) => isComparable && !isPrerelease);
    this.#innerKeys = this.#inner.map(({ key }) => key);
    this.#installable = new Uint32Array(versions.length + 1);
    for (const [place, { isInstallable }] of versions.entries()) {
      this.#installable[place + 1] = (this.#installable[place] ?? 0) + (isInstallable ? 1 : 0);
    }
  }

  find(version: string): PackageVersion | null {
    return this.versions[this.#places.get(version) ?? -1] ?? null;
  }

  // Those between the bounds that may be compared, without pre-releases.
  comparableInside({ lowest, highest }: Pick<NamedSpan, 'lowest' | 'highest'>): PackageVersion[] {
    return this.#inner.slice(countUpTo(this.#innerKeys, lowest), countBelow(this.#innerKeys, highest));
  }

  // No installable version lies between the two. Versions that differ by their build alone have one key.
  isStep(from: PackageVersion, to: PackageVersion): boolean {
    const [start, end] = [countUpTo(this.#keys, from.key), countBelow(this.#keys, to.key)];
    return start >= end || this.#installable[start] === this.#installable[end];
  }
}

// Sorts below the key, because a key sorts above its own beginning.
function belowKey(key: string): string {
  return key.slice(0, -1);
}

function namedOf([one]: readonly NamedSpan[]): PackageName {
  if (!one) throw new Error('a group of spans is never empty');
  return { ecosystem: one.ecosystem, name: one.name };
}

// By the keys of the packages.
export async function versionsOfPackages(
  ctx: Context,
  spans: readonly NamedSpan[],
): Promise<ReadonlyMap<string, PackageVersions>> {
  const wide = [...Map.groupBy(spans, packageKey).values()].map((own) => ({
    ...namedOf(own),
    ...widestRange(own.map(({ lowest, highest }) => ({ after: belowKey(lowest), upTo: highest }))),
  }));
  const rows = await readSpans(
    ctx,
    wide,
    sql<VersionRow>`v.version, v.version_sort, v.published_at, v.integrity, v.withdrawn,
      CASE WHEN v.tarball_url IS NULL THEN 0 ELSE 1 END AS has_address`,
  );
  const bySlot = Map.groupBy(rows, ({ slot }) => slot);
  const found = new Map<string, PackageVersions>();
  for (const [slot, named] of wide.entries()) {
    await endLongTurn();
    found.set(packageKey(named), new PackageVersions((bySlot.get(slot) ?? []).map(toVersion)));
  }
  return found;
}

function toVersion({ version, version_sort: key, published_at, integrity, has_address, withdrawn }: VersionRow) {
  return {
    version,
    key,
    integrity,
    publishedAt: published_at ?? '',
    major: majorOf(version),
    isComparable: withdrawn === 0 && Number(has_address) === 1 && integrity !== null,
    isPrerelease: isPublishedPrerelease(version),
    isInstallable: withdrawn === 0 && !version.includes('-'),
  };
}
