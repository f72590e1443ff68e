// Published versions as they are listed, with whether there are notes of each: one statement for all questions of a call.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import { packageKey } from '../../domain/published-package.ts';
import { elementAt } from '../../domain/records.ts';
import type { PackageName } from '../../domain/upgrade/asked.ts';
import { isBelow } from '../../domain/upgrade/bounds.ts';
import type { PublishedVersion } from '../../domain/upgrade/published.ts';
import type { VersionRange } from '../../domain/upgrade/version-range.ts';
import { isStoredVersion, type ReleaseSpan, type ReleaseWindow } from './spans.ts';

type VersionWindow = Extract<ReleaseWindow, { by: 'version' }>;

export interface PublishedRequest extends Pick<ReleaseSpan, 'sourceId' | 'part' | 'visible'> {
  listing: PackageName;
  window: VersionWindow;
}

// The published versions of each range, rising.
export async function publishedVersions(
  ctx: Context,
  requests: readonly PublishedRequest[],
): Promise<PublishedVersion[][]> {
  const found = new Map<PublishedRequest, PublishedVersion[]>();
  for (const alike of Map.groupBy(requests, ({ part, visible }) => `${part === null} ${visible}`).values()) {
    // Several ranges of one package are cut from one read of all of them.
    const packages = [...Map.groupBy(alike, packageOf).values()];
    const bySlot = Map.groupBy(await readRows(ctx, packages.map(widest)), ({ slot }) => slot);
    for (const [slot, ranges] of packages.entries()) {
      for (const one of ranges) found.set(one, inWindow(bySlot.get(slot) ?? [], one.window));
    }
  }
  return requests.map((one) => found.get(one) ?? []);
}

function packageOf({ listing, sourceId, part }: PublishedRequest): string {
  return JSON.stringify([packageKey(listing), sourceId, part]);
}

interface AskedVersions extends PackageName {
  after: string;
  upTo: string;
  // Where notes of the versions are; null when nobody wants to know.
  notes: Pick<ReleaseSpan, 'sourceId' | 'part' | 'visible'> | null;
}

function widest(ranges: readonly PublishedRequest[]): AskedVersions {
  const { listing, sourceId, part, visible } = elementAt(ranges, 0);
  const { ecosystem, name } = listing;
  const after = ranges.map(({ window }) => window.after).reduce((a, b) => (isBelow(b, a) ? b : a));
  const upTo = ranges.map(({ window }) => window.upTo).reduce((a, b) => (isBelow(a, b) ? b : a));
  return { ecosystem, name, after, upTo, notes: { sourceId, part, visible } };
}

function inWindow(rising: readonly PublishedVersion[], { after, upTo, gaps }: VersionWindow): PublishedVersion[] {
  return rising.filter(({ key }) => {
    if (!isBelow(after, key) || isBelow(upTo, key)) return false;
    return gaps.every(([start, end]) => isBelow(key, start) || !isBelow(key, end));
  });
}

// Above every key.
const HIGHEST = '\u007f';

// The versions that a range may admit, or all of them, highest first.
export async function fallingVersions(
  ctx: Context,
  requests: readonly { listing: PackageName; range: VersionRange | null }[],
): Promise<PublishedVersion[][]> {
  const asked = requests.map(({ listing: { ecosystem, name }, range }) => {
    return { ecosystem, name, after: lowestOf(range), upTo: highestOf(range), notes: null };
  });
  const bySlot = Map.groupBy(await readRows(ctx, asked), ({ slot }) => slot);
  return requests.map((_, slot) => (bySlot.get(slot) ?? []).reverse());
}

// A key sorts above its own beginning.
function lowestOf(range: VersionRange | null): string {
  const lower = (range?.intervals ?? []).map((interval) => interval.lower?.key.slice(0, -1) ?? '');
  return lower.length === 0 ? '' : lower.reduce((a, b) => (isBelow(b, a) ? b : a));
}

function highestOf(range: VersionRange | null): string {
  const upper = (range?.intervals ?? []).map((interval) => interval.upper?.key ?? HIGHEST);
  return upper.length === 0 ? HIGHEST : upper.reduce((a, b) => (isBelow(a, b) ? b : a));
}

interface VersionRow {
  slot: number;
  version: string;
  version_sort: string;
  withdrawn: number;
  noted: number;
}

// Those with notes either all have a part or all have none.
async function readRows(
  ctx: Context,
  asked: readonly AskedVersions[],
): Promise<(PublishedVersion & { slot: number })[]> {
  if (asked.length === 0) return [];
  const values = asked.map(({ ecosystem, name, after, upTo, notes }, slot) => {
    return sql`(${sql.lit(slot)}, ${ecosystem}, ${name}, ${after}, ${upTo}, ${notes?.sourceId ?? ''}, ${notes?.part ?? ''})`;
  });
  const { notes } = elementAt(asked, 0);
  const { rows } = await sql<VersionRow>`WITH asked (slot, ecosystem, name, after, up_to, source_id, part) AS (
      VALUES ${sql.join(values)})
    SELECT a.slot, v.version, v.version_sort, v.withdrawn, ${notes ? isNoted(ctx, notes) : sql`0`} AS noted
    FROM asked a CROSS JOIN package_versions v
    WHERE v.ecosystem = a.ecosystem AND v.name = a.name AND v.version_sort > a.after AND v.version_sort <= a.up_to
    ORDER BY a.slot, v.version_sort, v.version`.execute(queries(ctx));
  return rows.map(({ slot, version, version_sort: key, withdrawn, noted }) => {
    return { slot: Number(slot), version, key, withdrawn: withdrawn === 1, noted: noted === 1 };
  });
}

// Whether a release with text is stored. A verdict of none or minor rests on words, so the text itself need not be looked
// at; a release that another one covers is told by that one.
function isNoted(ctx: Context, { part, visible }: NonNullable<AskedVersions['notes']>): RawBuilder<number> {
  return sql<number>`CASE WHEN EXISTS (SELECT 1 FROM releases r
    WHERE r.source_id = a.source_id AND r.package_part ${part === null ? sql`IS NULL` : sql`= a.part`}
      AND r.version_sort = v.version_sort AND r.feed_at <= ${now(ctx)} AND ${isStoredVersion({ visible })}
      AND (r.breaking IN ('none', 'minor') OR r.content_chars > 0 OR r.coverage_of IS NOT NULL)) THEN 1 ELSE 0 END`;
}
