// Finds entities whose names match a typed text, by short ranges of the name index. Their visibility is checked later;
// how those that are shown follow each other stands below.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { EntityType } from '../../contract/enums.ts';
import {
  EDITED_TIER,
  editedPieces,
  editedPrefixes,
  isEditedName,
  type NameClass,
  type NameQuery,
  nameRanges,
  tierOf,
} from '../../domain/entity-names/entity-names.ts';
import { keysOf } from '../../domain/records.ts';
import { addDays, utcDay } from '../../domain/timestamps.ts';
import { runNamed } from '../../store/pipeline.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import type { EntityNameRow } from '../../store/schema/search.ts';
import type { Filters } from '../filters/entry.ts';

export interface NameCandidate {
  id: string;
  tier: number;
  // True when the whole domain was typed.
  byDomain: boolean;
}

export type NameCandidates = Record<EntityType, NameCandidate[]>;

const PER_RANGE = 100;
const PER_TYPE = 60;
const PER_LENGTH = 1000;

// A suffix that sorts after every continuation of a text, by bytes, as both engines compare.
const LAST = '\u{10ffff}';

const CLASSES: Record<EntityType, readonly NameClass[]> = {
  org: ['name', 'joined', 'word', 'slug', 'slug_word', 'domain', 'label'],
  product: ['name', 'joined', 'word', 'slug', 'slug_word', 'domain', 'label'],
  source: ['name', 'joined', 'word', 'slug', 'slug_word', 'place'],
  collection: ['name', 'joined', 'word', 'slug', 'slug_word', 'text'],
};
const TYPES = keysOf(CLASSES);

// Candidates of tiers 0 to 3, the best of each type first.
export async function nameCandidates(ctx: Context, query: NameQuery): Promise<NameCandidates> {
  const ranges = nameRanges(query);
  const parts = TYPES.flatMap((type) =>
    ranges
      .filter((range) => CLASSES[type].includes(range.class))
      .map((range): NameRange => ({ type, ...range, most: PER_RANGE })),
  );
  if (parts.length === 0) return none();
  const rows = await readRanges(ctx, parts);
  return bestOf(
    rows.flatMap((row) => {
      const named = { class: row.class, suffix: row.suffix };
      const tier = tierOf(named, query);
      return tier === null ? [] : [{ row, tier, byDomain: row.class === 'domain' }];
    }),
  );
}

// Candidates of tier 5, whose names differ by a typing error. They are looked for only when nothing else matches.
export async function editedCandidates(ctx: Context, query: NameQuery): Promise<NameCandidates> {
  const prefixes = editedPrefixes(query);
  const parts = TYPES.flatMap((type) =>
    prefixes.map((text): NameRange => ({ type, class: 'sized', text, prefix: true, most: PER_LENGTH })),
  );
  if (parts.length === 0) return none();
  const rows = await readHolding(ctx, parts, editedPieces(query));
  const close = rows.filter((row) => isEditedName(row.suffix.slice(row.suffix.lastIndexOf(' ') + 1), query));
  return bestOf(close.map((row) => ({ row, tier: EDITED_TIER, byDomain: false })));
}

interface NameRange {
  type: EntityType;
  class: NameClass;
  text: string;
  prefix: boolean;
  most: number;
}

// The parameters of a range, in the order of its text.
function valuesOf({ type, class: name, text, prefix }: NameRange): string[] {
  return [type, name, text, prefix ? text + LAST : text];
}

function queryOf({ prefix, most }: NameRange): RawBuilder<unknown> {
  const upper = prefix ? sql`suffix < ${''}` : sql`suffix = ${''}`;
  return sql`SELECT * FROM (SELECT entity_type, class, suffix, entity_id FROM entity_names
    WHERE entity_type = ${''} AND class = ${''} AND suffix >= ${''} AND ${upper}
    ORDER BY suffix LIMIT ${sql.lit(most)}) AS part`;
}

async function readRanges(ctx: Context, ranges: readonly NameRange[]): Promise<EntityNameRow[]> {
  if (ctx.store.dialect.hasLateral) return readListed(ctx, ranges, sql``);
  return runNamed<EntityNameRow>(queries(ctx), {
    name: `names: ${ranges.map(({ prefix, most }) => `${prefix ? 'from' : 'at'} ${most}`).join(', ')}`,
    build: () => sql`${sql.join(ranges.map(queryOf), sql` UNION ALL `)} ${ONE_PLAN}`,
    parameters: ranges.flatMap(valuesOf),
  });
}

const RANGE = [['type', 'class', 'from', 'to']];

