// The messages of a read thread. Rows are sent as arrays, which cost a third of objects.
import type { ProcedureName } from './procedure-table.ts';

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

export interface ArrayRows {
  columns: readonly string[];
  rows: unknown[][];
}

export type StatementAnswer = ArrayRows | { error: PlainError };

export interface ProcedureCall {
  procedure: ProcedureName;
  query: unknown;
}

export type ProcedureAnswer = { result: unknown } | { error: PlainError };

// The fields that identify errors of the database.
interface PlainError {
  message: string;
  code?: string;
  errcode?: number;
}

export function plainError(error: unknown): PlainError {
  const { message, code, errcode } = error as Error & PlainError;
  return { message, code, errcode };
}

export function rowsOf<R>(answer: StatementAnswer): R[] {
  if ('error' in answer) throw thrown(answer.error);
  return rowObjects(answer);
}

export function resultOf(answer: ProcedureAnswer): unknown {
  if ('error' in answer) throw thrown(answer.error);
  return answer.result;
}

function thrown(error: PlainError): Error {
  return Object.assign(new Error(error.message), error);
}

export type ToObject = (values: readonly unknown[]) => unknown;

const MAX_SHAPES = 1000;
const shapes = new Map<string, ToObject>();

function rowObjects<R>({ columns, rows }: ArrayRows): R[] {
  return rows.length === 0 ? [] : (rows.map(rowShape(columns)) as R[]);
}

// Rows as objects of one shape. Objects that are filled key by key become hash tables, like those of SQLite itself, and
// cost a multiple to create and to read.
export function rowShape(columns: readonly string[]): ToObject {
  const key = JSON.stringify(columns);
  let toObject = shapes.get(key);
  if (toObject === undefined) {
    if (shapes.size >= MAX_SHAPES) shapes.clear();
    toObject = objectLiteral(columns);
    shapes.set(key, toObject);
  }
  return toObject;
}

// Only an object literal has its shape known in advance, so one is compiled for each list of columns. The names come
// from the statements of this service, and they are quoted.
function objectLiteral(columns: readonly string[]): ToObject {
  const fields = columns.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
  return new Function('values', `return { ${fields.join(', ')} };`) as ToObject;
}
