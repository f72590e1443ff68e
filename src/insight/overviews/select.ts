// Selects the releases for an overview: the important and recent ones, with a fair share for every product.
import { factsOf } from '../../domain/source-types.ts';

export interface OverviewCandidate {
  id: string;
  sourceId: string;
  sourceType: string;
  productId: string | null;
  importance: number | null;
  breaking: string;
  feedAt: string;
}

export function selectCandidates(candidates: readonly OverviewCandidate[], limit: number): OverviewCandidate[] {
  const ranked = [...candidates].sort(byImportanceThenDate);
  const groups = Map.groupBy(capPerSource(ranked), (one) => one.productId ?? one.sourceId);
  const chosen: OverviewCandidate[] = [];
  // Each group contributes its best remaining release in turn, until the limit is reached or nothing is left.
  for (let round = 0; chosen.length < limit; round += 1) {
    const turn = [...groups.values()].flatMap((group) => group[round] ?? []);
    if (turn.length === 0) break;
    chosen.push(...turn.sort(byImportanceThenDate).slice(0, limit - chosen.length));
  }
  return chosen.sort(byImportanceThenDate);
}

function capPerSource(ranked: readonly OverviewCandidate[]): OverviewCandidate[] {
  const taken = new Map<string, number>();
  return ranked.filter(({ sourceId, sourceType }) => {
    const count = taken.get(sourceId) ?? 0;
    taken.set(sourceId, count + 1);
    return count < factsOf(sourceType).releasesInOverview;
  });
}

function byImportanceThenDate(a: OverviewCandidate, b: OverviewCandidate): number {
  const importance = (b.importance ?? 0) - (a.importance ?? 0);
  if (importance !== 0) return importance;
  if (a.feedAt !== b.feedAt) return a.feedAt < b.feedAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
