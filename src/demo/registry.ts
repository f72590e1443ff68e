import type { Category } from '../contract/enums.ts';
import { writeActivity } from './activity.ts';
import type { CastOrg, CastSource } from './cast.ts';
import { buildChangelogFiles } from './changelog-file.ts';
import { CATEGORY_OVERLAY, COLLECTIONS, INDEPENDENT_SOURCES, ORGS, SITE_NOTICE } from './orgs.ts';
import { buildOverview } from './overviews.ts';
import { createRandom, type Random } from './random.ts';
import { type Anchor, domainOf, draftSource, iso, type SourceDraft, writeReleases } from './sources.ts';
import { buildSummaries } from './summaries.ts';
import { DAY_MS } from './timeline.ts';
import type { DemoCoverage, DemoOptions, DemoOrg, DemoPackage, DemoRegistry } from './types.ts';

const DEFAULT_RELEASES = 3000;
const DEFAULT_SEED = 20;

// The whole demo registry. Same day, size and seed: same data.
export function buildDemoRegistry(options: DemoOptions): DemoRegistry {
  const today = Math.floor(options.now.getTime() / DAY_MS) * DAY_MS;
  const random = createRandom(options.seed ?? DEFAULT_SEED);
  const drafts = draftSources(random, today, options.releases ?? DEFAULT_RELEASES);

  const coverage = writeAllReleases(random, drafts, today);
  const covered = new Set(coverage.map(({ coverage: row }) => `${row.source}#${row.row}`));
  for (const draft of drafts) {
    const { source } = draft;
    const hidden = new Set(source.releases.keys().filter((row) => covered.has(`${source.key}#${row}`)));
    source.summaries = buildSummaries(draft, hidden, today);
    source.changelogFiles = buildChangelogFiles(random.fork(`files/${source.key}`), draft, {
      fetchedAt: iso(today),
      now: today,
    });
    writeActivity(random.fork(`log/${source.key}`), draft, today);
  }

  return {
    orgs: ORGS.map((org) => buildOrg(random.fork(`org/${org.slug}`), org, drafts, today)),
    sources: drafts.map(({ source }) => source),
    collections: COLLECTIONS.map((item, index) => ({ ...item, createdAt: iso(today - (200 - index * 20) * DAY_MS) })),
    categories: CATEGORY_OVERLAY,
    siteNotice: SITE_NOTICE,
    coverage,
    overviews: ORGS.flatMap((org) => orgOverviews(org, drafts, covered, today)),
    packages: drafts.flatMap(packagesOf),
  };
}

function draftSources(random: Random, today: number, releases: number): SourceDraft[] {
  const cast: { cast: CastSource; org: CastOrg | null; area: Category }[] = [
    ...ORGS.flatMap((org) => org.sources.map((source) => ({ cast: source, org, area: org.category }))),
    ...INDEPENDENT_SOURCES.map((source) => ({ cast: source, org: null, area: source.area })),
  ];
  const counts = shareOut(
    releases,
    cast.map((entry) => entry.cast.weight),
  );
  return cast.map((entry, index) =>
    draftSource(random.fork(`source/${entry.org?.slug}/${entry.cast.slug}`), {
      ...entry,
      today,
      count: counts[index] ?? 0,
    }),
  );
}

// Blogs come last, because they tell about the releases of the other sources.
function writeAllReleases(random: Random, drafts: SourceDraft[], today: number): DemoCoverage[] {
  const isBlog = (draft: SourceDraft) => draft.cast.type === 'feed' && (draft.cast.style ?? 'launch') === 'launch';
  const forkFor = (draft: SourceDraft) => random.fork(`releases/${draft.source.key}`);
  for (const draft of drafts.filter((candidate) => !isBlog(candidate))) writeReleases(forkFor(draft), draft, { today });

  const links: DemoCoverage[] = drafts.flatMap(cascadesOf);
  for (const blog of drafts.filter(isBlog)) {
    const fork = forkFor(blog);
    const anchors = launchesFor(fork, blog, drafts, today);
    for (const { anchor, row } of writeReleases(fork, blog, { today, anchors })) {
      const launch = anchor.draft.planned[anchor.row];
      links.push({
        canonical: { source: anchor.draft.source.key, row: anchor.row },
        coverage: { source: blog.source.key, row },
        reason: `version:${launch?.number}`,
        decidedBy: 'human:curator',
        decidedAt: blog.source.releases[row]?.fetchedAt ?? iso(today),
      });
    }
  }
  return links;
}

// Larger releases of the same product that a blog would tell about: up to a third of its posts.
function launchesFor(random: Random, blog: SourceDraft, drafts: SourceDraft[], today: number): Anchor[] {
  const launches = drafts
    .filter(
      (draft) => draft.org === blog.org && draft.cast.type === 'github' && draft.cast.product === blog.cast.product,
    )
    .flatMap((draft) => draft.planned.map((planned, row) => ({ draft, row, planned })))
    .filter(({ draft, planned }) => {
      const isLead = !planned.packageName || planned.packageName === draft.cast.packages?.[0];
      const isLarge = planned.step === 'major' || planned.step === 'minor';
      return isLead && isLarge && planned.isDated && planned.at < today - DAY_MS;
    });
  const majors = launches.filter(({ planned }) => planned.step === 'major');
  const minors = random.shuffle(launches.filter(({ planned }) => planned.step === 'minor'));
  return [...majors, ...minors].slice(0, Math.floor(blog.planned.length / 3)).map(({ draft, row }) => ({ draft, row }));
}

