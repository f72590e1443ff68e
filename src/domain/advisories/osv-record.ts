// One record of the OSV format, as far as it is used: whose versions it names, and under which other names it is known. The record is a
// stranger's: what does not have the form is left out, and what could make an answer wrong refuses the record.
import { ecosystemOfAdvisories, type PackageName, publishedName } from '../ecosystems/index.ts';
import { isRecord } from '../records.ts';

export interface Advisory {
  id: string;
  aliases: readonly string[];
  isWithdrawn: boolean;
  // Plain text of a stranger; null without one.
  summary: string | null;
  publishedAt: string | null;
  modifiedAt: string | null;
  affected: readonly AffectedPackage[];
}

export interface AffectedPackage extends PackageName {
  ranges: readonly (readonly RangeEvent[])[];
  versions: readonly string[];
}

export type RangeEvent = { introduced: string } | { fixed: string } | { lastAffected: string };

const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const MAX_SUMMARY = 500;
const MAX_AFFECTED = 2_000;
const MAX_VERSIONS = 20_000;
const MAX_EVENTS = 2_000;
const RANGE_TYPES: ReadonlySet<unknown> = new Set(['SEMVER', 'ECOSYSTEM']);

// `elsewhere`: of other ecosystems alone. Null for what is no record, or not one that can be read to the end.
export function readOsvRecord(value: unknown): Advisory | 'elsewhere' | null {
  if (!isRecord(value) || typeof value.id !== 'string' || !ID.test(value.id)) return null;
  const entries = listAt(value, 'affected');
  if (entries.length > MAX_AFFECTED) return null;
  const read = entries.map(readAffected);
  const affected = read.flatMap((one) => one ?? []);
  if (read.includes(null)) return null;
  if (affected.length === 0) return 'elsewhere';
  return {
    id: value.id,
    aliases: textsAt(value, 'aliases').filter((alias) => ID.test(alias)),
    isWithdrawn: typeof value.withdrawn === 'string',
    summary: typeof value.summary === 'string' ? value.summary.slice(0, MAX_SUMMARY) : null,
    publishedAt: timeAt(value, 'published'),
    modifiedAt: timeAt(value, 'modified'),
    affected,
  };
}

// Half of a range would call versions clear that are not: an entry with one that cannot be read is null.
function readAffected(entry: unknown): AffectedPackage[] | null {
  if (!isRecord(entry) || !isRecord(entry.package)) return [];
  const ecosystem = ecosystemOfAdvisories(entry.package.ecosystem);
  const name = ecosystem && publishedName(ecosystem, entry.package.name);
  if (!ecosystem || !name) return [];
  const read = listAt(entry, 'ranges')
    .filter((range) => !isRecord(range) || RANGE_TYPES.has(range.type))
    .map(readRange);
  const ranges = read.filter((range) => range !== null);
  const versions = textsAt(entry, 'versions');
  if (ranges.length < read.length || versions.length > MAX_VERSIONS) return null;
  return ranges.length === 0 && versions.length === 0 ? [] : [{ ecosystem, name, ranges, versions }];
}

function readRange(range: unknown): RangeEvent[] | null {
  const events = isRecord(range) ? listAt(range, 'events') : [];
  const read = events.map(readEvent);
  const known = read.filter((one) => one !== null).flat();
  return events.length === 0 || events.length > MAX_EVENTS || read.includes(null) ? null : known;
}

// Old records have two bounds in one event. A limit of the range covers less than without it, and is left aside.
function readEvent(event: unknown): RangeEvent[] | null {
  if (!isRecord(event)) return null;
  const { introduced, fixed, last_affected: last, limit } = event;
  const bounds: RangeEvent[] = [
    ...(typeof introduced === 'string' ? [{ introduced }] : []),
    ...(typeof fixed === 'string' ? [{ fixed }] : []),
    ...(typeof last === 'string' ? [{ lastAffected: last }] : []),
  ];
  return bounds.length > 0 || typeof limit === 'string' ? bounds : null;
}

function listAt(record: Record<string, unknown>, key: string): unknown[] {
  const value = record[key];
  return Array.isArray(value) ? value : [];
}

function textsAt(record: Record<string, unknown>, key: string): string[] {
  return listAt(record, key).filter((one) => typeof one === 'string');
}

function timeAt(record: Record<string, unknown>, key: string): string | null {
  const value = record[key];
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
