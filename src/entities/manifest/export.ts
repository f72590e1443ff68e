// The manifest that the org's own domain could serve, made from the data of the registry.
import { type Context, queries } from '../../context.ts';
import type { Locator, Manifest, ManifestProduct } from '../../contract/manifest.ts';
import { factsOf, readerOf } from '../../domain/source-types.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import type { OrgRow, ProductRow, ReleaseLocationRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { countedSources } from '../activity/counts.ts';
import { openOrg } from '../open.ts';
import { accountsOf } from '../orgs/accounts.ts';
import { locationRows } from '../orgs/locations.ts';
import { visibleProducts } from '../orgs/products.ts';
import { tagNamesOf } from '../taxonomy/entity-labels.ts';

const MAX_ITEMS = { releases: 32, productReleases: 8, products: 24, tags: 50 };
const MAX_LENGTHS = { name: 120, description: 2000, tag: 60, platform: 40, handle: 200 };

export async function exportManifest(ctx: Context, input: { org: string }): Promise<Manifest> {
  const org = await openOrg(ctx, input.org);
  const products = await visibleProducts(ctx, org.id);
  const locations = await publishedLocations(ctx, org);
  const [only] = products;
  const entry = { org: org.id, product: products.length === 1 && only ? `prd_${only.id.slice(5)}` : undefined };
  return withoutEmpty<Manifest>({
    $schema: `${ctx.config.baseUrl}/schemas/releases-v2.json`,
    version: 2,
    registries: { [ctx.config.name]: withoutEmpty(entry) },
    name: shortened(org.name, MAX_LENGTHS.name),
    description: org.description ? shortened(org.description, MAX_LENGTHS.description) : undefined,
    category: org.category ?? undefined,
    avatar: org.avatar_url?.startsWith('https://') ? org.avatar_url : undefined,
    tags: await tagsOf(ctx, { orgId: org.id }),
    social: await socialOf(ctx, org.id),
    releases: locatorsFor(locations, null, MAX_ITEMS.releases),
    products: await productsOf(ctx, products, locations),
  });
}

function locatorsFor(locations: readonly PublishedLocation[], productId: string | null, most: number): Locator[] {
  const chosen = locations
    .filter((location) => location.productId === productId)
    .sort((a, b) => Number(b.primary) - Number(a.primary) || byReleases(a, b))
    .slice(0, most);
  return sortLocators(chosen.map((location) => location.locator));
}

async function productsOf(
  ctx: Context,
  products: readonly ProductRow[],
  locations: readonly PublishedLocation[],
): Promise<ManifestProduct[]> {
  const counted = products.map(({ id }) => {
    const own = locations.filter((location) => location.productId === id);
    return { id, releaseCount: own.reduce((sum, location) => sum + location.releaseCount, 0) };
  });
  const chosen = new Set(
    counted
      .sort(byReleases)
      .slice(0, MAX_ITEMS.products)
      .map(({ id }) => id),
  );
  const written = products
    .filter(({ id }) => chosen.has(id))
    .map(async (product) =>
      withoutEmpty<ManifestProduct>({
        name: shortened(product.name, MAX_LENGTHS.name),
        slug: product.slug,
        kind: product.kind ?? undefined,
        category: product.category ?? undefined,
        description: product.description ? shortened(product.description, MAX_LENGTHS.description) : undefined,
        website: product.url ?? undefined,
        tags: await tagsOf(ctx, { productId: product.id }),
        releases: locatorsFor(locations, product.id, MAX_ITEMS.productReleases),
      }),
    );
  return Promise.all(written);
}

async function tagsOf(ctx: Context, owner: { orgId: string } | { productId: string }): Promise<string[]> {
  const names = await tagNamesOf(ctx, owner);
  return names.slice(0, MAX_ITEMS.tags).map((name) => shortened(name, MAX_LENGTHS.tag));
}

// The oldest account of each platform.
async function socialOf(ctx: Context, orgId: string): Promise<Record<string, string>> {
  const social = new Map<string, string>();
  for (const { platform, handle } of await accountsOf(ctx, orgId)) {
    const key = shortened(platform, MAX_LENGTHS.platform);
    if (!social.has(key)) social.set(key, shortened(handle, MAX_LENGTHS.handle));
  }
  return Object.fromEntries([...social].sort(([a], [b]) => (a < b ? -1 : 1)));
}

// Drops keys without a value, and empty lists and objects.
function withoutEmpty<T extends object>(value: T): T {
  const filled = Object.entries(value).filter(
    ([, item]) => item !== undefined && !(typeof item === 'object' && Object.keys(item).length === 0),
  );
  return Object.fromEntries(filled) as T;
}

