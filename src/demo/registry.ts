// The demo registry as the text files below `data` describe it, with their dates counted back from today.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { CreateSource } from '../catalog/sources/create.ts';
import type { CollectionCreation } from '../contract/collection.ts';
import type { Category, Discovery, LocationBasis, OrgStatus, SourceType } from '../contract/enums.ts';
import type { Locator } from '../contract/manifest.ts';
import type { SiteNoticeInput } from '../contract/notice.ts';
import type { OrgCreation } from '../contract/org-input.ts';
import type { ProductCreation } from '../contract/product-input.ts';
import type { ReleaseInput } from '../contract/release-input.ts';
import type { EntityNotice } from '../contract/scalars.ts';
import type { CategoryChange } from '../contract/taxonomy.ts';
import { readReleases } from './read-releases.ts';

export interface DemoRegistry {
  orgs: DemoOrg[];
  sources: DemoSource[];
  // Members are orgs, or products as `org/product`.
  collections: (CollectionCreation & { slug: string; members: string[] })[];
  // Categories without an entry keep their defaults.
  categories: (CategoryChange & { slug: Category })[];
  notice: SiteNoticeInput;
  today: number;
}

export interface DemoOrg extends Omit<OrgCreation, 'accounts'> {
  slug: string;
  accounts?: string[];
  status?: OrgStatus;
  discovery?: Discovery;
  notice?: EntityNotice;
  playbook?: string;
  ignoredUrls?: { url: string; reason?: string }[];
  products?: (ProductCreation & { notice?: EntityNotice })[];
  // `product` and `source` are slugs of the org.
  locations?: { locator: Locator; basis: LocationBasis; product?: string; source?: string }[];
}

export interface DemoSource extends CreateSource {
  // `<org>/<source>`, or `-/<source>` without an org.
  key: string;
  slug: string;
  type: SourceType;
  metadata: Record<string, unknown>;
  notice?: EntityNotice;
  stars?: number;
  health?: 'failing' | 'never_fetched';
  addedAt: string;
  // Paths of changelog files; a file in the folder of a package holds the releases of that package.
  changelogs?: string[];
  // `part` marks a package that has releases of its own in this source.
  packages?: { name: string; part?: boolean; by?: 'operator' }[];
  // Oldest first.
  releases: DemoRelease[];
}

// A row of the batch call, when it was first seen, and the release of another source that it tells about.
export interface DemoRelease extends ReleaseInput {
  title: string;
  content: string;
  fetchedAt: string;
  covers?: string;
}

export const DAY_MS = 86_400_000;
export const iso = (at: number) => new Date(at).toISOString();

const DATA = fileURLToPath(new URL('data', import.meta.url));

// `releases` is how many of all releases are kept: of every source its newest.
export function readDemoRegistry({ now, releases }: { now: Date; releases?: number | undefined }): DemoRegistry {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const folders = readdirSync(DATA, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => readFolder(entry.name, today));
  const sources = folders.flatMap((folder) => folder.sources);
  if (releases !== undefined) keepNewest(sources, releases);
  return { ...readYaml('site.yaml'), orgs: folders.flatMap(({ org }) => org ?? []), sources, today };
}

// A folder is an org; `_independent` holds the sources without one.
function readFolder(folder: string, today: number): { org: DemoOrg | null; sources: DemoSource[] } {
  const { sources = [], ...org } = readYaml(`${folder}/org.yaml`);
  const orgSlug = folder === '_independent' ? undefined : folder;
  return {
    org: orgSlug ? { slug: orgSlug, ...org } : null,
    sources: sources.map(({ product, addedDaysAgo, ...source }: Record<string, unknown> & { slug: string }) => {
      const read = {
        name: source.slug,
        ...source,
        orgSlug,
        productSlug: product,
        key: `${orgSlug ?? '-'}/${source.slug}`,
      };
      const addedAt = iso(today - Number(addedDaysAgo) * DAY_MS);
      const text = source.health === 'never_fetched' ? '' : readFileSync(`${DATA}/${folder}/${source.slug}.md`, 'utf8');
      return { ...read, addedAt, releases: readReleases(text, { ...(read as unknown as DemoSource), addedAt, today }) };
    }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of our own files is held by their test
const readYaml = (path: string): any => parse(readFileSync(`${DATA}/${path}`, 'utf8'));

function keepNewest(sources: DemoSource[], wanted: number): void {
  const total = sources.reduce((sum, source) => sum + source.releases.length, 0);
  let passed = 0;
  for (const source of sources) {
    // Shares are rounded so that they add up to the wanted number.
    const before = Math.round((passed * wanted) / total);
    passed += source.releases.length;
    const share = Math.round((passed * wanted) / total) - before;
    source.releases = share === 0 ? [] : source.releases.slice(-share);
  }
}
