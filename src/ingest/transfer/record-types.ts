// The content of an export: one record type per public table, with its public columns. Derived data (counts, search
// rows, embeddings, name keys) is left out and computed again by the import.
import { z } from 'zod';
import { recordOf } from '../../domain/records.ts';
import { fieldName, type RecordTable } from './columns.ts';
import { LISTING_RECORDS } from './listing-records.ts';
import { ORG_RECORDS } from './org-records.ts';
import type { RecordData } from './record-children.ts';
import { RELEASE_RECORDS } from './release-records.ts';
import { SOURCE_RECORDS } from './source-records.ts';

// The order of the file: a record comes after those that it refers to.
export const RECORD_NAMES = [
  'category',
  'tag',
  'org',
  'product',
  'source',
  'location',
  'package',
  'release',
  'listing',
  'coverage',
  'changelogFile',
  'summary',
  'overview',
  'collection',
] as const;

export type RecordName = (typeof RECORD_NAMES)[number];

type RecordType = Required<RecordTable> & { name: RecordName };

// Which part of the registry an export holds.
export interface ExportScope {
  now: string;
  // The id of the one org that is exported.
  org?: string;
  // Leaves out releases and texts that have not changed since.
  since?: string;
  // Scopes of private package registries, whose packages are left out.
  privateScopes?: ReadonlySet<string>;
}

const TABLES: Record<RecordName, RecordTable> = {
  ...ORG_RECORDS,
  ...SOURCE_RECORDS,
  ...RELEASE_RECORDS,
  ...LISTING_RECORDS,
};

const USUAL = { key: 'id', children: {}, parents: {}, isSoftDeleted: false, isEmbedded: false };

export const RECORD_TYPES = recordOf(RECORD_NAMES, (name): RecordType => ({ name, ...USUAL, ...TABLES[name] }));

// The schema of each record, which also puts its fields into the order of the file.
export const RECORD_SCHEMAS = recordOf(RECORD_NAMES, (name): z.ZodType<RecordData> => {
  const { columns, children } = RECORD_TYPES[name];
  const fields = Object.entries(columns).map(([column, { schema }]) => [fieldName(column), schema]);
  return z.object({ ...Object.fromEntries(fields), ...children });
});

export function keyOf({ key }: RecordType, data: RecordData): string {
  return String(data[fieldName(key)]);
}

// The columns of a record as stored in the table.
export function storedColumns({ columns }: RecordType, data: RecordData): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([column, { toStored }]) => [column, toStored(data[fieldName(column)] ?? null)]),
  );
}
