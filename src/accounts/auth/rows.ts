// Generic statements over the tables that the sign-in library knows, by its conditions and under our column names.
import type { CleanedWhere } from 'better-auth/adapters';
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Queries, Schema } from '../../store/schema/index.ts';

export type LibraryRow = Record<string, unknown>;

export type LibraryTable = keyof Schema;
// Which table it is turns out at run time only. Over the union of all tables the compiler would compare every column of
// each with those of all others, for a quarter of the time that it takes for the whole program.
type AnyTables = Record<string, LibraryRow>;

function anyTable(db: Queries): Kysely<AnyTables> {
  return db as unknown as Kysely<AnyTables>;
}

// Fields of the library that are not plain camel case.
const CAPITALS: Record<string, string> = { requirePKCE: 'require_pkce' };
const FROM_COLUMN = new Map(Object.entries(CAPITALS).map(([field, column]) => [column, field]));

export function columnOf(field: string): string {
  return CAPITALS[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function fieldOf(column: string): string {
  return FROM_COLUMN.get(column) ?? column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function toColumns(fields: LibraryRow, increments: Record<string, number> = {}): LibraryRow {
  const added = Object.entries(increments).map(([field, amount]) => {
    const column = columnOf(field);
    return [column, sql`${sql.ref(column)} + ${amount}`];
  });
  const set = Object.entries(fields).map(([field, value]) => [columnOf(field), value]);
  return Object.fromEntries([...set, ...added]);
}

export function toFields(row: LibraryRow): LibraryRow {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [fieldOf(column), value]));
}

export interface RowSelection {
  where?: CleanedWhere[];
  limit?: number;
  offset?: number;
  order?: { column: string; direction: 'asc' | 'desc' };
}

export async function selectRows(db: Queries, table: LibraryTable, selection: RowSelection): Promise<LibraryRow[]> {
  const { where = [], limit, offset, order } = selection;
  let query = anyTable(db)
    .selectFrom(table)
    .selectAll()
    .where((eb) => matching(eb, where));
  if (order) query = query.orderBy(sql.ref(order.column), order.direction);
  if (limit !== undefined) query = query.limit(limit);
  if (offset) query = query.offset(offset);
  return query.execute();
}

export async function countRows(db: Queries, table: LibraryTable, where: CleanedWhere[]): Promise<number> {
  const row = await anyTable(db)
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where((eb) => matching(eb, where))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function insertRow(tx: Queries, table: LibraryTable, row: LibraryRow): Promise<LibraryRow> {
  const inserted = await anyTable(tx).insertInto(table).values(row).returningAll().executeTakeFirstOrThrow();
  return inserted;
}

export async function updateRows(
  tx: Queries,
  table: LibraryTable,
  { where, change }: { where: CleanedWhere[]; change: LibraryRow },
): Promise<LibraryRow[]> {
  const rows = await anyTable(tx)
    .updateTable(table)
    .set(change)
    .where((eb) => matching(eb, where))
    .returningAll()
    .execute();
  return rows;
}

export async function deleteRows(
  tx: Queries,
  table: LibraryTable,
  { where, most }: { where: CleanedWhere[]; most?: number | undefined },
): Promise<LibraryRow[]> {
  const rows = anyTable(tx);
  let targets = rows
    .selectFrom(table)
    .select(sql.ref<string>('id').as('id'))
    .where((eb) => matching(eb, where));
  if (most !== undefined) targets = targets.limit(most);
  return rows.deleteFrom(table).where(sql.ref('id'), 'in', targets).returningAll().execute();
}

// Conditions joined by AND must all hold, and of those joined by OR at least one.
function matching(eb: ExpressionBuilder<AnyTables, string>, where: readonly CleanedWhere[]): Expression<SqlBool> {
  const all = where.filter(({ connector }) => connector !== 'OR').map((condition) => toSql(eb, condition));
  const any = where.filter(({ connector }) => connector === 'OR').map((condition) => toSql(eb, condition));
  return eb.and(any.length > 0 ? [...all, eb.or(any)] : all);
}

const COMPARISONS = new Map<string, '=' | '!=' | '<' | '<=' | '>' | '>='>([
  ['eq', '='],
  ['ne', '!='],
  ['lt', '<'],
  ['lte', '<='],
  ['gt', '>'],
  ['gte', '>='],
]);

function toSql(
  eb: ExpressionBuilder<AnyTables, string>,
  { field, operator, value }: CleanedWhere,
): Expression<SqlBool> {
  const column = sql.ref<unknown>(columnOf(field));
  if (operator === 'in' || operator === 'not_in') {
    const values = Array.isArray(value) ? value : [value];
    if (values.length === 0) return eb.lit(operator === 'not_in');
    return eb(column, operator === 'in' ? 'in' : 'not in', values);
  }
  const comparison = COMPARISONS.get(operator);
  if (!comparison) throw new Error(`the sign-in library asked with an unknown operator: ${operator}`);
  if (value !== null) return eb(column, comparison, value);
  return eb(column, comparison === '=' ? 'is' : 'is not', null);
}