// Packages of a push that only follow stand behind the package that changed.
function cascadesOf(draft: SourceDraft): DemoCoverage[] {
  const { key } = draft.source;
  return draft.planned.flatMap((planned, row) => {
    const { push, packageName } = planned;
    if (!push || push.leads.some((lead) => lead.packageName === packageName)) return [];
    const lead = draft.planned.findIndex(
      (other) => other.push === push && other.packageName === push.leads[0]?.packageName,
    );
    return [
      {
        canonical: { source: key, row: lead },
        coverage: { source: key, row },
        reason: `cascade:${push.hash}`,
        decidedBy: 'system:cascade',
        decidedAt: draft.source.releases[row]?.fetchedAt ?? iso(planned.at),
      },
    ];
  });
}

function buildOrg(random: Random, org: CastOrg, drafts: SourceDraft[], today: number): DemoOrg {
  const domain = org.domain === null ? null : domainOf(org);
  const own = drafts.filter((draft) => draft.org === org);
  const oldest = own.map(({ source }) => source.createdAt).sort()[0];
  const createdAt = oldest ?? iso(today - random.int(5, 60) * DAY_MS);
  return {
    slug: org.slug,
    name: org.name,
    domain,
    description: org.description,
    category: org.category,
    avatarUrl: org.avatar ? `https://${domain}/avatar.png` : null,
    featured: org.featured ?? false,
    isHidden: org.isHidden ?? false,
    status: org.isStub ? 'stub' : 'tracked',
    discovery: org.discovery ?? 'curated',
    autoGenerateContent: !org.isHidden,
    overviewCadenceDays: org.featured ? 3 : null,
    tags: org.tags,
    aliases: org.aliases ?? [],
    accounts: Object.entries(org.accounts ?? {}).map(([platform, handle]) => ({ platform, handle })),
    notice: org.notice ?? null,
    playbookNotes: org.playbook ?? null,
    ignoredUrls: (org.ignored ?? []).map(([url, reason]) => ({ url, reason, ignoredAt: iso(today - 20 * DAY_MS) })),
    products: (org.products ?? []).map((product) => ({
      slug: product.slug,
      name: product.name,
      url: product.url === null || domain === null ? null : `https://${domain}/${product.slug}`,
      description: product.description,
      category: product.category ?? null,
      kind: product.kind,
      avatarUrl: null,
      isHidden: product.isHidden ?? false,
      tags: product.tags ?? [],
      aliases: product.aliases ?? [],
      notice: product.notice ?? null,
      createdAt,
    })),
    locations: org.locations ?? (org.featured ? own.map(locationOf) : []),
    createdAt,
  };
}

function locationOf({ cast, source }: SourceDraft): DemoOrg['locations'][number] {
  const { feedUrl } = source.metadata;
  return {
    ...(cast.repo
      ? { github: cast.repo }
      : cast.type === 'appstore'
        ? { appstore: source.url }
        : cast.type === 'feed' && typeof feedUrl === 'string'
          ? { feed: feedUrl }
          : { url: source.url }),
    title: source.name,
    canonical: source.isPrimary,
    basis: 'declared',
    productSlug: source.productSlug,
    source: source.key,
  };
}

function orgOverviews(org: CastOrg, drafts: SourceDraft[], covered: ReadonlySet<string>, today: number) {
  const own = drafts.filter((draft) => draft.org === org);
  const shared = { orgSlug: org.slug, covered, today };
  const pages = [
    org.overview && buildOverview({ ...shared, scope: 'org', productSlug: null, name: org.name, drafts: own }),
    ...(org.products ?? []).map(
      (product) =>
        product.overview &&
        buildOverview({
          ...shared,
          scope: 'product',
          productSlug: product.slug,
          name: product.name,
          drafts: own.filter((draft) => draft.cast.product === product.slug),
        }),
    ),
  ];
  return pages.filter((page) => page !== null && typeof page === 'object');
}

function packagesOf({ cast, source }: SourceDraft): DemoPackage[] {
  return (cast.publishes ?? []).map((entry, index) => {
    const [ecosystem = 'npm', name = ''] = entry.split(/:(.*)/s);
    return {
      ecosystem: ecosystem as DemoPackage['ecosystem'],
      name,
      source: source.key,
      packagePart: cast.packages?.includes(name) ? name : null,
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
  const byRemainder = exact
    .map((value, index) => [value % 1, index] as const)
    .sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const missing = total - counts.reduce((a, b) => a + b, 0);
  for (const [, index] of byRemainder.slice(0, missing)) counts[index] = (counts[index] ?? 0) + 1;
  return counts;
}
