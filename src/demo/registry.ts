// The whole demo registry as plain data. Same day, size and seed: same data.
import type { Category } from '../contract/enums.ts';
import { writeActivity } from './activity.ts';
import type { CastOrg, CastProduct, CastSource } from './cast.ts';
import { buildChangelogFiles } from './changelog-file.ts';
import { CATEGORIES, COLLECTIONS, SITE_NOTICE } from './curation.ts';
import { DAY_MS, iso } from './dates.ts';
import { buildOrg } from './org.ts';
import { INDEPENDENT_SOURCES, ORGS } from './orgs.ts';
import { createRandom, type Random } from './random.ts';
import { type Anchor, writeReleases } from './releases.ts';
import { draftSource, type SourceDraft } from './sources.ts';
import type { DemoCoverage, DemoPackage, DemoRegistry } from './types.ts';

interface RegistryOptions {
  now: Date;
  // Number of releases in total.
  releases?: number;
  seed?: number;
}

export function buildDemoRegistry(options: RegistryOptions): DemoRegistry {
  const { now, releases = 3000, seed = 20 } = options;
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const random = createRandom(seed);
  const drafts = draftSources(random, today, releases);
  const coverage = writeAllReleases(drafts, today);
  for (const draft of drafts) {
    draft.source.changelogFiles = buildChangelogFiles(draft, today);
    writeActivity(random.fork(`log/${draft.source.key}`), draft, today);
  }
  return {
    orgs: ORGS.map((org) => buildOrg(org, drafts, today)),
    sources: drafts.map(({ source }) => source),
    collections: COLLECTIONS.map((item, index) => ({ ...item, createdAt: iso(today - (200 - index * 20) * DAY_MS) })),
    categories: CATEGORIES,
    siteNotice: SITE_NOTICE,
    coverage,
    packages: drafts.flatMap(packagesOf),
  };
}

function draftSources(random: Random, today: number, releases: number): SourceDraft[] {
  type Entry = { cast: CastSource; org: CastOrg | null; product: CastProduct | null; area: Category };
  const entries: Entry[] = [
    ...ORGS.flatMap((org): Entry[] => {
      const { products = [], sources = [], category: area } = org;
      const ofProducts = products.flatMap((product) => (product.sources ?? []).map((cast) => ({ cast, product })));
      const ofNone = sources.map((cast) => ({ cast, product: null }));
      return [...ofProducts, ...ofNone].map((entry) => ({ ...entry, org, area }));
    }),
    ...INDEPENDENT_SOURCES.map(([area, cast]) => ({ cast, org: null, product: null, area })),
  ];
  const weights = entries.map(({ cast }) => cast.weight);
  const counts = shareOut(releases, weights);
  return entries.map((entry, index) => {
    const own = random.fork(`source/${entry.org?.slug}/${entry.cast.slug}`);
    return draftSource(own, { ...entry, today, count: counts[index] ?? 0 });
  });
}

// Blogs come last, because they write about the releases of the other sources.
function writeAllReleases(drafts: SourceDraft[], today: number): DemoCoverage[] {
  const [blogs, others] = [true, false].map((wanted) =>
    drafts.filter(({ cast }) => (cast.type === 'feed' && cast.style === 'launch') === wanted),
  );
  for (const draft of others ?? []) writeReleases(draft, today);
  return (blogs ?? []).flatMap((blog) =>
    writeReleases(blog, today, launchesFor(blog, drafts, today)).map(({ anchor: { draft, row: launch }, row }) => ({
      canonical: { source: draft.source.key, row: launch },
      coverage: { source: blog.source.key, row },
      reason: `version:${draft.planned[launch]?.number}`,
      decidedBy: 'human:curator',
    })),
  );
}

// Larger releases of the same product that a blog would write about: up to a third of its posts, major versions first.
function launchesFor(blog: SourceDraft, drafts: SourceDraft[], today: number): Anchor[] {
  const launches = drafts
    .filter(({ org, product, cast }) => org === blog.org && product === blog.product && cast.type === 'github')
    .flatMap((draft) => draft.planned.map((planned, row) => ({ draft, row, planned })))
    .filter(({ draft, planned: { packageName, isDated, at } }) => {
      const isLead = !packageName || packageName === draft.cast.packages[0];
      return isLead && isDated && at < today - DAY_MS;
    });
  const ofStep = (step: string) => launches.filter(({ planned }) => planned.step === step);
  const wanted = [...ofStep('major'), ...blog.voice.random.shuffle(ofStep('minor'))];
  return wanted.slice(0, Math.floor(blog.planned.length / 3));
}

function packagesOf({ cast, source }: SourceDraft): DemoPackage[] {
  const entries = [...cast.packages.map((name) => `npm:${name}`), ...cast.publishes];
  return entries.map((entry, index) => {
    const [ecosystem, name = ''] = entry.split(/:(.*)/s);
    return {
      ecosystem: ecosystem === 'pypi' ? 'pypi' : 'npm',
      name,
      source: source.key,
      packagePart: cast.packages.includes(name) ? name : undefined,
      // The main package of a source was entered by a person, the others were read from its manifests.
      origin: index === 0 && source.isPrimary ? 'operator' : 'ingest',
    };
  });
}

// Whole numbers in proportion to the weights whose sum is exactly the total.
export function shareOut(total: number, weights: number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  const exact = weights.map((weight) => (weight / sum) * total);
  const counts = exact.map(Math.floor);
  const byRemainder = [...exact.keys()].sort((a, b) => ((exact[b] ?? 0) % 1) - ((exact[a] ?? 0) % 1) || a - b);
  const missing = total - counts.reduce((a, b) => a + b, 0);
  for (const index of byRemainder.slice(0, missing)) counts[index] = (counts[index] ?? 0) + 1;
  return counts;
}
