// How a column is written to an export file: its schema, which is that of the API, and the conversion in both directions.
import { z } from 'zod';
import { count } from '../../contract/pagination.ts';
import { httpUrl } from '../../contract/release-input.ts';
import { timestamp } from '../../contract/scalars.ts';
import { cleanLongText, hasControlCharacter } from '../../domain/clean-text.ts';
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

// A text of the API: well-formed and without control characters, which PostgreSQL refuses in part.
export function plainText(most: number, least = 0) {
  return z
    .string()
    .min(least)
    .max(most)
    .refine((value) => !hasControlCharacter(value), 'must not contain control characters')
    .refine((value) => value.isWellFormed(), 'must be well-formed text');
}

// A text of several lines: line feeds and tabs are its only control characters.
export function longText(most: number) {
  return z
    .string()
    .max(most)
    .refine((value) => cleanLongText(value) === value, 'must not contain control characters')
    .refine((value) => value.isWellFormed(), 'must be well-formed text');
}

const MAX_KEY_LENGTH = 4096;

const asIs = (schema: z.ZodType): TransferColumn => ({
  schema,
  toFile: (stored) => stored,
  toStored: (value) => value,
});

export const text = (schema: z.ZodType): TransferColumn => asIs(schema);
export const nullableText = (schema: z.ZodType): TransferColumn => asIs(schema.nullable());
// A text that this program computes and nobody is shown.
export const key = asIs(
  z
    .string()
    .max(MAX_KEY_LENGTH)
    .refine((value) => !value.includes('\0'), 'must not hold a NUL character'),
);
export const nullableKey = asIs(key.schema.nullable());
export const url = asIs(httpUrl);
export const nullableUrl = asIs(httpUrl.nullable());
export const time = asIs(timestamp);
export const nullableTime = asIs(timestamp.nullable());
export const counter = asIs(count);
export const nullableCounter = asIs(count.nullable());
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

// Absent in files that were written before the column was.
export const optionalFlag: TransferColumn = { ...flag, schema: z.boolean().optional() };

export const json = (schema: z.ZodType): TransferColumn => ({
  schema,
  toFile: (stored) => (stored === null ? null : JSON.parse(String(stored))),
  toStored: (value) => (value === null || value === undefined ? null : JSON.stringify(value)),
});

// Absent in files that were written before the column was.
export const optionalJson = (schema: z.ZodType): TransferColumn => json(schema.nullable().default(null));

export function typedId(prefix: string) {
  return z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]{21}$`), `must be an id that begins with ${prefix}_`);
}

// `first_seen_at` of a table is `firstSeenAt` in a file.
export function fieldName(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
