// Connections to the server. None of them may end the process, and no statement may wait forever.
import type { Socket } from 'node:net';
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { errorCode } from '../../domain/records.ts';
import { kyselyOf, ONE_PLAN_MARK } from '../query-builder.ts';
import type { Queries } from '../schema/index.ts';
import { isForeignName, isStalePlan, PreparedNames } from './prepared.ts';
import { type KnownRows, RowQuery } from './row-query.ts';

interface PostgresPoolOptions {
  url: string;
  // The address is that of a pooler, which gives each transaction another connection: it refuses settings of a session,
  // and statements have no names there.
  isPooler?: boolean;
  poolSize: number;
  // The statement timeout; 0 for none.
  statementMs: number;
  onError: (error: unknown) => void;
}

export interface LimitedPool {
  pool: pg.Pool;
  // Destroys the sockets of connections whose server does not answer the end of the session.
  destroySockets(): void;
}

const CONNECT_MS = 5000;
// The server cancels a slow statement itself; the client timeout applies only when the server does not answer.
const SILENCE_MS = 2000;
// The server has cancelled the statement.
export const CANCELLED = '57014';
const BIGINT = 20;

// Counts and sequence numbers stay below 2^53, so a JavaScript number holds them.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === BIGINT) return Number;
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
} as pg.CustomTypesConfig;

type ClientOptions = Pick<PostgresPoolOptions, 'url' | 'isPooler' | 'statementMs'>;

export function clientOptions({ url, isPooler = false, statementMs }: ClientOptions): pg.ClientConfig {
  return {
    connectionString: url,
    types,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(statementMs > 0 ? { query_timeout: statementMs + SILENCE_MS } : {}),
    ...(statementMs > 0 && !isPooler ? { statement_timeout: statementMs } : {}),
  };
}

// Whether statements may be prepared by name; all connections of a pool share it.
interface Preparing {
  enabled: boolean;
}

// A connection whose server does not answer cannot be reused: a late response would belong to an abandoned statement.
export class LimitedClient extends pg.Client {
  readonly #names = new PreparedNames();
  readonly #rows: KnownRows = new Map();
  readonly #preparing: Preparing;
  #isHeld = false;

  constructor(config: pg.ClientConfig & { preparing?: Preparing } = {}) {
    super(config);
    this.#preparing = config.preparing ?? { enabled: false };
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver has a dozen overloads, and all of them are passed on.
  override query(...args: any[]): any {
    this.#holdForTurn();
    const [text, values, ...others] = args;
    const isPlain = typeof text === 'string' && Array.isArray(values) && others.length === 0;
    // What has no values begins and ends transactions, unless it is marked.
    const mayHaveName = isPlain && (values.length > 0 || text.endsWith(ONE_PLAN_MARK));
    if (!mayHaveName) return this.#send(args);
    return this.#preparing.enabled ? this.#queryByName(text, values) : this.#read({ text, values });
  }

  // Statements that start in the same turn are written to the socket at once: one write costs as much as a short statement.
  // A transaction that has begun does not wait, because what it computes until its turn ends may take long.
  #holdForTurn(): void {
    if (this.#isHeld || this.getTransactionStatus() !== 'I') return;
    const { stream } = this.#connection;
    this.#isHeld = true;
    stream.cork();
    const send = () => {
      this.#isHeld = false;
      stream.uncork();
    };
    // Everything that promises of this turn start comes before.
    queueMicrotask(() => process.nextTick(send));
  }

  #send(args: readonly unknown[]): unknown {
    const result = (super.query as (...args: unknown[]) => unknown).apply(this, [...args]);
    if (result instanceof Promise) result.catch((error: Error) => this.#endIfSilent(error));
    return result;
  }

  #read(config: pg.QueryConfig): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const query = new RowQuery(config, this.#rows);
      query.callback = (error, result) => {
        if (error === null) return resolve(result);
        this.#endIfSilent(error);
        reject(errorCode(error) === CANCELLED ? Object.assign(error, { statement: config.text }) : error);
      };
      super.query(query as unknown as pg.Submittable);
    });
  }

  #queryByName(text: string, values: unknown[]): unknown {
    const { name, dropped } = this.#names.of(text);
    if (dropped) this.#rows.delete(dropped);
    // It fails in a transaction that has failed already; the name is not used again, so nothing depends on it.
    if (dropped) void (this.#send([`DEALLOCATE ${dropped}`]) as Promise<unknown>).catch(() => {});
    if (!name) return this.#read({ text, values });
    return this.#read({ text, values, name }).catch((error: unknown) => {
      if (isStalePlan(error)) this.#forgetNames();
      else if (isForeignName(error, this.#connection.parsedStatements[name] !== undefined)) {
        this.#preparing.enabled = false;
      } else throw error;
      // A transaction is retried as a whole.
      if (this.getTransactionStatus() !== 'I') throw error;
      return this.#read({ text, values });
    });
  }

  #forgetNames(): void {
    this.#names.forget();
    this.#rows.clear();
  }

  // What the driver does not declare.
  get #connection(): { stream: Socket; parsedStatements: Record<string, string | undefined> } {
    return (this as unknown as { connection: { stream: Socket; parsedStatements: Record<string, string> } }).connection;
  }

  #endIfSilent(error: Error): void {
    if (error.message === 'Query read timeout') this.destroySocket();
  }

  destroySocket(): void {
    this.#connection.stream.destroy();
  }
}

export function createLimitedPool(options: PostgresPoolOptions): LimitedPool {
  const clients = new Set<LimitedClient>();
  // Statements that do not wait for each other are sent together and answered in one round trip.
  const preparing: Preparing = { enabled: !options.isPooler };
  const config = { ...clientOptions(options), Client: LimitedClient, preparing, max: options.poolSize, pipeline: true };
  const pool = new pg.Pool(config as pg.PoolConfig);
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The driver adds the whole client, with the key that cancels its statements; none of it belongs in a log.
    delete error.client;
    options.onError(error);
  });
  pool.on('connect', (client) => {
    // While a client is in use the pool ignores its errors; its user learns of a lost connection by the failing
    // statement.
    client.on('error', () => {});
    if (client instanceof LimitedClient) clients.add(client);
  });
  pool.on('remove', (client) => {
    if (client instanceof LimitedClient) clients.delete(client);
  });
  return {
    pool,
    destroySockets() {
      for (const client of clients) client.destroySocket();
    },
  };
}

// One connection for work over whole tables, whose statements may take as long as they need.
interface SingleConnection {
  url: string;
  onError?: (error: unknown) => void;
}

export async function withSingleConnection<T>(
  { url, onError = () => {} }: SingleConnection,
  work: (db: Queries) => Promise<T>,
): Promise<T> {
  const { pool } = createLimitedPool({ url, poolSize: 1, statementMs: 0, onError });
  const db = kyselyOf(new PostgresDialect({ pool }));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
