// A thread with its own read-only connection. It runs one statement at a time and ends on request.
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer } from '../../threads/calls.ts';
import { SqliteConnection } from './connection.ts';
import { plainError, type Statement, type StatementAnswer } from './thread-messages.ts';

const port = parentPort;
if (port === null) throw new Error('a read thread is started by the store');

const { path }: { path: string } = workerData;
const connection = new SqliteConnection({ path, mode: 'read', sleep: async () => {} });

port.on('message', (question: (Statement & { id: number }) | 'close') => {
  if (question === 'close') {
    connection.database.close();
    port.close();
  } else port.postMessage({ id: question.id, answer: answerTo(question) } satisfies ThreadAnswer);
});

function answerTo({ sql, parameters }: Statement): StatementAnswer {
  try {
    return connection.readArrays(sql, parameters);
  } catch (error) {
    return { error: plainError(error) };
  }
}
