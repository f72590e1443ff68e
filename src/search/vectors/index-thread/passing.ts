// Checks which keys pass the filter by reading their rows, so that an outdated index never shows a hidden document.
import { type RawBuilder, sql } from 'kysely';
import type { VectorKind } from '../../../ports.ts';
import type { DatabaseReader } from '../../../store/open-reader.ts';
import { allOf } from '../../filters/entry.ts';
import {
  listingsOf,
  OWNERS,
  orgConditions,
  productConditions,
  releaseConditions,
  sourceConditions,
  type WantedVectors,
} from './conditions.ts';

interface PassedKey {
  key: number;
  ref: string;
}

export async function passing(
  reader: DatabaseReader,
  wanted: WantedVectors,
  keys: readonly number[],
): Promise<Map<number, string>> {
  if (keys.length === 0) return new Map();
  const { rows } = await QUESTIONS[wanted.kind](reader, wanted, keys).execute(reader.db);
  return new Map(rows.map(({ key, ref }) => [key, String(ref)]));
}

// Rows are selected by their keys alone and filtered afterwards, because a planner that sees both conditions may scan the
// index of a filter.
const RELEASE_COLUMNS = sql.raw(
  'seq, id, listing, feed_at, published_at, prerelease, org_id, product_id, source_id, effective_category, type, ' +
    'breaking, importance',
);

type PassingStatement = (
  reader: DatabaseReader,
  wanted: WantedVectors,
  keys: readonly number[],
) => RawBuilder<PassedKey>;

const QUESTIONS: Record<VectorKind, PassingStatement> = {
  release: ({ dialect }, wanted, keys) => sql<PassedKey>`
    WITH picked AS MATERIALIZED (SELECT ${RELEASE_COLUMNS} FROM releases WHERE ${dialect.amongKeys('seq', keys)})
    SELECT r.seq AS key, r.id AS ref FROM picked r
    WHERE r.listing IN (${sql.join(listingsOf(wanted.filter))}) AND ${allOf(releaseConditions(wanted))}`,
  chunk: ({ dialect }, wanted, keys) => sql<PassedKey>`
    WITH picked AS MATERIALIZED (SELECT seq, source_id FROM changelog_chunks WHERE ${dialect.amongKeys('seq', keys)})
    SELECT c.seq AS key, c.seq AS ref FROM picked c
    JOIN sources s ON s.id = c.source_id ${OWNERS}
    WHERE ${allOf(sourceConditions(wanted))}`,
  entity: entityQuestion,
};

function entityQuestion(
  { dialect }: DatabaseReader,
  wanted: WantedVectors,
  keys: readonly number[],
): RawBuilder<PassedKey> {
  const { entityType } = wanted;
  const known = sql`v.kind = 'entity' AND v.deleted = 0 AND ${dialect.amongKeys('v.key', keys)}`;
  const parts = {
    source: sql`SELECT v.key, v.ref FROM vectors v JOIN sources s ON s.id = v.ref ${OWNERS}
      WHERE ${known} AND ${allOf(sourceConditions(wanted))}`,
    product: sql`SELECT v.key, v.ref FROM vectors v JOIN products p ON p.id = v.ref JOIN orgs o ON o.id = p.org_id
      WHERE ${known} AND ${allOf(productConditions(wanted))}`,
    org: sql`SELECT v.key, v.ref FROM vectors v JOIN orgs o ON o.id = v.ref
      WHERE ${known} AND ${allOf(orgConditions(wanted))}`,
  };
  const requested = entityType === undefined ? Object.values(parts) : [parts[entityType]];
  return sql<PassedKey>`${sql.join(requested, sql` UNION `)}`;
}