// The rows of prefixes whose names contain one of these texts of letters and digits. A union of all ranges takes eight times
// as long as their list, because each of its parts is begun and ended apart.
async function readHolding(
  ctx: Context,
  ranges: readonly NameRange[],
  pieces: readonly string[],
): Promise<EntityNameRow[]> {
  const { dialect } = ctx.store;
  if (dialect.hasLateral) {
    const likes = pieces.map((piece) => sql`suffix LIKE ${`%${piece}%`}`);
    return readListed(ctx, ranges, sql` AND (${sql.join(likes, sql` OR `)})`);
  }
  return runNamed<EntityNameRow>(queries(ctx), {
    name: `names that hold one of ${pieces.length}`,
    build: () => sql`SELECT n.entity_type, n.class, n.suffix, n.entity_id
      FROM ${dialect.textRows(RANGE, 'asked')} CROSS JOIN entity_names n
      WHERE n.entity_type = asked.v0 AND n.class = asked.v1 AND n.suffix >= asked.v2 AND n.suffix <= asked.v3
        AND (${sql.join(
          pieces.map(() => sql`instr(n.suffix, ${''}) > 0`),
          sql` OR `,
        )})
      LIMIT ${sql.lit(TYPES.length * pieces.length * PER_LENGTH)} ${ONE_PLAN}`,
    parameters: [JSON.stringify(ranges.map(valuesOf)), ...pieces],
  });
}

// The same where a query may refer to a list: a server begins and ends each part of a union apart. All ranges have the same
// limit.
async function readListed(ctx: Context, ranges: readonly NameRange[], held: RawBuilder<unknown>) {
  const { most = 0 } = ranges[0] ?? {};
  const { rows } = await sql<EntityNameRow>`SELECT part.*
    FROM ${ctx.store.dialect.textRows(ranges.map(valuesOf), 'asked')} CROSS JOIN LATERAL (
      SELECT entity_type, class, suffix, entity_id FROM entity_names
      WHERE entity_type = asked.v0 AND class = asked.v1 AND suffix >= asked.v2 AND suffix <= asked.v3${held}
      ORDER BY suffix LIMIT ${sql.lit(most)}) AS part ${ONE_PLAN}`.execute(queries(ctx));
  return rows;
}

type FoundName = { row: EntityNameRow; tier: number; byDomain: boolean };

// The best candidates; of equal ones those with shorter names, which are closer to the typed text.
function bestOf(found: readonly FoundName[]): NameCandidates {
  const sorted = found.toSorted((a, b) => a.tier - b.tier || a.row.suffix.length - b.row.suffix.length);
  const candidates = none();
  const known = new Map<string, NameCandidate>();
  for (const { row, tier, byDomain } of sorted) {
    const before = known.get(row.entity_id);
    if (before) {
      before.byDomain ||= byDomain;
      continue;
    }
    const candidate = { id: row.entity_id, tier, byDomain };
    known.set(row.entity_id, candidate);
    const list = candidates[row.entity_type];
    if (list.length < PER_TYPE) list.push(candidate);
  }
  return candidates;
}

function none(): NameCandidates {
  return { org: [], product: [], source: [], collection: [] };
}

// What all lists of found entities share: their filters, their order, and the counts of releases of the last 90 days that
// decide it.

// The filters that apply to entities; the others are about releases.
export interface EntityScope {
  filter: Filters;
  // The orgs that the filters admit; null for all.
  owners: readonly string[] | null;
  collectionId: string | null;
  // Also shows orgs without releases.
  includeEmpty: boolean;
}

export interface RankedEntity {
  id: string;
  tier: number;
  recent: number;
  nameKey: string;
}

const DAYS = 90;

// The number of releases of the last 90 days, over the sources (alias rs) that `condition` selects.
export function recentReleases(ctx: Context, condition: ReturnType<typeof sql>) {
  // Written out, because a server that does not know the first day expects to read years of them.
  const from = sql.lit(addDays(utcDay(now(ctx)), 1 - DAYS));
  return sql<number>`(SELECT COALESCE(SUM(d.count), 0) FROM sources rs
    LEFT JOIN products rp ON rp.id = rs.product_id
    JOIN release_days d ON d.source_id = rs.id AND d.day >= ${from}
    WHERE ${condition} AND rs.deleted_at IS NULL AND rs.is_hidden = 0 AND (rp.id IS NULL OR rp.is_hidden = 0))`;
}

export function byRank(a: RankedEntity, b: RankedEntity): number {
  return a.tier - b.tier || b.recent - a.recent || compare(a.nameKey, b.nameKey) || compare(a.id, b.id);
}

export function tiersOf(candidates: readonly NameCandidate[]): Map<string, number> {
  return new Map(candidates.map(({ id, tier }) => [id, tier]));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
