// Releases and passages of changelog files as one ranking, as the search tool shows them.
import type { ReleaseHit, SearchAnswer } from '../contract/search.ts';
import { shortened } from './quoting.ts';
import type { SearchResult, SearchSection } from './search-result.ts';
import { type ReleaseListItem, SUMMARY_CHARACTERS, scopedName } from './shapes.ts';

type RankedResult =
  | { rank: number; release: ReleaseListItem }
  | { rank: number; passage: SearchResult['passages'][number] };

export function rankedHits(answer: SearchAnswer, wants: ReadonlySet<SearchSection>): RankedResult[] {
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
    prerelease: hit.prerelease,
    url: hit.url,
    webUrl: hit.webUrl,
    contentTokens: hit.contentTokens,
  };
}

export function shown(ranked: readonly RankedResult[]): Pick<SearchResult, 'releases' | 'passages'> {
  return {
    releases: ranked.flatMap((hit) => ('release' in hit ? [hit.release] : [])),
    passages: ranked.flatMap((hit) => ('passage' in hit ? [hit.passage] : [])),
  };
}

export function shownCount({ releases, passages }: SearchResult): number {
  return releases.length + passages.length;
}
