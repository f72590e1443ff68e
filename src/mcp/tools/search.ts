import { z } from 'zod';
import { KINDS } from '../../contract/enums.ts';
import { notFound } from '../../contract/errors.ts';
import { type ReleaseHit, SEARCH_MODES, type SearchAnswer } from '../../contract/search.ts';
import { type Cut, excerptCut, listCut } from '../budget.ts';
import { shortened } from '../quoting.ts';
import { productIdOf } from '../references.ts';
import { fitResult } from '../result.ts';
import {
  entitiesOf,
  excerptResult,
  SEARCH_SECTIONS,
  type SearchResult,
  type SearchSection,
  searchOutput,
  searchText,
} from '../search-result.ts';
import { COMPLETE, type ReleaseListItem, SUMMARY_CHARACTERS, scopedName, type Truncation } from '../shapes.ts';
import { tool } from '../tool.ts';

// Releases and passages of changelog files as one ranking, as the search tool shows them.

type RankedResult =
  | { rank: number; release: ReleaseListItem }
  | { rank: number; passage: SearchResult['passages'][number] };

function rankedHits(answer: SearchAnswer, wants: ReadonlySet<SearchSection>): RankedResult[] {
  const releases = wants.has('releases') ? answer.releases : [];
  const chunks = wants.has('changelogs') ? (answer.chunks ?? []) : [];
  const hits: RankedResult[] = [
    ...releases.map((hit) => ({ rank: hit.rank, release: toListItem(hit) })),
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

function toListItem(hit: ReleaseHit): ReleaseListItem {
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
    security: hit.security,
    prerelease: hit.prerelease,
    url: hit.url,
    webUrl: hit.webUrl,
    contentTokens: hit.contentTokens,
  };
}

function shown(ranked: readonly RankedResult[]): Pick<SearchResult, 'releases' | 'passages'> {
  return {
    releases: ranked.flatMap((hit) => ('release' in hit ? [hit.release] : [])),
    passages: ranked.flatMap((hit) => ('passage' in hit ? [hit.passage] : [])),
  };
}

function shownCount({ releases, passages }: SearchResult): number {
  return releases.length + passages.length;
}

const MAX_HITS = 100;
const MAX_OFFSET = 1000;

export const search = tool({
  name: 'search',
  title: 'Search the registry',
  description:
    'Finds packages, organizations, products, sources, collections, releases and passages of changelogs by words and by meaning. The first tool for a topic, a feature, an error message or a name. For changes between two versions of a package use whats_changed.',
  input: {
    query: z.string().trim().min(1).max(500).describe('Words, a name, or a question in plain language.'),
    types: z.array(z.enum(SEARCH_SECTIONS)).min(1).optional().describe('Only these kinds of hits.'),
    org: z.string().min(1).max(300).optional().describe('Only of this organization: slug, org_ id or domain.'),
    product: z.string().min(1).max(300).optional().describe('Only of this product: org/slug or prod_ id.'),
    kind: z.enum(KINDS).optional().describe('Only of this kind of product or source.'),
    mode: z.enum(SEARCH_MODES).optional().describe('By words, by meaning, or both.'),
    since: z
      .string()
      .max(64)
      .optional()
      .describe('Only releases from then on: a date, a date-time, or 7d, 2w, 3m, 1y.'),
    until: z.string().max(64).optional().describe('Only releases up to then.'),
    limit: z.int().min(1).max(50).default(10).describe('How many hits to answer.'),
    offset: z.int().min(0).max(MAX_OFFSET).default(0).describe('How many hits to skip.'),
  },
  output: searchOutput,
  async run({ api, maxTokens, given }, { query, types = SEARCH_SECTIONS, limit, offset, product, ...filters }) {
    const wants = new Set<SearchSection>(types);
    // Releases and passages share one ranking: where one of them is not wanted, the page is filled from further down.
    const isMixed = wants.has('releases') && wants.has('changelogs');
    const answer = await api.get('/search', {
      query: {
        ...filters,
        q: query,
        limit: isMixed ? limit : MAX_HITS,
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
    const rankedCut = (least: number): Cut<SearchResult> => ({
      most: ({ releases, passages }) => Math.max(0, releases.length + passages.length - least),
      apply: (value, steps) =>
        steps === 0 ? value : { ...value, ...shown(ranked.slice(0, shownCount(value) - steps)) },
    });
    return fitResult<SearchResult>(
      {
        value: { ...base, ...shown(ranked) },
        cuts: [
          listCut('collections', 3),
          listCut('sources', 3),
          listCut('products', 3),
          listCut('orgs', 3),
          listCut('packages', 3),
          rankedCut(1),
          excerptCut(excerptResult),
          listCut('collections'),
          listCut('sources'),
          listCut('products'),
          listCut('orgs'),
          rankedCut(0),
        ],
        text: searchText,
        truncation: (value, cut): Truncation => {
          const count = shownCount(value);
          const last = count === ranked.length ? end : (ranked[count - 1]?.rank ?? offset);
          const wantsRanked = wants.has('releases') || wants.has('changelogs');
          const left = wantsRanked ? Math.max(0, listed - last) : 0;
          if (!cut && left === 0) return COMPLETE;
          const canGoOn = left > 0 && last > offset && last <= MAX_OFFSET;
          return {
            truncated: true,
            reason: cut ? 'token_budget' : 'limit',
            omitted: listCap || (cut && left === 0) || !isMixed ? null : left,
            next: canGoOn ? { ...given, offset: last } : null,
          };
        },
      },
      maxTokens,
    );
  },
});
