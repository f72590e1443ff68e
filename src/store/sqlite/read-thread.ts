// A thread with its own read-only connection. It runs one statement at a time and ends on request.
import { parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from './connection.ts';
import { plainError, type StatementAnswer, type StatementQuestion } from './thread-messages.ts';

const port = parentPort;
if (port === null) throw new Error('a read thread is started by the store');

const { path }: { path: string } = workerData;
const connection = new SqliteConnection({ path, mode: 'read', sleep: async () => {} });

port.on('message', (question: StatementQuestion) => {
  if (question === 'close') {
    connection.database.close();
    port.close();
  } else port.postMessage(answer(question));
});

function answer({ sql, parameters }: Exclude<StatementQuestion, 'close'>): StatementAnswer {
  try {
    return connection.readArrays(sql, parameters);
  } catch (error) {
    return { error: plainError(error) };
  }
}
