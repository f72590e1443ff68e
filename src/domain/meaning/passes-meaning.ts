// Filters by what a release means to its reader. Every channel that takes them (webhooks, personal and stack feeds, live
// stream, digest, `latest -f`) asks this one function.
import type { BreakingVerdict } from '../notes/index.ts';

export const MIN_BREAKING = ['minor', 'major'] as const;

// What is absent, null or false is not set.
export interface MeaningFilter {
  minBreaking?: (typeof MIN_BREAKING)[number] | null | undefined;
  minImportance?: number | null | undefined;
  security?: boolean | null | undefined;
}

export interface MeaningfulRelease {
  breaking: BreakingVerdict;
  importance: number | null;
  security: boolean;
  // The published package proves a break in the step to this release, whatever its notes say.
  proven?: boolean;
}

// The verdicts that are at least the one wanted; one that is not known is none of them.
export const PASSING_VERDICTS = { minor: ['minor', 'major'], major: ['major'] } as const satisfies Record<
  (typeof MIN_BREAKING)[number],
  readonly BreakingVerdict[]
>;

export function filtersMeaning({ minBreaking, minImportance, security }: MeaningFilter): boolean {
  return Boolean(minBreaking) || typeof minImportance === 'number' || security === true;
}

// A release passes when it meets any of the conditions that are set, and when none is.
export function passesMeaning(filter: MeaningFilter, release: MeaningfulRelease): boolean {
  if (!filtersMeaning(filter)) return true;
  const { minBreaking, minImportance, security } = filter;
  if (security && release.security) return true;
  if (typeof minImportance === 'number' && (release.importance ?? 0) >= minImportance) return true;
  if (!minBreaking) return false;
  const verdict = release.proven ? 'major' : release.breaking;
  return PASSING_VERDICTS[minBreaking].some((passing) => passing === verdict);
}
