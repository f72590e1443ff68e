import { z } from 'zod';
import { category, kind, orgStatus, sourceType } from '../../contract/enums.ts';
import type { OrgDetail } from '../../contract/org.ts';
import { count } from '../../contract/pagination.ts';
import { timestamp } from '../../contract/scalars.ts';
import { excerptCut, listCut, MAX_TOKENS } from '../budget.ts';
import { blocks, bullets, day, facts, lines, QUOTE_NOTE, releaseBlocks, section } from '../markdown.ts';
import { excerptOverview, overviewPart, overviewText, toOverviewPart } from '../overview-part.ts';
import { inline, quoted, shortened } from '../quoting.ts';
import { fitResult } from '../result.ts';
import { COMPLETE, excerptItem, releaseListItem, scopedName, toListItem } from '../shapes.ts';
import { tool } from '../tool.ts';

// What the tool for one organization answers: its parts, shorter forms of them, and their text.

const orgFacts = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  description: z.string().nullable(),
  category: category.nullable(),
  status: orgStatus.describe('tracked, or stub: known by name, with no releases yet.'),
  sourceCount: count,
  releaseCount: count,
  releasesLast30Days: count,
  avgReleasesPerWeek: z.number(),
  lastFetchedAt: timestamp.nullable(),
  trackingSince: timestamp,
  tags: z.array(z.string()),
  aliases: z.array(z.string()),
});

const orgOutput = {
  org: orgFacts,
  overview: overviewPart.nullable().optional().describe('null: none was written.'),
  products: z
    .array(
      z.object({
        id: z.string(),
        product: z.string().describe('Argument `product` of other tools.'),
        name: z.string(),
        kind: kind.nullable(),
        releaseCount: count,
      }),
    )
    .optional(),
  sources: z
    .array(
      z.object({
        id: z.string(),
        source: z.string().describe('Argument `source` of other tools.'),
        name: z.string(),
        type: sourceType,
        releaseCount: count,
        latestVersion: z.string().nullable(),
        latestDate: timestamp.nullable(),
        state: z.enum(['ok', 'failing', 'paused', 'never_fetched']).describe('How the last check went.'),
      }),
    )
    .optional(),
  latest: z.array(releaseListItem).optional().describe('The newest releases.'),
};

type OrgResult = z.output<z.ZodObject<typeof orgOutput>>;

function productsOf({ slug, products }: OrgDetail): OrgResult['products'] {
  return products.map((each) => ({
    id: each.id,
    product: scopedName(slug, each),
    name: each.name,
    kind: each.kind,
    releaseCount: each.releaseCount,
  }));
}

function sourcesOf({ slug, sources }: OrgDetail): OrgResult['sources'] {
  return sources.map((each) => ({
    id: each.id,
    source: scopedName(slug, each),
    name: each.name,
    type: each.type,
    releaseCount: each.releaseCount,
    latestVersion: each.latestVersion,
    latestDate: each.latestDate,
    state: each.fetchState.state,
  }));
}

function excerptOrg(value: OrgResult, length: number): OrgResult {
  const { org, overview, latest } = value;
  return {
    ...value,
    org: {
      ...org,
      description: org.description && shortened(org.description, length),
      tags: org.tags.slice(0, length),
      aliases: org.aliases.slice(0, Math.ceil(length / 20)),
    },
    ...(overview ? { overview: excerptOverview(overview, length) } : {}),
    ...(latest ? { latest: latest.map((item) => excerptItem(item, length)) } : {}),
  };
}