// The locations where an org publishes, whether they are read by a source or only known.
interface PublishedLocation {
  id: string;
  productId: string | null;
  primary: boolean;
  releaseCount: number;
  locator: Locator;
}

// A stub has no sources yet, so its stored locations are used.
async function publishedLocations(ctx: Context, org: OrgRow): Promise<PublishedLocation[]> {
  if (org.status === 'stub') {
    return (await locationRows(ctx, org.id)).flatMap((row) => {
      const locator = locationLocator(row);
      const location = { id: row.id, productId: row.product_id, primary: row.canonical === 1, releaseCount: 0 };
      return locator ? [{ ...location, locator }] : [];
    });
  }
  const sources = await countedSources(ctx, { orgId: org.id });
  const counts = await releaseCounts(
    ctx,
    sources.map((source) => source.id),
  );
  return sources.flatMap((source) => {
    const locator = sourceLocator(source);
    const location = { id: source.id, productId: source.product_id, primary: source.is_primary === 1 };
    return locator ? [{ ...location, releaseCount: counts.get(source.id) ?? 0, locator }] : [];
  });
}

async function releaseCounts(ctx: Context, sourceIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await queries(ctx)
    .selectFrom('source_figures')
    .select(['source_id', 'release_count'])
    .where('source_id', 'in', [...sourceIds, ''])
    .execute();
  return new Map(rows.map((row) => [row.source_id, row.release_count]));
}

// The entity with the most releases comes first; ids break ties.
function byReleases(a: { id: string; releaseCount: number }, b: { id: string; releaseCount: number }): number {
  return b.releaseCount - a.releaseCount || (a.id < b.id ? -1 : 1);
}

// Sources and stored locations as locators of a manifest.

const TITLE = 200;
// The order in which kinds of locator are listed.
const KINDS = ['github', 'appstore', 'feed', 'file', 'url'] as const;

// The address that a fetch of the source reads, keyed by its kind of locator; null when it is not https.
export function sourceLocator(source: SourceRow): Locator | null {
  const address = addressOf(source);
  if (address === null) return null;
  return { ...address, title: shortened(source.name, TITLE), ...(source.is_primary ? { canonical: true } : {}) };
}

function addressOf(source: SourceRow): Locator | null {
  const { isRepository, locator } = factsOf(readerOf(source));
  const coordinate = isRepository ? (source.github_coordinate ?? githubCoordinate(source.url)) : null;
  if (coordinate) return { github: coordinate };
  const address = locator === 'feed' ? (source.feed_url ?? source.url) : source.url;
  if (!isHttps(address)) return null;
  // A repository without a coordinate has only its URL.
  return { [isRepository ? 'url' : locator]: address };
}

function locationLocator(row: ReleaseLocationRow): Locator | null {
  const locator: Locator = {};
  if (row.github) locator.github = row.github;
  for (const kind of ['url', 'feed', 'appstore', 'file'] as const) {
    const value = row[kind];
    if (value && isHttps(value)) locator[kind] = value;
  }
  if (Object.keys(locator).length === 0) return null;
  if (row.title) locator.title = shortened(row.title, TITLE);
  if (row.canonical) locator.canonical = true;
  return locator;
}

// Canonical first, then by kind and value; at most one in a list is canonical.
export function sortLocators(locators: readonly Locator[]): Locator[] {
  const sorted = [...locators].sort(compareLocators);
  return sorted.map((locator, index) => {
    if (index === 0 || !locator.canonical) return locator;
    const { canonical: _, ...rest } = locator;
    return rest;
  });
}

function compareLocators(a: Locator, b: Locator): number {
  const canonical = Number(b.canonical ?? false) - Number(a.canonical ?? false);
  if (canonical !== 0) return canonical;
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (kindA !== kindB) return KINDS.indexOf(kindA) - KINDS.indexOf(kindB);
  const [valueA, valueB] = [a[kindA] ?? '', b[kindB] ?? ''];
  return valueA < valueB ? -1 : valueA > valueB ? 1 : 0;
}

function kindOf(locator: Locator): (typeof KINDS)[number] {
  return KINDS.find((kind) => locator[kind] !== undefined) ?? 'url';
}

function isHttps(url: string): boolean {
  return /^https:\/\//i.test(url) && URL.canParse(url);
}

// Truncates a text to the limit of the manifest, never in the middle of a character.
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max);
  return (/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut).trimEnd();
}
