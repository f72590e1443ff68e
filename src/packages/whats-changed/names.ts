// Names of tracked sources and packages, cached in memory for suggestions. They are read again when they have changed, and
// the visibility of a suggestion is checked before it is given.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { type Ecosystem, normalizePackageName, packageKey } from '../../domain/published-package.ts';
import { type PackageRequest, plainRequest } from '../../domain/upgrade/requested-package.ts';
import { type CloseSource, createNameIndex, type NamedSource, type NameIndex } from '../../domain/upgrade/suggest.ts';
import { packageViewer, seenPackage } from '../../entities/packages/viewer.ts';
import { visibleSource } from '../../entities/visible.ts';
import type { Store } from '../../store/store.ts';

const MAX_SUGGESTIONS = 5;
// More candidates than suggestions, because some may be hidden.
const CANDIDATES = 15;

interface CachedNames {
  dataVersion: number;
  signature: string;
  index: NameIndex;
}

const cache = new WeakMap<Store, CachedNames>();

interface AskedName {
  name: string;
  ecosystem: Ecosystem | undefined;
}

// For each question, what to ask for instead: packages with their ecosystem and slugs of visible sources that are close.
export async function suggestNames(ctx: Context, asked: readonly PackageRequest[]): Promise<string[][]> {
  if (asked.length === 0) return [];
  const index = await nameIndex(ctx);
  const close = asked.map((one) => {
    const { package: name, ecosystem } = plainRequest(one);
    const named = { name, ecosystem: ecosystem === 'github' ? undefined : ecosystem };
    return { named, sources: index.closest(name, { most: CANDIDATES, ecosystem: named.ecosystem }) };
  });
  const visible = await visibleSources(ctx, [
    ...new Set(close.flatMap(({ sources }) => sources.map(({ slug }) => slug))),
  ]);
  return close.map(({ named, sources }) => {
    const texts = sources
      .filter(({ id }) => visible.ids.has(id))
      .flatMap((one) => suggestionTexts(named, one, visible));
    return [...new Set(texts)].slice(0, MAX_SUGGESTIONS);
  });
}

// Slugs of visible sources that are close to a name.
export async function suggestSlugs(ctx: Context, name: string): Promise<string[]> {
  const close = (await nameIndex(ctx)).closest(name, { most: CANDIDATES });
  const { ids } = await visibleSources(ctx, [...new Set(close.map(({ slug }) => slug))]);
  const slugs = close.filter(({ id }) => ids.has(id)).map(({ slug }) => slug);
  return [...new Set(slugs)].slice(0, MAX_SUGGESTIONS);
}

// A package that is named like its source answers by that name alone. What was asked for is given again only where it
// answers without the ecosystem.
function suggestionTexts(
  { name, ecosystem }: AskedName,
  { slug, package: near, isNamedAlike }: CloseSource,
  visible: VisibleSources,
): string[] {
  const isAsked = (own: Ecosystem) => near?.name === normalizePackageName(own, name) && (ecosystem ?? own) === own;
  const named = near && !isAsked(near.ecosystem) && (ecosystem !== undefined || !isNamedAlike) ? near : null;
  if (slug !== name) {
    const isSame = named?.name === slug && (ecosystem === undefined || ecosystem === named.ecosystem);
    return named && !isSame ? [packageKey(named), slug] : [slug];
  }
  const answers = ecosystem !== undefined && visible.answering.has(slug);
  return [named ? packageKey(named) : [], answers ? slug : []].flat();
}

async function nameIndex(ctx: Context): Promise<NameIndex> {
  const dataVersion = ctx.store.dataVersion();
  const known = cache.get(ctx.store);
  if (known?.dataVersion === dataVersion) return known.index;
  const signature = await readSignature(ctx);
  const index = known?.signature === signature ? known.index : createNameIndex(await namedSources(ctx));
  cache.set(ctx.store, { dataVersion, signature, index });
  return index;
}

// A signature of all names; most commits add releases and change no name.
async function readSignature(ctx: Context): Promise<string> {
  const { rows } = await sql<{ signature: string }>`
    SELECT (SELECT COUNT(*) FROM sources WHERE deleted_at IS NULL) || ' '
      || COALESCE((SELECT MAX(updated_at) FROM sources), '') || ' '
      || (SELECT COUNT(*) FROM packages) || ' '
      || COALESCE((SELECT MAX(updated_at) FROM packages), '') || ' '
      || (SELECT COUNT(*) FROM private_scopes) || ' '
      || (SELECT COUNT(DISTINCT registry) FROM package_states WHERE registry IS NOT NULL) AS signature`.execute(
    queries(ctx),
  );
  return rows[0]?.signature ?? '';
}

async function namedSources(ctx: Context): Promise<NamedSource[]> {
  const sources = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select(['s.id', 's.slug', 's.name', 'f.release_count'])
    .where('s.deleted_at', 'is', null)
    .execute();
  // The index is shared by all callers, so names of private packages lead nobody anywhere.
  const viewer = await packageViewer(ctx);
  const packages = await queries(ctx)
    .selectFrom('packages as m')
    .select(['m.source_id', 'm.ecosystem', 'm.name'])
    .where(seenPackage(viewer.private, 'm'))
    .execute();
  const bySource = Map.groupBy(packages, ({ source_id }) => source_id);
  return sources.map(({ id, slug, name, release_count }) => ({
    id,
    slug,
    name,
    packages: (bySource.get(id) ?? []).map(({ ecosystem, name }) => ({ ecosystem, name })),
    releases: release_count ?? 0,
  }));
}

interface VisibleSources {
  ids: ReadonlySet<string>;
  // Slugs of one source alone, which has releases.
  answering: ReadonlySet<string>;
}

async function visibleSources(ctx: Context, slugs: readonly string[]): Promise<VisibleSources> {
  if (slugs.length === 0) return { ids: new Set(), answering: new Set() };
  const rows = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select(['s.id', 's.slug', 'f.release_count'])
    .where('s.slug', 'in', slugs)
    .where(visibleSource())
    .execute();
  const answering = [...Map.groupBy(rows, ({ slug }) => slug)].filter(([, [one, ...others]]) => {
    return others.length === 0 && (one?.release_count ?? 0) > 0;
  });
  return { ids: new Set(rows.map(({ id }) => id)), answering: new Set(answering.map(([slug]) => slug)) };
}