function orgText({ org, overview, products, sources, latest }: OrgResult): string {
  return blocks(
    `# ${inline(org.name)}`,
    lines(
      facts(org.slug, org.id, org.domain, org.category, `status ${org.status}`),
      facts(
        `${org.sourceCount} sources`,
        `${org.releaseCount} releases`,
        `${org.releasesLast30Days} in the last 30 days`,
        org.releaseCount > 0 && `releases since ${day(org.trackingSince)}`,
        org.lastFetchedAt === null ? 'never checked' : `last checked ${org.lastFetchedAt}`,
      ),
      org.tags.length > 0 && `tags: ${org.tags.map(inline).join(', ')}`,
      org.aliases.length > 0 && `also: ${org.aliases.map(inline).join(', ')}`,
    ),
    org.status === 'stub' &&
      'This organization is known by name but not tracked yet: the registry has no releases of it.',
    QUOTE_NOTE,
    quoted(org.description ?? ''),
    overview !== undefined && section('Overview', overview === null ? 'None was written.' : overviewText(overview)),
    products &&
      section(
        'Products',
        bullets(
          products.map((each) =>
            facts(each.product, inline(each.name), each.kind, `${each.releaseCount} releases`, each.id),
          ),
        ),
      ),
    sources && section('Sources', bullets(sources.map(sourceLine))),
    latest && section('Latest releases', releaseBlocks(latest) || 'None.'),
  );
}

function sourceLine(each: NonNullable<OrgResult['sources']>[number]): string {
  return facts(
    each.source,
    inline(each.name),
    each.type,
    `${each.releaseCount} releases`,
    each.latestVersion !== null && `latest ${inline(each.latestVersion)} of ${day(each.latestDate)}`,
    each.state !== 'ok' && each.state.replaceAll('_', ' '),
    each.id,
  );
}

const SECTIONS = ['overview', 'products', 'sources', 'latest'] as const;
const LATEST = 10;

export const getOrg = tool({
  name: 'get_org',
  title: 'Read an organization',
  description:
    'One organization with its written overview, products, sources and newest releases. For more releases use latest_releases.',
  input: {
    org: z.string().trim().min(1).max(300).describe('Slug, org_ id or domain.'),
    include: z.array(z.enum(SECTIONS)).optional().describe('Only these parts; all unless given.'),
  },
  output: orgOutput,
  async run({ api, maxTokens, given }, { org, include = SECTIONS }) {
    const wants = new Set<string>(include);
    const [detail, feed] = await Promise.all([
      api.get('/orgs/{org}', { params: { org } }),
      wants.has('latest')
        ? api.get('/orgs/{org}/releases', { params: { org }, query: { limit: LATEST, include_content: false } })
        : null,
    ]);
    const whole: OrgResult = {
      org: orgFacts.parse(detail),
      ...(wants.has('overview') ? { overview: toOverviewPart(detail.overview) } : {}),
      ...(wants.has('products') ? { products: productsOf(detail) } : {}),
      ...(wants.has('sources') ? { sources: sourcesOf(detail) } : {}),
      ...(feed ? { latest: feed.releases.map(toListItem) } : {}),
    };
    return fitResult<OrgResult>(
      {
        value: whole,
        cuts: [
          listCut('sources', 5),
          listCut('products', 5),
          listCut('latest', 3),
          excerptCut(excerptOrg),
          listCut('sources'),
          listCut('products'),
          listCut('latest'),
        ],
        text: orgText,
        truncation(value, cut) {
          if (!cut) return COMPLETE;
          const partial = SECTIONS.filter((name) => JSON.stringify(value[name]) !== JSON.stringify(whole[name]));
          const omitted = (['products', 'sources', 'latest'] as const).reduce(
            (sum, name) => sum + (whole[name]?.length ?? 0) - (value[name]?.length ?? 0),
            0,
          );
          // The parts that were cut, alone and with the largest budget; nothing more can be had after that.
          const isNarrower = partial.length > 0 && (partial.length < include.length || maxTokens < MAX_TOKENS);
          const next = isNarrower ? { ...given, include: partial, max_tokens: MAX_TOKENS } : null;
          return { truncated: true, reason: 'token_budget', omitted, next };
        },
      },
      maxTokens,
    );
  },
});
