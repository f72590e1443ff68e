// A search by words: candidates from the index, ranked here in the same way on both engines.
import type { Context } from '../../context.ts';
import { FEW_HITS } from '../../domain/fusion.ts';
import type { LexicalAnswer, LexicalHit } from '../../domain/search-legs.ts';
import type { SearchQuery } from '../../domain/search-text/search-query.ts';
import type { Corpus, FoundDocument } from './corpus.ts';
import { isListed, type ScopeOfSearch } from './filter-terms.ts';
import { gather } from './gather.ts';
import { type AskedGroup, askedGroups } from './groups.ts';
import { looseHits } from './loose-pass.ts';
import { bestFirst, type Ranked, scoring } from './rank.ts';

export interface SearchInput {
  corpus: Corpus;
  query: SearchQuery;
  scope: ScopeOfSearch;
  limit: number;
}

// The best of them are ranked once more with their texts.
const READ_WHOLE = 48;
const LONG_LIST_PAGES = 12;

export async function searchIndex(ctx: Context, input: SearchInput): Promise<LexicalAnswer> {
  const { corpus, query, limit } = input;
  if (query.groups.length === 0) return { hits: [], ranking: 'full' };
  const groups = await askedGroups(ctx, corpus.index, query.groups);
  const { documents, complete } = await candidates(ctx, input, groups);
  const ranked = await rank(ctx, corpus, groups, documents, complete);
  const hits: LexicalHit[] = ranked.slice(0, limit).map(({ key, score }) => ({ docKey: key, score, pass: 'every' }));
  if (hits.length < FEW_HITS && hits.length < limit) hits.push(...(await looseHits(ctx, input, groups, hits)));
  return { hits: hits.slice(0, limit), ranking: complete ? 'full' : 'newest' };
}

interface Found {
  documents: FoundDocument[];
  complete: boolean;
}

async function candidates(ctx: Context, input: SearchInput, groups: readonly AskedGroup[]): Promise<Found> {
  const { corpus, scope, limit } = input;
  const most = Math.max(corpus.candidates, limit);
  if (scope.long.length > 0) return pagedCandidates(ctx, input, groups, most);
  const { keys, complete } = await gather(ctx, { corpus, groups, scope, enough: limit, most, tiers: true });
  return { documents: await corpus.read(ctx, keys, false), complete };
}

// A filter of more values than the index can be asked for is looked up on the rows, further and further back in time.
async function pagedCandidates(
  ctx: Context,
  { corpus, scope, limit }: SearchInput,
  groups: readonly AskedGroup[],
  most: number,
): Promise<Found> {
  const documents: FoundDocument[] = [];
  let maxKey = scope.maxKey;
  for (let page = 0; page < LONG_LIST_PAGES; page += 1) {
    const part = await gather(ctx, { corpus, groups, scope: { ...scope, maxKey }, enough: most, most, tiers: false });
    documents.push(...(await corpus.read(ctx, part.keys, false)).filter((found) => isListed(found, scope)));
    if (part.complete) return { documents, complete: true };
    if (documents.length >= limit || part.lowestKey <= scope.minKey) break;
    maxKey = part.lowestKey - 1;
  }
  return { documents, complete: false };
}

async function rank(
  ctx: Context,
  corpus: Corpus,
  groups: readonly AskedGroup[],
  documents: readonly FoundDocument[],
  complete: boolean,
): Promise<Ranked[]> {
  const score = await scoring(ctx, corpus);
  const ranked = documents.map((document) => score(document, groups)).sort(bestFirst);
  if (!complete || corpus.readable === 0) return ranked;
  const best = ranked.slice(0, READ_WHOLE).map(({ key }) => key);
  const whole = await corpus.read(ctx, best, true);
  return [...whole.map((document) => score(document, groups)), ...ranked.slice(READ_WHOLE)].sort(bestFirst);
}
