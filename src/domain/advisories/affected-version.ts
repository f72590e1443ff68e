// Which versions an advisory covers, in the order of their ecosystem.
import { factsOfEcosystem, type PackageName } from '../ecosystems/index.ts';
import type { Advisory, AffectedPackage, RangeEvent } from './osv-record.ts';

// `unknown`: the version, or a bound of a range, cannot be put in order.
type Coverage = 'affected' | 'clear' | 'unknown';

// Withdrawn advisories cover nothing.
export function coverageOfVersion(
  advisory: Advisory,
  { ecosystem, name, version }: PackageName & { version: string },
): Coverage {
  if (advisory.isWithdrawn) return 'clear';
  const entries = advisory.affected.filter((one) => one.ecosystem === ecosystem && one.name === name);
  const answers = entries.map((entry) => coverageOfEntry(entry, version));
  if (answers.includes('affected')) return 'affected';
  return answers.includes('unknown') ? 'unknown' : 'clear';
}

function coverageOfEntry(entry: AffectedPackage, version: string): Coverage {
  const { compareVersions } = factsOfEcosystem(entry.ecosystem);
  if (entry.versions.some((one) => one === version || compareVersions(one, version) === 0)) return 'affected';
  const answers = entry.ranges.map((events) => coverageOfRange(events, version, compareVersions));
  if (answers.includes('affected')) return 'affected';
  return answers.includes('unknown') ? 'unknown' : 'clear';
}

type Compare = (one: string, other: string) => number | null;

interface PlacedEvent {
  event: RangeEvent;
  // How its bound stands to the version.
  order: number;
}

// The last event that applies decides. Events need not stand in order.
function coverageOfRange(events: readonly RangeEvent[], version: string, compare: Compare): Coverage {
  const placed: PlacedEvent[] = [];
  for (const event of events) {
    const order = boundOfEvent(event) === '0' && 'introduced' in event ? -1 : compare(boundOfEvent(event), version);
    if (order === null) return 'unknown';
    placed.push({ event, order });
  }
  const reached = placed.filter(({ event, order }) => ('lastAffected' in event ? order < 0 : order <= 0));
  const [last] = reached.sort((a, b) => laterEvent(a.event, b.event, compare)).slice(-1);
  return last && 'introduced' in last.event ? 'affected' : 'clear';
}

function boundOfEvent(event: RangeEvent): string {
  if ('introduced' in event) return event.introduced;
  return 'fixed' in event ? event.fixed : event.lastAffected;
}

// At the same version an introduction stands after a fix: who says both means that it came back.
function laterEvent(a: RangeEvent, b: RangeEvent, compare: Compare): number {
  if (isFromStart(a) || isFromStart(b)) return Number(isFromStart(b)) - Number(isFromStart(a));
  const order = compare(boundOfEvent(a), boundOfEvent(b)) ?? 0;
  return order || Number('introduced' in a) - Number('introduced' in b);
}

function isFromStart(event: RangeEvent): boolean {
  return 'introduced' in event && event.introduced === '0';
}
