// A thread with its own read-only connection. It runs one statement at a time and ends on request.
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer } from '../../threads/calls.ts';
import { SqliteConnection } from './connection.ts';
import type { RunStatement } from './match.ts';
import { PROCEDURES } from './procedure-table.ts';
import {
  type ProcedureAnswer,
  type ProcedureCall,
  plainError,
  rowsOf,
  type Statement,
  type StatementAnswer,
} from './thread-messages.ts';

const port = parentPort;
if (port === null) throw new Error('a read thread is started by the store');

const { path }: { path: string } = workerData;
const connection = new SqliteConnection({ path, mode: 'read', sleep: async () => {} });

port.on('message', async (question: ((Statement | ProcedureCall) & { id: number }) | 'close') => {
  if (question === 'close') {
    connection.database.close();
    port.close();
    return;
  }
  const answer = 'procedure' in question ? await resultOf(question) : answerTo(question);
  port.postMessage({ id: question.id, answer } satisfies ThreadAnswer);
});

function answerTo({ sql, parameters }: Statement): StatementAnswer {
  try {
    return connection.readArrays(sql, parameters);
  } catch (error) {
    return { error: plainError(error) };
  }
}

async function resultOf({ procedure, query }: ProcedureCall): Promise<ProcedureAnswer> {
  const run: RunStatement = async (sql, parameters) => rowsOf(connection.readArrays(sql, parameters));
  try {
    return { result: await (PROCEDURES[procedure] as (run: RunStatement, query: unknown) => unknown)(run, query) };
  } catch (error) {
    return { error: plainError(error) };
  }
}
