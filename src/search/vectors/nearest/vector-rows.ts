// Reads the table of vectors for the index.

import { bytesOf } from '../../../domain/embedding/quantise.ts';
import type { VectorKind } from '../../../ports.ts';
import type { DatabaseReader } from '../../../store/open-reader.ts';

export interface VectorRows {
  reader: DatabaseReader;
  space: string;
  kind: VectorKind;
}

export interface IndexedRow {
  key: number;
  seq: number;
  data: Int8Array;
  deleted: boolean;
}

// The rows after a number, in commit order.
export async function rowsAfter(
  { reader, space, kind }: Omit<VectorRows, 'reader'> & { reader: Pick<DatabaseReader, 'db'> },
  seq: number,
  limit: number,
): Promise<IndexedRow[]> {
  const rows = await reader.db
    .selectFrom('vectors')
    .select(['key', 'seq', 'data', 'deleted'])
    .where('space', '=', space)
    .where('kind', '=', kind)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(({ key, seq: own, data, deleted }) => ({
    key,
    seq: own,
    data: bytesOf(data),
    deleted: deleted === 1,
  }));
}

// Vectors that are not deleted, in the order of their keys.
export async function rowsFromKey(
  { reader, space, kind }: VectorRows,
  after: number,
  limit: number,
): Promise<IndexedRow[]> {
  const rows = await reader.db
    .selectFrom('vectors')
    .select(['key', 'seq', 'data'])
    .where('space', '=', space)
    .where('kind', '=', kind)
    .where('key', '>', after)
    .where('deleted', '=', 0)
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map(({ key, seq, data }) => ({ key, seq, data: bytesOf(data), deleted: false }));
}

// Vectors of these keys that are not deleted, in any order.
export async function rowsOfKeys(
  { reader, space, kind }: VectorRows,
  keys: readonly number[],
): Promise<{ key: number; data: Int8Array }[]> {
  const rows = await reader.db
    .selectFrom('vectors')
    .select(['key', 'data'])
    .where('space', '=', space)
    .where('kind', '=', kind)
    .where(reader.dialect.amongKeys('key', keys))
    .where('deleted', '=', 0)
    .execute();
  return rows.map(({ key, data }) => ({ key, data: bytesOf(data) }));
}

interface Extent {
  count: number;
  lastSeq: number;
}

export async function extentOf({ reader, space, kind }: VectorRows): Promise<Extent> {
  const row = await reader.db
    .selectFrom('vectors')
    .select(({ fn }) => [fn.countAll<number>().filterWhere('deleted', '=', 0).as('count'), fn.max('seq').as('last')])
    .where('space', '=', space)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return { count: Number(row?.count ?? 0), lastSeq: Number(row?.last ?? 0) };
}
