// One source of the demo as it is being built.
import type { Category } from '../contract/enums.ts';
import { type CastOrg, type CastProduct, type CastSource, domainOf, productSlug } from './cast.ts';
import { DAY_MS, iso } from './dates.ts';
import type { Random } from './random.ts';
import { repositoryOf, sourceAddress, sourceMetadata } from './source-address.ts';
import { type PlannedRelease, planTimeline } from './timeline.ts';
import type { DemoSource } from './types.ts';
import { createVoice, type Voice } from './voice.ts';

// The wire data, and what is known about how it came to be.
export interface SourceDraft {
  cast: CastSource;
  org: CastOrg | null;
  product: CastProduct | null;
  source: DemoSource;
  // One for each release, in the same order.
  planned: PlannedRelease[];
  voice: Voice;
}

interface DraftInput {
  cast: CastSource;
  org: CastOrg | null;
  product: CastProduct | null;
  // Category of the org, or the field of a source without one.
  area: Category;
  today: number;
  count: number;
}

export function draftSource(random: Random, { today, count, area, ...owner }: DraftInput): SourceDraft {
  const { cast, org, product } = owner;
  const domain = org ? domainOf(org) : `${cast.slug}.example`;
  const repo = repositoryOf(cast, org);
  const url = sourceAddress(cast, domain, repo);
  const repoName = repo?.split('/')[1];
  const voice = createVoice({
    random,
    category: org?.speaks ?? area,
    product: speakingName(owner, repoName),
    home: url,
    domain,
    ownParts: cast.parts ?? org?.parts ?? [],
    isNarrow: cast.parts !== undefined,
    detail: cast.detail,
  });
  const createdAt = today - Math.min(cast.ageDays, random.int(60, 690)) * DAY_MS + random.int(0, 86_399) * 1000;
  const dayPrecision = cast.type === 'scrape' || cast.type === 'agent';
  const planned = planTimeline(random, { ...cast, today, count, dayPrecision, prefix: repoName ?? cast.slug });
  const source: DemoSource = {
    key: `${org?.slug ?? '-'}/${cast.slug}`,
    orgSlug: org?.slug,
    productSlug: product ? productSlug(product) : undefined,
    slug: cast.slug,
    name: cast.name ?? repoName ?? cast.slug,
    type: cast.type,
    url,
    kind: cast.kind ?? (cast.type === 'github' ? product?.kind : undefined),
    metadata: sourceMetadata(cast, domain, url),
    isPrimary: product !== null && org?.products?.[0]?.sources?.[0] === cast,
    isHidden: cast.isHidden ?? false,
    discovery: cast.discovery,
    fetchPriority: cast.fetchPriority,
    notice: cast.notice ?? null,
    state: {
      stars: repo === null ? null : Math.round(cast.weight ** 2 * (0.3 + 2 * random.next())),
      stars_fetched_at: repo && iso(today - 5 * 3_600_000),
      last_fetched_at: null,
      last_polled_at: null,
      last_outcome: null,
      failing_since: null,
      consecutive_no_change: 0,
      consecutive_errors: 0,
    },
    releases: [],
    changelogFiles: [],
    fetchLog: [],
    createdAt: iso(createdAt),
  };
  return { ...owner, source, planned, voice };
}

// The name used in running text: the product where a source is its main voice, the repository for a part of it.
function speakingName({ cast, org, product }: Pick<DraftInput, 'cast' | 'org' | 'product'>, repoName?: string): string {
  if (cast.type === 'appstore') return cast.name ?? cast.slug;
  if (!repoName) return product?.name ?? org?.name ?? cast.name ?? cast.slug;
  const repositories = product?.sources?.filter(({ type }) => type === 'github').length ?? 0;
  return product && repositories === 1 ? product.name : repoName;
}
