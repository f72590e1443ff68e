// The second pass, which runs when all words together find next to nothing: it finds documents with at least half of them.
import type { Context } from '../../context.ts';
import type { LexicalHit, SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { groupMatcher } from '../../domain/search-text/score.ts';
import { collectCandidates } from './collect-candidates.ts';
import type { Corpus, CorpusDocument } from './corpora.ts';
import type { ScopeOfSearch } from './filter-terms.ts';
import type { ExpandedGroup } from './groups.ts';
import { bestFirst, type RankedDocument, scoring } from './rank.ts';

const NEWEST_OF_GROUP = 32;
const MOST = 128;

interface LoosePass<C extends { docKey: number }> {
  corpus: Corpus<C>;
  scope: ScopeOfSearch;
  filter: SearchFilter;
  groups: readonly ExpandedGroup[];
  // The groups in the form of this pass.
  loose: readonly ExpandedGroup[];
  // The hits of the first pass.
  found: readonly LexicalHit<C>[];
}

export async function looseHits<C extends { docKey: number }>(
  ctx: Context,
  { corpus, scope, filter, groups, loose, found }: LoosePass<C>,
): Promise<LexicalHit<C>[]> {
  // A single group that is the same in both passes would find the same documents.
  if (loose.length === 1 && loose[0] === groups[0]) return [];
  const rarestFirst = loose.toSorted((a, b) => a.docs - b.docs);
  const known = new Set(found.map(({ candidate }) => candidate.docKey));
  const matched = new Map<number, Set<ExpandedGroup>>();
  for (const group of rarestFirst) {
    const most = Math.min(NEWEST_OF_GROUP, MOST - matched.size);
    if (most <= 0) break;
    const { keys } = await collectCandidates(ctx, { corpus, groups: [group], scope, enough: most, most, tiers: false });
    for (const key of keys) if (!known.has(key)) matched.set(key, (matched.get(key) ?? new Set()).add(group));
  }
  // A number says something only together with a word.
  const least = groups.some(({ group }) => group.sort === 'number')
    ? Math.max(2, groups.length / 2)
    : groups.length / 2;
  const documents = await corpus.read(ctx, [...matched.keys()], { filter, withContent: corpus.readable > 0 });
  const score = await scoring(ctx, corpus);
  const ranked = documents
    .flatMap((document) => {
      const own = groupsOf(document, rarestFirst, matched.get(document.candidate.docKey));
      return own.length < least ? [] : [score(document, own)];
    })
    .sort(bestFirst);
  return below(found, ranked);
}

// The groups that a document matches. Matches of numbers are checked in the text, because the index also finds them inside
// versions.
function groupsOf(
  { text }: CorpusDocument<{ docKey: number }>,
  groups: readonly ExpandedGroup[],
  known?: ReadonlySet<ExpandedGroup>,
): ExpandedGroup[] {
  return groups.filter((requested) => {
    return (requested.group.sort !== 'number' && known?.has(requested)) || groupMatcher(requested)(text);
  });
}

// Scores of the two passes cannot be compared, so all hits of the second pass are scored below those of the first.
function below<C>(found: readonly LexicalHit<C>[], ranked: readonly RankedDocument<C>[]): LexicalHit<C>[] {
  const lowest = Math.min(...found.map(({ score }) => score), Number.POSITIVE_INFINITY);
  const highest = ranked[0]?.score ?? 0;
  const factor = highest > 0 && Number.isFinite(lowest) ? Math.min(1, (lowest * 0.5) / highest) : 1;
  return ranked.map(({ candidate, score }) => ({ candidate, score: score * factor, pass: 'some' }));
}
