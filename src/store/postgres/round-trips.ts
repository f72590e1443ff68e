// BEGIN goes out with the first read of a transaction, so that it costs no round trip of its own. COMMIT waits for the last
// answer: only then is it known that no statement is sent again without its name (`prepared.ts`).
import type { CompiledQuery, DatabaseConnection, Driver, Dialect as KyselyDialect } from 'kysely';
import { errorCode } from '../../domain/records.ts';
import { withDriver } from '../query-builder.ts';

// The code of every statement that follows a failed one.
const FAILED_TRANSACTION = '25P02';

interface OpenTransaction {
  // Null once the server has answered BEGIN.
  begun: Promise<void> | null;
  // A statement waits for that answer, and so do all that follow it.
  isWaiting: boolean;
  // The first statement that failed.
  failure: unknown;
}

const transactions = new WeakMap<DatabaseConnection, OpenTransaction>();
const wrapped = new WeakSet<DatabaseConnection>();

export function withoutWaits(dialect: KyselyDialect): KyselyDialect {
  return withDriver(dialect, impatientDriver);
}

function impatientDriver(driver: Driver): Driver {
  const acquire = driver.acquireConnection.bind(driver);
  const begin = driver.beginTransaction.bind(driver);
  const commit = driver.commitTransaction.bind(driver);
  const rollback = driver.rollbackTransaction.bind(driver);
  return Object.assign(driver, {
    acquireConnection: async (options) => {
      const connection = await acquire(options);
      if (!wrapped.has(connection)) wrap(connection);
      return connection;
    },
    beginTransaction: async (connection, settings) => {
      const begun = begin(connection, settings);
      const transaction: OpenTransaction = {
        begun: begun.then(() => {
          transaction.begun = null;
        }),
        isWaiting: false,
        failure: null,
      };
      transaction.begun?.catch(() => {});
      transactions.set(connection, transaction);
    },
    commitTransaction: async (connection) => {
      await commit(connection).finally(() => transactions.delete(connection));
    },
    rollbackTransaction: async (connection) => {
      await rollback(connection).finally(() => transactions.delete(connection));
    },
  } satisfies Partial<Driver>);
}

const READS = /^\s*select\b/i;

// If BEGIN failed, each statement that was sent right after it would be a transaction of its own. That harms no read;
// everything else waits until BEGIN was answered.
function wrap(connection: DatabaseConnection): void {
  wrapped.add(connection);
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = <R>(query: CompiledQuery) => {
    const transaction = transactions.get(connection);
    if (!transaction) return execute<R>(query);
    const { begun } = transaction;
    transaction.isWaiting = begun !== null && (transaction.isWaiting || !READS.test(query.sql));
    const answer = begun && transaction.isWaiting ? begun.then(() => execute<R>(query)) : execute<R>(query);
    answer.catch((error) => {
      if (errorCode(error) !== FAILED_TRANSACTION) transaction.failure ??= error;
    });
    return answer;
  };
}

// Statements that are sent together all fail after one of them has; that one says why.
export function causeOf(connection: DatabaseConnection, error: unknown): unknown {
  return errorCode(error) === FAILED_TRANSACTION ? (transactions.get(connection)?.failure ?? error) : error;
}
