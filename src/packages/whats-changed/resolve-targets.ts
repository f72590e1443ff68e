// Finds the sources that questions mean, for many questions with a few queries.

import { type Context, queries } from '../../context.ts';
import type { OtherMatch, UpgradeReasonDetail, WhatsChanged } from '../../contract/whats-changed.ts';
import { scopeOf } from '../../domain/published-package.ts';
import type { LookupMethod, PackageName } from '../../domain/upgrade/requested-package.ts';
import { packageViewer, seenPackages } from '../../entities/packages/viewer.ts';
import type { PackageRow } from '../../store/schema/repositories.ts';
import { type PackageSource, packageSourceRows, toPackageSource } from './package-sources.ts';

interface Sought {
  method: LookupMethod;
  // A slug is looked for in this org alone.
  orgId?: string;
}

export type ResolvedTarget =
  | {
      source: PackageSource;
      matchedBy: NonNullable<WhatsChanged['matchedBy']>;
      // The package part according to the package map; null when the map does not say.
      mapped: string | null;
      // The package by whose name the source was found; null when it was found otherwise.
      named: PackageName | null;
      alsoMatches: OtherMatch[];
    }
  | {
      source: null;
      reason: 'not_tracked' | 'ambiguous';
      detail?: UpgradeReasonDetail;
      candidates?: PackageSource[];
      // The source that was meant, but that needs another form of the name.
      suggested?: PackageSource;
      alsoMatches?: OtherMatch[];
    };

export async function resolveTargets(ctx: Context, sought: readonly Sought[]): Promise<ResolvedTarget[]> {
  const methods = sought.map(({ method }) => method);
  const entries = await mapEntries(ctx, methods);
  const ids = methods.flatMap((method) => (method.by === 'id' ? method.id : []));
  const known = {
    entries,
    byId: await sourcesById(ctx, [...ids, ...[...entries.values()].map((entry) => entry.source_id)]),
    byCoordinate: await sourcesByCoordinate(ctx, methods),
    bySlug: await sourcesBySlug(ctx, methods),
  };
  return sought.map((one) => targetOf(one, known));
}

interface Known {
  entries: Map<string, MapEntry>;
  byId: Map<string, PackageSource>;
  byCoordinate: Map<string, PackageSource[]>;
  bySlug: Map<string, PackageSource[]>;
}

function targetOf({ method, orgId }: Sought, { entries, byId, byCoordinate, bySlug }: Known): ResolvedTarget {
  if (method.by === 'id') return found(readable([byId.get(method.id)]), 'id');
  if (method.by === 'coordinate') return found(readable(byCoordinate.get(method.coordinate) ?? []), 'coordinate');
  if (method.by === 'package_map') {
    const entry = entries.get(mapKey(method));
    const source = mappedSource(entry, byId);
    const { ecosystem, name } = method;
    return found(source, 'package_map', { mapped: entry?.package_part ?? null, named: { ecosystem, name } });
  }
  if (method.by === 'slug') return bySlugOrName({ method, orgId }, { entries, byId, bySlug });
  if (method.by === 'org_source') {
    const source = shown(bySlug.get(method.slug) ?? []).find(({ orgSlug }) => orgSlug === method.org);
    if (source) return { ...found(source, 'slug'), alsoMatches: repositoryBeside(source, method, byCoordinate) };
  } else if (method.reason === 'not_tracked') return { source: null, reason: 'not_tracked' };
  const [suggested] = method.coordinate === null ? [] : shown(byCoordinate.get(method.coordinate) ?? []);
  return { source: null, reason: 'not_tracked', detail: 'ecosystem_required', suggested };
}

// `org/source` may also be the name of a repository.
function repositoryBeside(
  source: PackageSource,
  { coordinate }: Extract<LookupMethod, { by: 'org_source' }>,
  byCoordinate: Known['byCoordinate'],
): OtherMatch[] {
  const [other] = coordinate === null ? [] : shown(byCoordinate.get(coordinate) ?? []);
  if (!other || coordinate === null || other.id === source.id) return [];
  return [{ ecosystem: 'github', package: coordinate, sourceSlug: other.slug, orgSlug: other.orgSlug }];
}

// The slug wins, then the name of a package; what the other one would have been is told.
function bySlugOrName(
  { method, orgId }: Sought & { method: Extract<LookupMethod, { by: 'slug' }> },
  { entries, byId, bySlug }: Pick<Known, 'entries' | 'byId' | 'bySlug'>,
): ResolvedTarget {
  const inOrg = (source: PackageSource) => orgId === undefined || source.orgId === orgId;
  const candidates = shown(bySlug.get(method.slug) ?? []).filter(inOrg);
  const mapped = method.names.flatMap((named) => {
    const entry = entries.get(mapKey(named));
    const source = mappedSource(entry, byId);
    return source ? [{ source, named, part: entry?.package_part ?? null }] : [];
  });
  const others = (taken: readonly PackageSource[]): OtherMatch[] =>
    mapped
      .filter(({ source }) => taken.every(({ id }) => id !== source.id))
      .map(({ source, named: { ecosystem, name } }) => {
        return { ecosystem, package: name, sourceSlug: source.slug, orgSlug: source.orgSlug };
      });
  if (candidates.length > 1) return { source: null, reason: 'ambiguous', candidates, alsoMatches: others(candidates) };
  const [slugged] = candidates;
  if (slugged) {
    return { source: slugged, matchedBy: 'slug', mapped: null, named: null, alsoMatches: others([slugged]) };
  }
  const match = mapped.find(({ source }) => inOrg(source));
  if (match) {
    const { source, part, named } = match;
    return { source, matchedBy: 'package_map', mapped: part, named, alsoMatches: others([source]) };
  }
  return { source: null, reason: 'not_tracked', detail: method.slug.includes('/') ? 'ecosystem_required' : undefined };
}

