// A thread with its own read-only connection. It runs statements, procedures and work, and ends on request.
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer } from '../../threads/calls.ts';
import { SqliteConnection } from './connection.ts';
import type { RunStatement } from './match.ts';
import { PROCEDURES } from './procedures.ts';
import {
  type ProcedureAnswer,
  type ProcedureCall,
  plainError,
  rowsOf,
  type Statement,
  type StatementAnswer,
  type WorkCall,
  type WorkReply,
} from './thread-messages.ts';
import { ThreadWork } from './thread-work.ts';

// A thread does not inherit the compile cache.
enableCompileCache();
const port = parentPort;
if (port === null) throw new Error('a read thread is started by the store');

const { path }: { path: string } = workerData;
const connection = new SqliteConnection({ path, mode: 'read', sleep: async () => {} });

type Question = (Statement | ProcedureCall | WorkCall) & { id: number };

const works = new ThreadWork(connection, (notice) => port.postMessage({ notice }));

port.on('message', async (question: Question | WorkReply | 'close') => {
  if (question === 'close') {
    connection.database.close();
    port.close();
    return;
  }
  if ('reply' in question) return works.replied(question);
  port.postMessage({ id: question.id, answer: await answerTo(question) } satisfies ThreadAnswer);
});

async function answerTo(question: Question): Promise<StatementAnswer | ProcedureAnswer> {
  if ('work' in question) return works.run(question);
  return 'procedure' in question ? resultOf(question) : rowsFor(question);
}

function rowsFor({ sql, parameters }: Statement): StatementAnswer {
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
