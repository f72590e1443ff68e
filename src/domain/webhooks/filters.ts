// The filters of a subscription that look at the release of an event and not at its owner.

import {
  filtersMeaning,
  type MeaningFilter,
  type MeaningfulRelease,
  passesMeaning,
} from '../meaning/passes-meaning.ts';
import type { BreakingVerdict } from '../notes/index.ts';

interface EventFilters {
  release_type: string | null;
  exclude_prereleases: number;
  min_breaking: MeaningFilter['minBreaking'];
  min_importance: number | null;
  security: number;
}

export interface EventInfo extends MeaningfulRelease {
  type: string;
  prerelease: boolean;
}

function meaningOf({ min_breaking, min_importance, security }: EventFilters): MeaningFilter {
  return { minBreaking: min_breaking, minImportance: min_importance, security: security === 1 };
}

export function looksInside(filters: EventFilters): boolean {
  return filters.release_type !== null || filters.exclude_prereleases === 1 || filtersMeaning(meaningOf(filters));
}

export function passesFilters(filters: EventFilters, facts: EventInfo): boolean {
  const { release_type, exclude_prereleases } = filters;
  if (release_type !== null && release_type !== facts.type) return false;
  if (exclude_prereleases === 1 && facts.prerelease) return false;
  return passesMeaning(meaningOf(filters), facts);
}

// Whether the release passes a filter by meaning as it is judged today, and did not when it was announced.
export function isLate(filters: EventFilters, then: EventInfo, today: EventInfo): boolean {
  return filtersMeaning(meaningOf(filters)) && !passesFilters(filters, then) && passesFilters(filters, today);
}

interface JudgedRelease {
  type: string;
  prerelease: number;
  breaking: BreakingVerdict;
  importance: number | null;
  security: number;
  proven: number;
}

export function releaseFacts({ type, prerelease, breaking, importance, security, proven }: JudgedRelease): EventInfo {
  return { type, prerelease: prerelease === 1, breaking, importance, security: security === 1, proven: proven === 1 };
}

type Told = Partial<Omit<EventInfo, 'importance'>> & { importance?: number };

// The facts of an event that filters ask for; an event without a type counts as a feature. Events of earlier versions do
// not say whether a release repairs a security problem.
export function eventFacts(payload: string): EventInfo {
  const { release } = JSON.parse(payload) as { release: Told };
  const { type = 'feature', prerelease = false, importance = null, security = false, proven = false } = release;
  const breaking: BreakingVerdict = release.breaking ?? 'unknown';
  return { type, prerelease, breaking, importance, security, proven };
}