function found(
  source: PackageSource | undefined,
  matchedBy: NonNullable<WhatsChanged['matchedBy']>,
  { mapped, named }: { mapped: string | null; named: PackageName | null } = { mapped: null, named: null },
): ResolvedTarget {
  if (source) return { source, matchedBy, mapped, named, alsoMatches: [] };
  return { source: null, reason: 'not_tracked', detail: named ? 'not_mapped' : undefined };
}

function shown(sources: readonly (PackageSource | undefined)[]): PackageSource[] {
  return sources.filter((source) => source !== undefined).filter((source) => source.visible);
}

// The first readable source. Sources that an operator has hidden are not found; those made by a lookup are found by their id,
// their repository, or the package that was looked up.
function readable(sources: readonly (PackageSource | undefined)[]): PackageSource | undefined {
  return shown(sources)[0] ?? sources.find((source) => source?.unlisted);
}

function mapKey({ ecosystem, name }: Pick<PackageRow, 'ecosystem' | 'name'>): string {
  return `${ecosystem} ${name}`;
}

type MapEntry = Pick<PackageRow, 'ecosystem' | 'name' | 'source_id' | 'package_part'> & {
  // In the scope of a private registry that the caller may see.
  isPrivate: boolean;
};

// The page of a private package is a source that is hidden from everybody else.
function mappedSource(entry: MapEntry | undefined, byId: Known['byId']): PackageSource | undefined {
  const source = byId.get(entry?.source_id ?? '');
  return entry?.isPrivate && source?.type === 'scrape' ? source : readable([source]);
}

async function mapEntries(ctx: Context, methods: readonly LookupMethod[]): Promise<Map<string, MapEntry>> {
  const requested = methods.flatMap((method): PackageName[] =>
    method.by === 'package_map' ? [method] : method.by === 'slug' ? method.names : [],
  );
  if (requested.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('packages')
    .select(['ecosystem', 'name', 'source_id', 'package_part'])
    .where('ecosystem', 'in', distinct(requested.map(({ ecosystem }) => ecosystem)))
    .where('name', 'in', distinct(requested.map(({ name }) => name)))
    .execute();
  const viewer = rows.some(({ name }) => name.startsWith('@')) ? await packageViewer(ctx) : null;
  const seen = viewer ? seenPackages(ctx, viewer, rows) : rows;
  const isPrivate = (row: PackageName) => viewer?.private.has(scopeOf(row) ?? '') ?? false;
  return new Map(seen.map((row) => [mapKey(row), { ...row, isPrivate: isPrivate(row) }]));
}

async function sourcesById(ctx: Context, ids: readonly string[]): Promise<Map<string, PackageSource>> {
  if (ids.length === 0) return new Map();
  const rows = await packageSourceRows(ctx).where('s.id', 'in', distinct(ids)).execute();
  return new Map(rows.map((row) => [row.id, toPackageSource(ctx, row)]));
}

// The sources of repositories; a former name counts when no repository has it today.
async function sourcesByCoordinate(
  ctx: Context,
  methods: readonly LookupMethod[],
): Promise<Map<string, PackageSource[]>> {
  const requested = distinct(methods.flatMap((method) => ('coordinate' in method ? (method.coordinate ?? []) : [])));
  if (requested.length === 0) return new Map();
  const rows = await packageSourceRows(ctx).where('s.github_coordinate', 'in', requested).execute();
  const sources = Map.groupBy(
    rows.map((row) => toPackageSource(ctx, row)),
    (source) => source.coordinate ?? '',
  );
  const unknown = requested.filter((coordinate) => !sources.has(coordinate));
  if (unknown.length === 0) return sources;
  const former = await packageSourceRows(ctx)
    .innerJoin('former_coordinates as n', 'n.source_id', 's.id')
    .select('n.coordinate as former')
    .where('n.coordinate', 'in', unknown)
    .execute();
  for (const [coordinate, list] of Map.groupBy(former, (row) => row.former)) {
    sources.set(
      coordinate,
      list.map(({ former: _, ...row }) => toPackageSource(ctx, row)),
    );
  }
  return sources;
}

async function sourcesBySlug(ctx: Context, methods: readonly LookupMethod[]): Promise<Map<string, PackageSource[]>> {
  const slugs = distinct(
    methods.flatMap((method) => (method.by === 'slug' || method.by === 'org_source' ? method.slug : [])),
  );
  if (slugs.length === 0) return new Map();
  const rows = await packageSourceRows(ctx).where('s.slug', 'in', slugs).execute();
  return Map.groupBy(
    rows.map((row) => toPackageSource(ctx, row)),
    (source) => source.slug,
  );
}

function distinct<T extends string>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
