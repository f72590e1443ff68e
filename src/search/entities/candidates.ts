// Finds entities whose names match a typed text, by short ranges of the name index. Their visibility is checked later.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { EntityType } from '../../contract/enums.ts';
import type { NameClass } from '../../domain/entity-names/name-rows.ts';
import {
  EDITED_TIER,
  editedPieces,
  editedPrefixes,
  isEditedName,
  type NameQuery,
  nameRanges,
  tierOf,
} from '../../domain/entity-names/tiers.ts';
import { keysOf } from '../../domain/records.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import type { EntityNameRow } from '../../store/schema/search.ts';

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
  const wanted = TYPES.flatMap((type) =>
    ranges.filter((range) => CLASSES[type].includes(range.class)).map((range) => ({ type, ...range })),
  );
  const rows = await readRanges(ctx, wanted, { most: PER_RANGE });
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
  const ranges = TYPES.flatMap((type) =>
    prefixes.map((text): NameRange => ({ type, class: 'sized', text, prefix: true })),
  );
  const rows = await readRanges(ctx, ranges, { most: PER_LENGTH, holding: editedPieces(query) });
  const close = rows.filter((row) => isEditedName(row.suffix.slice(row.suffix.lastIndexOf(' ') + 1), query));
  return bestOf(close.map((row) => ({ row, tier: EDITED_TIER, byDomain: false })));
}

interface NameRange {
  type: EntityType;
  class: NameClass;
  text: string;
  prefix: boolean;
}

interface RangeLimits {
  // Of each range.
  most: number;
  // The name must contain one of these texts of letters and digits.
  holding?: readonly string[];
}

async function readRanges(
  ctx: Context,
  ranges: readonly NameRange[],
  { most, holding = [] }: RangeLimits,
): Promise<EntityNameRow[]> {
  if (ranges.length === 0) return [];
  const pieces = holding.map((piece) => sql`suffix LIKE ${`%${piece}%`}`);
  const held = pieces.length === 0 ? sql`` : sql` AND (${sql.join(pieces, sql` OR `)})`;
  const firstOf = (range: RawBuilder<unknown>) => sql`(SELECT entity_type, class, suffix, entity_id
    FROM entity_names WHERE ${range}${held} ORDER BY suffix LIMIT ${sql.lit(most)}) AS part`;
  const { dialect } = ctx.store;
  // A server prepares each part of a union anew; a list of ranges is one part.
  const statement = dialect.hasLateral
    ? sql<EntityNameRow>`SELECT part.* FROM ${dialect.textRows(ranges.map(boundsOf), 'asked')}
        CROSS JOIN LATERAL ${firstOf(sql`entity_type = asked.v0 AND class = asked.v1
          AND suffix >= asked.v2 AND suffix <= asked.v3`)} ${ONE_PLAN}`
    : sql<EntityNameRow>`${sql.join(
        ranges.map((range) => sql`SELECT * FROM ${firstOf(inRange(range))}`),
        sql` UNION ALL `,
      )} ${ONE_PLAN}`;
  return (await statement.execute(queries(ctx))).rows;
}

function boundsOf({ type, class: name, text, prefix }: NameRange): string[] {
  return [type, name, text, prefix ? text + LAST : text];
}

function inRange({ type, class: name, text, prefix }: NameRange): RawBuilder<unknown> {
  const upper = prefix ? sql`suffix < ${text + LAST}` : sql`suffix = ${text}`;
  return sql`entity_type = ${type} AND class = ${name} AND suffix >= ${text} AND ${upper}`;
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
