// What stands before a version: the greatest lower stable version of the same package and scheme, from which the size of a step
// is measured, and whether its source publishes several packages.
import { sql } from 'kysely';
import { type Context, queries } from '../context.ts';
import { elementAt } from '../domain/records.ts';
import {
  compareVersionKeys,
  type ParsedVersion,
  parseVersion,
  type SchemeSetting,
  schemeOfKey,
} from '../domain/versions/index.ts';
import { publicPackages } from '../entities/packages/viewer.ts';
import { together } from '../store/pipeline.ts';
import { ONE_PLAN } from '../store/query-builder.ts';
import type { SourceRow } from '../store/schema/sources.ts';
import { inVersionOrder, schemeSetting, type VersionFields } from './versions.ts';

interface Stable {
  text: string;
  key: string;
  parsed?: ParsedVersion | null;
}

export interface VersionBase {
  previous: ParsedVersion | null;
  // The previous version is a pre-release of the same numbers, so the two are zero steps apart.
  continues: boolean;
  // The source publishes several packages, so its own name is not theirs.
  shared: boolean;
  // The name of the release's package in the package map; null when the map knows none, or several.
  packageName: string | null;
}

const MAX_PACKAGES = 1000;

export class StableVersions {
  readonly #ctx: Context;
  readonly #sourceId: string;
  readonly #setting: SchemeSetting;
  readonly #batch = new Map<string | null, Stable[]>();
  readonly #drafts = new Map<string | null, Stable[]>();
  #shared: boolean | null = null;
  #packageNames: ReadonlyMap<string | null, ReadonlySet<string>> | null = null;
  // What is stored below the versions of the batch is read together; below others one by one.
  readonly #batchKeys: StoredKey[];
  #below: ReadonlyMap<string, Stable | null> = new Map();

  // `batch` contains versions that are about to be stored, because a step may begin at one of them.
  constructor(ctx: Context, source: Pick<SourceRow, 'id' | 'version_scheme'>, batch: readonly VersionFields[] = []) {
    this.#ctx = ctx;
    this.#sourceId = source.id;
    this.#setting = schemeSetting(source);
    this.#batchKeys = batch.flatMap(lookedUp);
    for (const { version, version_sort: key, package_part, prerelease, parsed } of batch) {
      if (version === null || key === null) continue;
      const stage = prerelease ? this.#drafts : this.#batch;
      const known = stage.get(package_part);
      if (known) known.push({ text: version, key, parsed });
      else stage.set(package_part, [{ text: version, key, parsed }]);
    }
    for (const list of [...this.#batch.values(), ...this.#drafts.values()]) {
      list.sort((a, b) => compareVersionKeys(a.key, b.key));
    }
  }

  // Reads what every version needs, so that its statements can be sent along with others.
  async load(): Promise<void> {
    const [names, below] = await together([
      this.#packageNames ?? this.#mappedNames(),
      this.#readBelowAll(this.#batchKeys),
    ]);
    this.#packageNames = names;
    this.#below = below;
  }

  // What is below the highest key of a package is below every other one too that is higher than it, so the others are only
  // asked for where the stored versions reach among those of the batch.
  async #readBelowAll(keys: readonly StoredKey[]): Promise<Map<string, Stable | null>> {
    const packages = [
      ...Map.groupBy(keys, ({ packagePart, prerelease }) => `${prerelease} ${packagePart ?? ''}`).values(),
    ];
    const highest = packages.map((own) => own.reduce((a, b) => (compareVersionKeys(b.key, a.key) > 0 ? b : a)));
    const belowHighest = await this.#readBelow(highest);
    const among: StoredKey[] = [];
    const below = new Map<string, Stable | null>();
    for (const [index, own] of packages.entries()) {
      const stored = belowHighest.get(idOf(elementAt(highest, index))) ?? null;
      for (const key of own) {
        if (stored && compareVersionKeys(stored.key, key.key) >= 0) among.push(key);
        else below.set(idOf(key), stored);
      }
    }
    for (const [id, stored] of await this.#readBelow(among)) below.set(id, stored);
    return below;
  }

  async before(version: VersionFields): Promise<VersionBase> {
    const previous = await this.#stableBefore(version);
    return {
      previous,
      continues: await this.#continues(version),
      shared: await this.#isShared(version),
      packageName: await this.#packageName(version),
    };
  }

  async #packageName({ package_part }: VersionFields): Promise<string | null> {
    this.#packageNames ??= await this.#mappedNames();
    const [name, ...others] = this.#packageNames.get(package_part) ?? [];
    return name !== undefined && others.length === 0 ? name : null;
  }

