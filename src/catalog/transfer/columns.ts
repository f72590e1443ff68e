// How a column is written to an export file: its schema and the conversion in both directions.
import { z } from 'zod';
import type { Schema } from '../../store/schema/index.ts';

interface TransferColumn {
  schema: z.ZodType;
  toFile(stored: unknown): unknown;
  toStored(value: unknown): unknown;
}

// A record type as its table declares it; omitted fields have defaults (`record-types.ts`).
export interface RecordTable {
  table: keyof Schema;
  columns: Record<string, TransferColumn>;
  // The column that identifies records of this type.
  key?: string;
  // Lists that are written inside the record although they are separate tables.
  children?: Record<string, z.ZodType>;
  // Columns that refer to a record of another table, which must exist.
  parents?: Record<string, 'orgs' | 'products' | 'sources' | 'releases'>;
  isSoftDeleted?: boolean;
  isEmbedded?: boolean;
}

// PostgreSQL cannot store a NUL character, so a file with one could not be imported everywhere.
const storable = z.string().refine((value) => !value.includes('\0'), 'must not hold a NUL character');
const webAddress = storable.refine((value) => /^https?:\/\//i.test(value), 'must be an http or https address');

const asIs = (schema: z.ZodType): TransferColumn => ({
  schema,
  toFile: (stored) => stored,
  toStored: (value) => value,
});

export const text = asIs(storable);
export const nullableText = asIs(storable.nullable());
export const url = asIs(webAddress);
export const nullableUrl = asIs(webAddress.nullable());
export const integer = asIs(z.int());
export const nullableInteger = asIs(z.int().nullable());
export const nullableNumber = asIs(z.number().nullable());
export const oneOf = (values: readonly string[]): TransferColumn => asIs(z.enum(values));
export const nullableOneOf = (values: readonly string[]): TransferColumn => asIs(z.enum(values).nullable());
// Absent in files that were written before the column was.
export const optionalOneOf = (values: readonly string[]): TransferColumn =>
  asIs(z.enum(values).nullable().default(null));
export const id = (prefix: string): TransferColumn => asIs(typedId(prefix));
export const nullableId = (prefix: string): TransferColumn => asIs(typedId(prefix).nullable());

export const flag: TransferColumn = {
  schema: z.boolean(),
  toFile: (stored) => Number(stored) === 1,
  toStored: (value) => (value ? 1 : 0),
};

export const json: TransferColumn = {
  schema: z.unknown().refine((value) => !JSON.stringify(value ?? null).includes('\\u0000'), 'must not hold a NUL'),
  toFile: (stored) => (stored === null ? null : JSON.parse(String(stored))),
  toStored: (value) => (value === null || value === undefined ? null : JSON.stringify(value)),
};

function typedId(prefix: string) {
  return z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]{21}$`), `must be an id that begins with ${prefix}_`);
}

// `first_seen_at` of a table is `firstSeenAt` in a file.
export function fieldName(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
