import { sql } from 'kysely';
import pg from 'pg';
import type { Queries, Tx } from '../schema.ts';

const CHANNEL = 'registry_data';
const POLL_MS = 1000;

export interface DataVersionWatch {
  announce(tx: Tx, version: number): Promise<void>;
  moved(version: number): void;
  current(): number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface WatchOptions {
  url: string;
  db: Queries;
  onError: (error: unknown) => void;
}

// Notifications carry commits of other processes within milliseconds; the poll covers a lost listening connection.
export function watchPostgresVersion({ url, db, onError }: WatchOptions): DataVersionWatch {
  let version = 0;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  const moved = (value: number) => {
    if (value > version) version = value;
  };

  async function listen(): Promise<void> {
    const next = new pg.Client({ connectionString: url });
    next.on('error', (error) => {
      if (!stopped) onError(error);
      client = null;
    });
    next.on('notification', (message) => moved(Number(message.payload)));
    await next.connect();
    await next.query(`LISTEN ${CHANNEL}`);
    client = next;
  }

  async function poll(): Promise<void> {
    try {
      if (!client) await listen();
      const row = await db.selectFrom('counters').select('value').where('name', '=', 'catalog').executeTakeFirst();
      moved(row?.value ?? 0);
    } catch (error) {
      if (!stopped) onError(error);
    }
    if (!stopped) {
      timer = setTimeout(() => void poll(), POLL_MS);
      timer.unref();
    }
  }

  return {
    async announce(tx, value) {
      await sql`SELECT pg_notify(${CHANNEL}, ${String(value)})`.execute(tx);
    },
    moved,
    current: () => version,
    async start() {
      if (!client && !timer) await poll();
    },
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await client?.end();
    },
  };
}