  async #mappedNames(): Promise<Map<string | null, Set<string>>> {
    const rows = await queries(this.#ctx)
      .selectFrom('packages')
      .select(['ecosystem', 'name', 'package_part'])
      .where('source_id', '=', this.#sourceId)
      .limit(sql.lit(MAX_PACKAGES))
      .modifyEnd(ONE_PLAN)
      .execute();
    const names = new Map<string | null, Set<string>>();
    // Most sources tell of no package.
    if (rows.length === 0) return names;
    for (const { name, package_part } of await publicPackages(this.#ctx, rows)) {
      const known = names.get(package_part);
      if (known) known.add(name);
      else names.set(package_part, new Set([name]));
    }
    return names;
  }

  async #continues({ version_sort: key, prerelease, package_part, parsed }: VersionFields): Promise<boolean> {
    if (!prerelease || key === null || !parsed) return false;
    const sent = greatestBelow(this.#drafts.get(package_part) ?? [], key);
    const stored = await this.#storedBelow(package_part, key, 1);
    return [sent, stored].some((one) => one !== null && sameNumbers(one.parsed ?? parseVersion(one.text), parsed));
  }

  async #isShared({ package_part }: VersionFields): Promise<boolean> {
    if (package_part === null) return false;
    this.#shared ??= await this.#hasSeveralPackages();
    return this.#shared;
  }

  async #hasSeveralPackages(): Promise<boolean> {
    const parts = new Set([...this.#batch.keys(), ...this.#drafts.keys()]);
    if (parts.size > 1) return true;
    const rows = await queries(this.#ctx)
      .selectFrom('releases')
      .select('package_part')
      .distinct()
      .where('source_id', '=', this.#sourceId)
      .where('version_sort', 'is not', null)
      .limit(2)
      .execute();
    for (const { package_part } of rows) parts.add(package_part);
    return parts.size > 1;
  }

  async #stableBefore(version: VersionFields): Promise<ParsedVersion | null> {
    const key = version.version_sort;
    if (key === null || this.#schemeOf(key) === 'calendar') return null;
    const sent = greatestBelow(this.#batch.get(version.package_part) ?? [], key);
    const stored = await this.#storedBelow(version.package_part, key);
    const best = !sent || (stored && compareVersionKeys(stored.key, sent.key) > 0) ? stored : sent;
    return best && this.#schemeOf(best.key) === this.#schemeOf(key) ? (best.parsed ?? parseVersion(best.text)) : null;
  }

  #schemeOf(key: string) {
    return schemeOfKey(key, this.#setting);
  }

  async #storedBelow(packagePart: string | null, key: string, prerelease: 0 | 1 = 0): Promise<Stable | null> {
    const wanted = { packagePart, key, prerelease };
    const known = this.#below.get(idOf(wanted));
    return known === undefined ? ((await this.#readBelow([wanted])).get(idOf(wanted)) ?? null) : known;
  }

  // Packages with a name and those without are two statements, because no index serves both conditions.
  async #readBelow(keys: readonly StoredKey[]): Promise<Map<string, Stable | null>> {
    const below = new Map<string, Stable | null>(keys.map((key) => [idOf(key), null]));
    const named = keys.filter(({ packagePart }) => packagePart !== null);
    const unnamed = keys.filter(({ packagePart }) => packagePart === null);
    const asked = [named, unnamed].filter((wanted) => wanted.length > 0);
    for (const row of (await together(asked.map((wanted) => this.#greatestBelow(wanted)))).flat()) {
      const key = { packagePart: row.part === '' ? null : row.part, key: row.key, prerelease: Number(row.stage) };
      below.set(idOf(key), { text: row.version, key: row.version_sort });
    }
    return below;
  }

  async #greatestBelow(keys: readonly StoredKey[]): Promise<BelowRow[]> {
    const { dialect } = this.#ctx.store;
    const rows = keys.map(({ packagePart, key, prerelease }) => [packagePart ?? '', key, String(prerelease)]);
    const isOfPackage = keys[0]?.packagePart === null ? sql`IS NULL` : sql`= asked.v0`;
    const { rows: found } = await sql<BelowRow>`
      SELECT asked.v0 AS part, asked.v1 AS key, asked.v2 AS stage, r.version, r.version_sort
      FROM ${dialect.textRows(rows, 'asked')} JOIN releases r ON r.id = (
        SELECT o.id FROM releases o WHERE o.source_id = ${this.#sourceId} AND o.package_part ${isOfPackage}
          AND o.version_sort < asked.v1 AND o.prerelease = CAST(asked.v2 AS INTEGER)
        ORDER BY ${inVersionOrder('o', 'DESC')} LIMIT 1)
      WHERE r.version IS NOT NULL ${ONE_PLAN}`.execute(queries(this.#ctx));
    return found;
  }
}

// The greatest stored version below a key, of the same package, stable or a pre-release.
interface StoredKey {
  packagePart: string | null;
  key: string;
  prerelease: number;
}

interface BelowRow {
  part: string;
  key: string;
  stage: string;
  version: string;
  version_sort: string;
}

function idOf({ packagePart, key, prerelease }: StoredKey): string {
  return `${prerelease} ${key} ${packagePart ?? ''}`;
}

// A pre-release also asks for the one before it.
function lookedUp({ version_sort: key, package_part: packagePart, prerelease }: VersionFields): StoredKey[] {
  if (key === null) return [];
  const stable = { packagePart, key, prerelease: 0 };
  return prerelease ? [stable, { packagePart, key, prerelease: 1 }] : [stable];
}

function sameNumbers(a: ParsedVersion | null, b: ParsedVersion): boolean {
  return a !== null && a.numbers.join('.') === b.numbers.join('.');
}

function greatestBelow(sorted: readonly Stable[], key: string): Stable | null {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareVersionKeys(elementAt(sorted, middle).key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1] ?? null;
}
