import { z } from 'zod';
import { category, KINDS, kind, orgStatus, sourceType } from '../../contract/enums.ts';
import { notFound } from '../../contract/errors.ts';
import { count } from '../../contract/pagination.ts';
import { type ReleaseHit, SEARCH_MODES, type SearchAnswer, searchAnswer } from '../../contract/search.ts';
import { type Cut, excerptCut, listCut } from '../budget.ts';
import { blocks, bullets, facts, lines, QUOTE_NOTE, releaseBlocks, section } from '../markdown.ts';
import { inline, quoted, shortened } from '../quoting.ts';
import { productIdOf } from '../references.ts';
import { fitResult } from '../result.ts';
import {
  COMPLETE,
  excerptItem,
  type ReleaseListItem,
  releaseListItem,
  SUMMARY_CHARACTERS,
  scopedName,
  type Truncation,
} from '../shapes.ts';
import { tool } from '../tool.ts';

const TYPES = ['orgs', 'products', 'sources', 'releases', 'collections', 'changelogs'] as const;
type Section = (typeof TYPES)[number];
const MOST_PLACES = 100;
const MOST_OFFSET = 1000;

const output = {
  mode: z.enum(SEARCH_MODES).describe('How was searched: by words, by meaning or both.'),
  degraded: z.boolean().describe('true: a part of the search was not available, and hits may be missing.'),
  degradedReason: searchAnswer.shape.degradedReason,
  lexicalHits: count.describe('Listed releases and passages that hold the words; 0: nothing holds them.'),
  hitCap: z.boolean().describe('true: there are more matches than this page shows.'),
  orgs: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      domain: z.string().nullable(),
      category: category.nullable(),
      status: orgStatus,
    }),
  ),
  products: z.array(z.object({ id: z.string(), product: z.string(), name: z.string(), kind: kind.nullable() })),
  sources: z.array(z.object({ id: z.string(), source: z.string(), name: z.string(), type: sourceType })),
  releases: z.array(releaseListItem),
  collections: z.array(
    z.object({ slug: z.string(), name: z.string(), description: z.string().nullable(), memberCount: count }),
  ),
  passages: z
    .array(
      z.object({
        source: z.string(),
        path: z.string(),
        offset: count.describe('Argument `offset` of get_changelog.'),
        heading: z.string().nullable(),
        snippet: z.string(),
      }),
    )
    .describe('Parts of changelog files.'),
};

type Value = z.output<z.ZodObject<typeof output>>;

export const search = tool({
  name: 'search',
  title: 'Search the registry',
  description:
    'Finds organizations, products, sources, collections, releases and passages of changelog files by words and by meaning. The first tool to try for a topic, a feature, an error message or a name. For the changes between two versions of a package use whats_changed.',
  input: {
    query: z.string().trim().min(1).max(500).describe('Words, a name, or a question in plain language.'),
    types: z.array(z.enum(TYPES)).min(1).optional().describe('Only these kinds of hits; all unless given.'),
    org: z.string().min(1).max(300).optional().describe('Only of this organization: slug, org_ id or domain.'),
    product: z.string().min(1).max(300).optional().describe('Only of this product: org/slug or prod_ id.'),
    kind: z.enum(KINDS).optional().describe('Only of this kind of product or source.'),
    mode: z.enum(SEARCH_MODES).optional().describe('By words, by meaning, or both; hybrid unless given.'),
    since: z
      .string()
      .max(64)
      .optional()
      .describe('Only releases from then on: a date, a date-time, or 7d, 2w, 3m, 1y.'),
    until: z.string().max(64).optional().describe('Only releases up to then, in the same forms.'),
    limit: z.int().min(1).max(50).default(10).describe('How many releases and passages to answer.'),
    offset: z.int().min(0).max(MOST_OFFSET).default(0).describe('How many releases and passages to skip.'),
  },
  output,
  async run({ api, maxTokens, given }, { query, types = TYPES, limit, offset, product, ...filters }) {
    const wants = new Set<Section>(types);
    // Releases and passages share one ranking: where one of them is not wanted, the page is filled from further down.
    const isMixed = wants.has('releases') && wants.has('changelogs');
    const answer = await api.get('/search', {
      query: {
        ...filters,
        q: query,
        limit: isMixed ? limit : MOST_PLACES,
        offset,
        product: product === undefined ? undefined : await productIdOf(api, product),
      },
    });
    if (filters.org !== undefined && answer.orgStatus === 'not_found') throw notFound('org', filters.org);
    const ranked = rankedHits(answer, wants).slice(0, limit);
    const { listed, listCap, returned, mode, degraded, lexicalHits, hitCap } = answer._meta.search;
    const base = {
      mode,
      degraded,
      ...(answer.degradedReason === undefined ? {} : { degradedReason: answer.degradedReason }),
      lexicalHits,
      hitCap: isMixed ? hitCap : ranked.length >= limit,
      ...entitiesOf(answer, wants),
    };
    const end = ranked.length < limit ? offset + returned : (ranked.at(-1)?.rank ?? offset);
    const rankedCut = (least: number): Cut<Value> => ({
      most: ({ releases, passages }) => Math.max(0, releases.length + passages.length - least),
      apply: (value, steps) => (steps === 0 ? value : { ...value, ...shown(ranked.slice(0, placesOf(value) - steps)) }),
    });
    return fitResult<Value>(
      {
        value: { ...base, ...shown(ranked) },
        cuts: [
          listCut('collections', 3),
          listCut('sources', 3),
          listCut('products', 3),
          listCut('orgs', 3),
          rankedCut(1),
          excerptCut(excerpts),
          listCut('collections'),
          listCut('sources'),
          listCut('products'),
          listCut('orgs'),
          rankedCut(0),
        ],
        text: searchText,
        truncation: (value, cut): Truncation => {
          const kept = placesOf(value);
          const place = kept === ranked.length ? end : (ranked[kept - 1]?.rank ?? offset);
          const wantsRanked = wants.has('releases') || wants.has('changelogs');
          const left = wantsRanked ? Math.max(0, listed - place) : 0;
          if (!cut && left === 0) return COMPLETE;
          const canGoOn = left > 0 && place > offset && place <= MOST_OFFSET;
          return {
            truncated: true,
            reason: cut ? 'token_budget' : 'limit',
            omitted: listCap || (cut && left === 0) || !isMixed ? null : left,
            next: canGoOn ? { ...given, offset: place } : null,
          };
        },
      },
      maxTokens,
    );
  },
});

