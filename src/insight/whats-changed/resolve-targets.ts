// From what was asked for to the sources that are meant, for many questions with a handful of queries.
import { type Context, queries } from '../../context.ts';
import type { UpgradeReasonDetail, WhatsChanged } from '../../contract/whats-changed.ts';
import type { Way } from '../../domain/upgrade/asked.ts';
import type { PackageRow } from '../../store/schema.ts';
import { type Place, placeRows, toPlace } from './places.ts';

interface Sought {
  way: Way;
  // A slug is looked for in this org alone.
  orgId?: string;
}

export type Target =
  | {
      place: Place;
      matchedBy: NonNullable<WhatsChanged['matchedBy']>;
      // What the package map says about the part; null where it says nothing.
      mapped: string | null;
    }
  | {
      place: null;
      reason: 'not_tracked' | 'ambiguous';
      detail?: UpgradeReasonDetail;
      candidates?: Place[];
      // Was surely meant, but has to be asked for in another way.
      meant?: Place;
    };

export async function resolveTargets(ctx: Context, sought: readonly Sought[]): Promise<Target[]> {
  const ways = sought.map(({ way }) => way);
  const entries = await mapEntries(ctx, ways);
  const ids = ways.flatMap((way) => (way.by === 'id' ? way.id : []));
  const known = {
    entries,
    byId: await placesById(ctx, [...ids, ...[...entries.values()].map((entry) => entry.source_id)]),
    byCoordinate: await placesByCoordinate(ctx, ways),
    bySlug: await placesBySlug(ctx, ways),
  };
  return sought.map((one) => targetOf(one, known));
}

interface Known {
  entries: Map<string, MapEntry>;
  byId: Map<string, Place>;
  byCoordinate: Map<string, Place[]>;
  bySlug: Map<string, Place[]>;
}

function targetOf({ way, orgId }: Sought, { entries, byId, byCoordinate, bySlug }: Known): Target {
  if (way.by === 'id') return found(readable([byId.get(way.id)]), 'id');
  if (way.by === 'coordinate') return found(readable(byCoordinate.get(way.coordinate) ?? []), 'coordinate');
  if (way.by === 'package_map') {
    const entry = entries.get(mapKey(way));
    const [place] = shown([byId.get(entry?.source_id ?? '')]);
    return found(place, 'package_map', entry?.package_part ?? null, 'not_mapped');
  }
  if (way.by === 'slug') {
    const places = shown(bySlug.get(way.slug) ?? []);
    const candidates = orgId === undefined ? places : places.filter((place) => place.orgId === orgId);
    return candidates.length > 1 ? { place: null, reason: 'ambiguous', candidates } : found(candidates[0], 'slug');
  }
  if (way.reason === 'not_tracked') return { place: null, reason: 'not_tracked' };
  const [meant] = way.coordinate === null ? [] : shown(byCoordinate.get(way.coordinate) ?? []);
  return { place: null, reason: 'not_tracked', detail: way.reason, meant };
}

function found(
  place: Place | undefined,
  matchedBy: NonNullable<WhatsChanged['matchedBy']>,
  mapped: string | null = null,
  detail?: UpgradeReasonDetail,
): Target {
  return place ? { place, matchedBy, mapped } : { place: null, reason: 'not_tracked', detail };
}

function shown(places: readonly (Place | undefined)[]): Place[] {
  return places.filter((place) => place !== undefined).filter((place) => place.visible);
}

// What an operator has hidden is found by nobody; what a lookup has made, by who knows where it is.
function readable(places: readonly (Place | undefined)[]): Place | undefined {
  return shown(places)[0] ?? places.find((place) => place?.unlisted);
}

function mapKey({ ecosystem, name }: Pick<PackageRow, 'ecosystem' | 'name'>): string {
  return `${ecosystem} ${name}`;
}

type MapEntry = Pick<PackageRow, 'ecosystem' | 'name' | 'source_id' | 'package_part'>;

async function mapEntries(ctx: Context, ways: readonly Way[]): Promise<Map<string, MapEntry>> {
  const asked = ways.filter((way) => way.by === 'package_map');
  if (asked.length === 0) return new Map();
  const named = [...Map.groupBy(asked, (way) => way.ecosystem)];
  const rows = await queries(ctx)
    .selectFrom('packages')
    .select(['ecosystem', 'name', 'source_id', 'package_part'])
    .where((eb) =>
      eb.or(
        named.map(([ecosystem, list]) =>
          eb.and([eb('ecosystem', '=', ecosystem), eb('name', 'in', distinct(list.map(({ name }) => name)))]),
        ),
      ),
    )
    .execute();
  return new Map(rows.map((row) => [mapKey(row), row]));
}

async function placesById(ctx: Context, ids: readonly string[]): Promise<Map<string, Place>> {
  if (ids.length === 0) return new Map();
  const rows = await placeRows(ctx).where('s.id', 'in', distinct(ids)).execute();
  return new Map(rows.map((row) => [row.id, toPlace(row)]));
}

// A former name counts where no repository has it today.
async function placesByCoordinate(ctx: Context, ways: readonly Way[]): Promise<Map<string, Place[]>> {
  const asked = distinct(ways.flatMap((way) => ('coordinate' in way ? (way.coordinate ?? []) : [])));
  if (asked.length === 0) return new Map();
  const rows = await placeRows(ctx).where('s.github_coordinate', 'in', asked).execute();
  const places = Map.groupBy(rows.map(toPlace), (place) => place.coordinate ?? '');
  const unknown = asked.filter((coordinate) => !places.has(coordinate));
  if (unknown.length === 0) return places;
  const former = await placeRows(ctx)
    .innerJoin('former_coordinates as n', 'n.source_id', 's.id')
    .select('n.coordinate as former')
    .where('n.coordinate', 'in', unknown)
    .execute();
  for (const [coordinate, list] of Map.groupBy(former, (row) => row.former)) {
    places.set(
      coordinate,
      list.map(({ former: _, ...row }) => toPlace(row)),
    );
  }
  return places;
}

async function placesBySlug(ctx: Context, ways: readonly Way[]): Promise<Map<string, Place[]>> {
  const slugs = distinct(ways.flatMap((way) => (way.by === 'slug' ? way.slug : [])));
  if (slugs.length === 0) return new Map();
  const rows = await placeRows(ctx).where('s.slug', 'in', slugs).execute();
  return Map.groupBy(rows.map(toPlace), (place) => place.slug);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
