// The enums of a release packed into one small integer that indexes contain, so that a feed with a selective filter
// reads an index and no release.
import { type RawBuilder, sql } from 'kysely';
import type { Breaking, ReleaseType } from '../../contract/enums.ts';

const TYPES = ['feature', 'rollup'] as const;
const BREAKING = ['unknown', 'none', 'minor', 'major'] as const;
// 0 stands for a release without importance.
const IMPORTANCE = [0, 1, 2, 3, 4, 5] as const;
const PRERELEASE = [0, 1] as const;

// The same expression as in the indexes; a plan test notices when they differ.
export const FACET: RawBuilder<number> = sql<number>`(r.prerelease
  + CASE r.type WHEN 'rollup' THEN 2 ELSE 0 END
  + CASE r.breaking WHEN 'none' THEN 4 WHEN 'minor' THEN 8 WHEN 'major' THEN 12 ELSE 0 END
  + 16 * COALESCE(r.importance, 0))`;

export interface FacetFilter {
  includePrereleases?: boolean;
  minImportance?: number;
  breaking?: readonly Breaking[];
  type?: ReleaseType;
}

export function filtersFacets({ type, breaking, minImportance }: FacetFilter): boolean {
  return type !== undefined || breaking !== undefined || minImportance !== undefined;
}

// Every facet that passes a filter, whether or not a release has it.
export function facetsOf(filter: FacetFilter): number[] {
  const { type, breaking, minImportance = 0, includePrereleases } = filter;
  const facets: number[] = [];
  for (const importance of IMPORTANCE.filter((value) => value >= minImportance)) {
    for (const [verdict, name] of BREAKING.entries()) {
      if (breaking && !breaking.includes(name)) continue;
      for (const [kind, known] of TYPES.entries()) {
        if (type !== undefined && type !== known) continue;
        for (const prerelease of includePrereleases ? PRERELEASE : [0]) {
          facets.push(prerelease + 2 * kind + 4 * verdict + 16 * importance);
        }
      }
    }
  }
  return facets;
}