type RankedHit = { rank: number; release: ReleaseListItem } | { rank: number; passage: Value['passages'][number] };

function rankedHits(answer: SearchAnswer, wants: ReadonlySet<Section>): RankedHit[] {
  const releases = wants.has('releases') ? answer.releases : [];
  const chunks = wants.has('changelogs') ? (answer.chunks ?? []) : [];
  const hits: RankedHit[] = [
    ...releases.map((hit) => ({ rank: hit.rank, release: toItem(hit) })),
    ...chunks.map(({ rank, sourceId, sourceSlug, orgSlug, filePath, offset, heading, snippet }) => ({
      rank,
      passage: {
        source: scopedName(orgSlug, { id: sourceId, slug: sourceSlug }),
        path: filePath,
        offset,
        heading,
        snippet,
      },
    })),
  ];
  return hits.sort((a, b) => a.rank - b.rank);
}

function toItem(hit: ReleaseHit): ReleaseListItem {
  return {
    id: hit.id,
    title: hit.title,
    version: hit.version,
    type: hit.type,
    org: hit.orgSlug,
    product: hit.orgSlug !== null && hit.productSlug !== null ? `${hit.orgSlug}/${hit.productSlug}` : null,
    source: scopedName(hit.orgSlug, { id: hit.sourceId, slug: hit.sourceSlug }),
    publishedAt: hit.publishedAt,
    summary: shortened(hit.summary || hit.snippet, SUMMARY_CHARACTERS),
    breaking: hit.breaking,
    importance: hit.importance,
    prerelease: hit.prerelease,
    url: hit.url,
    webUrl: hit.webUrl,
    contentTokens: hit.contentTokens,
  };
}

function shown(ranked: readonly RankedHit[]): Pick<Value, 'releases' | 'passages'> {
  return {
    releases: ranked.flatMap((hit) => ('release' in hit ? [hit.release] : [])),
    passages: ranked.flatMap((hit) => ('passage' in hit ? [hit.passage] : [])),
  };
}

function placesOf({ releases, passages }: Value): number {
  return releases.length + passages.length;
}

function entitiesOf(answer: SearchAnswer, wants: ReadonlySet<Section>) {
  const products = answer.catalog.filter(({ entryType }) => entryType === 'product');
  return {
    orgs: (wants.has('orgs') ? answer.orgs : []).map(({ id, slug, name, domain, category, status }) => ({
      id,
      slug,
      name,
      domain,
      category,
      status,
    })),
    products: (wants.has('products') ? products : []).map((hit) => ({
      id: hit.id,
      product: scopedName(hit.orgSlug, hit),
      name: hit.name,
      kind: hit.kind,
    })),
    sources: (wants.has('sources') ? answer.sources : []).map((hit) => ({
      id: hit.id,
      source: scopedName(hit.orgSlug, hit),
      name: hit.name,
      type: hit.type,
    })),
    collections: (wants.has('collections') ? answer.collections : []).map(
      ({ slug, name, description, memberCount }) => ({ slug, name, description, memberCount }),
    ),
  };
}

function excerpts(value: Value, length: number): Value {
  return {
    ...value,
    releases: value.releases.map((item) => excerptItem(item, length)),
    passages: value.passages.map((passage) => ({
      ...passage,
      heading: passage.heading && shortened(passage.heading, Math.max(length, 40)),
      snippet: shortened(passage.snippet, length),
    })),
    collections: value.collections.map((item) => ({
      ...item,
      description: item.description && shortened(item.description, length),
    })),
  };
}

function searchText(value: Value): string {
  const { orgs, products, sources, collections, releases, passages } = value;
  const nothing = [orgs, products, sources, collections, releases, passages].every((list) => list.length === 0);
  return blocks(
    '# Search',
    facts(
      `mode ${value.mode}`,
      value.degraded && `degraded (${value.degradedReason ?? 'by words alone'}): hits may be missing`,
      value.lexicalHits === 0 ? 'nothing holds these words' : `${value.lexicalHits} hits hold the words`,
    ),
    nothing && 'No hits. Fewer or other words, or no filters, may find more.',
    section('Organizations', bullets(orgs.map((org) => facts(org.slug, inline(org.name), org.domain, org.id)))),
    section('Products', bullets(products.map((each) => facts(each.product, inline(each.name), each.kind, each.id)))),
    section('Sources', bullets(sources.map((each) => facts(each.source, inline(each.name), each.type, each.id)))),
    section(
      'Collections',
      bullets(collections.map((each) => facts(each.slug, inline(each.name), `${each.memberCount} members`))),
    ),
    (releases.length > 0 || passages.length > 0) && QUOTE_NOTE,
    section('Releases', releaseBlocks(releases)),
    section(
      'Passages of changelog files',
      blocks(
        ...passages.map(({ source, path, offset, heading, snippet }) =>
          lines(
            facts(`- ${source}`, inline(path), `offset ${offset}`),
            quoted(heading === null || snippet.includes(heading) ? snippet : `${heading}\n${snippet}`),
          ),
        ),
      ),
    ),
  );
}
