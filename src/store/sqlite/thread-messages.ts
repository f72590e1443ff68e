// What a read thread is asked and answers. Rows go as arrays: they cross at a third of the cost of objects.
export type StatementQuestion = { sql: string; parameters: readonly unknown[] } | 'close';

export interface ArrayRows {
  columns: string[];
  rows: unknown[][];
}

export type StatementAnswer = ArrayRows | { error: PlainError };

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
  if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error);
  const { columns, rows } = answer;
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (const [at, column] of columns.entries()) row[column] = values[at];
    return row as R;
  });
}
