// The demo registry as the text files below `data` describe it, with their dates counted back from today.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { CollectionCreation } from '../contract/collection.ts';
import type { Category, Discovery, LocationBasis, OrgStatus, SourceType } from '../contract/enums.ts';
import type { Locator } from '../contract/manifest.ts';
import type { SiteNoticeInput } from '../contract/notice.ts';
import type { OrgCreation } from '../contract/org-input.ts';
import type { ProductCreation } from '../contract/product-input.ts';
import type { ReleaseInput } from '../contract/release-input.ts';
import type { EntityNotice } from '../contract/scalars.ts';
import type { CategoryChange } from '../contract/taxonomy.ts';
import type { PackageName } from '../domain/upgrade/requested-package.ts';
import type { CreateSource } from '../entities/sources/create.ts';

export interface DemoRegistry {
  orgs: DemoOrg[];
  sources: DemoSource[];
  collections: (CollectionCreation & { slug: string; members: { orgSlug: string; productSlug?: string }[] })[];
  // Categories without an entry keep their defaults.
  categories: (CategoryChange & { slug: Category })[];
  notice: SiteNoticeInput;
  today: number;
}

export interface DemoOrg extends OrgCreation {
  slug: string;
  status?: OrgStatus;
  discovery?: Discovery;
  notice?: EntityNotice;
  playbook?: string;
  ignoredUrls?: { url: string; reason?: string }[];
  products?: (ProductCreation & { notice?: EntityNotice })[];
  // `product` and `source` are slugs of the org.
  locations?: { locator: Locator; basis: LocationBasis; product?: string; source?: string }[];
  addedAt: string;
}

export interface DemoSource extends CreateSource {
  // `<org>/<source>`, or `-/<source>` without an org.
  key: string;
  // Among all sources; their logs differ by it.
  place: number;
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
  packages?: (PackageName & { part?: boolean; by?: 'operator' })[];
  // Oldest first.
  releases: DemoRelease[];
}

// A row of the batch call, when it was first seen, and the release of another source that it tells about.
type DemoRelease = ReleaseInput & { title: string; content: string; fetchedAt: string; covers?: string };

export const DAY_MS = 86_400_000;
export const iso = (at: number) => new Date(at).toISOString();

const DATA = fileURLToPath(new URL('data', import.meta.url));

export function readDemoRegistry({ now }: { now: Date }): DemoRegistry {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const folders = readdirSync(DATA, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => readFolder(entry.name, today));
  const sources = folders.flatMap((folder) => folder.sources).map((source, place) => ({ ...source, place }));
  return { ...readYaml('site.yaml'), orgs: folders.flatMap(({ org }) => org ?? []), sources, today };
}

// A folder is an org, added with its oldest source; `_independent` holds the sources without one.
function readFolder(folder: string, today: number): { org: DemoOrg | null; sources: DemoSource[] } {
  const { sources: entries = [], ...org } = readYaml(`${folder}/org.yaml`);
  const orgSlug = folder === '_independent' ? undefined : folder;
  const sources: DemoSource[] = entries.map(({ product: productSlug, addedDaysAgo, ...entry }: FileEntry) => {
    const addedAt = iso(today - addedDaysAgo * DAY_MS);
    const key = `${orgSlug ?? '-'}/${entry.slug}`;
    const source = { ...entry, name: entry.name ?? entry.slug, orgSlug, productSlug, key, addedAt };
    const text = entry.health === 'never_fetched' ? '' : readFileSync(`${DATA}/${folder}/${entry.slug}.md`, 'utf8');
    const releases = text.split(/^(?==== )/m).filter(Boolean);
    return { ...source, releases: releases.map((release) => readRelease(release, source, today)).reverse() };
  });
  const [addedAt = iso(today - 30 * DAY_MS)] = sources.map((source) => source.addedAt).sort();
  return { org: orgSlug ? { slug: orgSlug, ...org, addedAt } : null, sources };
}

type FileEntry = DemoSource & { product?: string; addedDaysAgo: number };

// biome-ignore lint/suspicious/noExplicitAny: the shape of our own files is held by their test
const readYaml = (path: string): any => parse(readFileSync(`${DATA}/${path}`, 'utf8'));

// The releases of a source stand in one text file, newest first:
//
//   === 2.1.0 | 12d 09:40        the version, if there is one, and when it came out: days before today and time
//   title: A word on timeouts    fields, one a line; then an empty line and the notes
//
// `{date}`, `{month}`, `{year}`, `{yy}` and `{season}` in title and notes are of the day of the release.

const HEAD = /^=== (?:(.+) \| )?(-?\d+)d (\d\d):(\d\d)$/;
const SEEN_AFTER_MS = 2 * 3_600_000;

function readRelease(entry: string, { type, url, addedAt }: DemoSource, today: number): DemoRelease {
  const end = entry.indexOf('\n\n');
  const [first = '', ...lines] = entry.slice(0, end).split('\n');
  const [, version, days, hours, minutes] = HEAD.exec(first) ?? [];
  if (days === undefined) throw new Error(`no head of a release: ${first}`);
  const at = today - Number(days) * DAY_MS + (Number(hours) * 60 + Number(minutes)) * 60_000;
  const fields = lines.map((line) => line.split(/: (.*)/s) as [string, string]);
  const field = (name: string) => fields.find(([key]) => key === name)?.[1];
  const tag = type === 'github' && version ? `${url}/releases/tag/${encodeURIComponent(version)}` : undefined;
  const page = field('url') ?? tag;
  const media = fields.flatMap(([key, value]) =>
    key === 'media' ? { ...readMedia(value), ...(type === 'video' && { linkUrl: page }) } : [],
  );
  return {
    title: onDay(field('title') ?? version ?? '', at),
    content: onDay(entry.slice(end + 2).trim(), at),
    ...(version && { version }),
    ...(page && { url: page }),
    ...(field('undated') ? {} : { publishedAt: iso(at) }),
    ...(field('type') === 'rollup' && { type: 'rollup' }),
    ...(type === 'github' && { prerelease: field('prerelease') === 'true' }),
    ...(media.length > 0 && { media }),
    ...(field('covers') && { covers: field('covers') }),
    // Nothing is seen before its source was added, and nothing after midnight.
    fetchedAt: iso(Math.min(Math.max(at + SEEN_AFTER_MS, Date.parse(addedAt)), today)),
  } as DemoRelease;
}

function readMedia(value: string): NonNullable<DemoRelease['media']>[number] {
  const [type, url = '', ...alt] = value.split(' ');
  return { type: type as 'image', url, ...(alt.length > 0 && { alt: alt.join(' ') }) };
}

function onDay(text: string, at: number): string {
  const date = new Date(at);
  const year = String(date.getUTCFullYear());
  const words: Record<string, string | undefined> = {
    date: iso(at).slice(0, 10),
    month: date.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' }),
    year,
    yy: year.slice(2),
    season: ['Winter', 'Spring', 'Summer', 'Autumn'][Math.floor(date.getUTCMonth() / 3)],
  };
  return text.replace(/\{(date|month|year|yy|season)\}/g, (_, word: string) => words[word] ?? '');
}
