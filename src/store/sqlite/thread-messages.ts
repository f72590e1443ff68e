// The messages of a read thread. Rows are sent as arrays, which cost a third of objects.
import { rowShape } from '../row-shape.ts';
import type { ProcedureName } from './procedures.ts';

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

// Work for a thread (`../beside.ts`), and what it asks while it runs.
export interface WorkCall {
  work: number;
  module: string;
  name: string;
  input: unknown;
  // Missing when the thread has it.
  shared?: object | undefined;
}

export interface WorkQuestion {
  work: number;
  asked: number;
  question: unknown;
}

export interface WorkReply {
  asked: number;
  reply: ProcedureAnswer;
}

// The fields that identify errors of the database.
interface PlainError {
  message: string;
  code?: string;
  errcode?: number;
  // That of a statement that took too long.
  statement?: string;
}

export function plainError(error: unknown): PlainError {
  const { message, code, errcode, statement } = error as Error & PlainError;
  return { message, code, errcode, statement };
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

function rowObjects<R>({ columns, rows }: ArrayRows): R[] {
  return rows.length === 0 ? [] : (rows.map(rowShape(columns)) as R[]);
}
