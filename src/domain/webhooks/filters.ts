// The filters of a subscription that look at the release of an event and not at its owner.

interface EventFilters {
  release_type: string | null;
  exclude_prereleases: number;
}

interface EventFacts {
  type: string;
  prerelease: boolean;
}

export function looksInside({ release_type, exclude_prereleases }: EventFilters): boolean {
  return release_type !== null || exclude_prereleases === 1;
}

export function passesFilters({ release_type, exclude_prereleases }: EventFilters, facts: EventFacts): boolean {
  if (release_type !== null && release_type !== facts.type) return false;
  return exclude_prereleases === 0 || !facts.prerelease;
}

// The facts of an event that filters ask for; an event without a type counts as a feature.
export function eventFacts(payload: string): EventFacts {
  const { release } = JSON.parse(payload) as { release: { type?: string; prerelease?: boolean } };
  return { type: release.type ?? 'feature', prerelease: release.prerelease ?? false };
}
