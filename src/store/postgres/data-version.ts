import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type ChangeFeed, type Commit, decodeChange, encodeChange } from '../changes/change-feed.ts';
import type { WriteSummary } from '../changes/record-writes.ts';
import { ONE_PLAN } from '../query-builder.ts';
import type { Tx } from '../schema/index.ts';
import { clientOptions, LimitedClient } from './pool.ts';

const CHANNEL = 'registry_data';
// The name of the connection in the server's list, for operators.
export const LISTENER_NAME = 'registry listener';
const POLL_MS = 1000;
// A listening connection that is silent for longer counts as lost.
const ANSWER_MS = 2000;
const GOODBYE_MS = 1000;
const DEAF =
  'commits of other processes are not announced on this connection, so no answer is cached; if it leads to a pooler, REGISTRY_DATABASE_DIRECT_URL has to name the server itself';
// The server accepts less than 8000 bytes; a longer change is sent as a change of everything.
const MAX_CHANGE_LENGTH = 7000;

interface DataVersionWatch {
  announce(tx: Tx, writes: WriteSummary): Promise<Commit>;
  current(): number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface WatchOptions {
  url: string;
  changes: ChangeFeed;
  onError: (error: unknown) => void;
}

// Notifications deliver the commits of other processes within milliseconds, in the order of the commits. While the
// listening connection is lost those commits are unknown: every read then returns another version, so that no cached
// answer is valid. So it is while the connection stands and tells of none.
export function watchPostgresVersion({ url, changes, onError }: WatchOptions): DataVersionWatch {
  let unknown = 0;
  let client: LimitedClient | null = null;
  // The counter was read on the listening connection.
  let synchronised = false;
  // The last commit that a notification told of, and the one that the counter told of a poll ago.
  let heard = 0;
  let counted = 0;
  let isDeaf = false;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  // One log line per outage, however often the connection is retried.
  let reported = false;

  const applyNotification = (payload: string) => {
    const [version, ...change] = payload.split(' ');
    heard = Number(version);
    isDeaf = false;
    changes.advance(heard, decodeChange(change.join(' ')));
  };

  // Behind a pooler LISTEN succeeds and nothing is ever heard. A commit that was counted a second ago must have been.
  function notice(version: number, isFirst: boolean): void {
    if (isFirst) heard = version;
    else if (heard < counted && !isDeaf) {
      isDeaf = true;
      onError(new Error(DEAF));
    }
    counted = version;
  }

  function lost(gone: LimitedClient): void {
    if (client !== gone) return;
    client = null;
    synchronised = false;
    changes.lose();
    gone.destroySocket();
  }

  async function listen(): Promise<LimitedClient> {
    const options = { ...clientOptions({ url, statementMs: 0 }), application_name: LISTENER_NAME };
    const next = new LimitedClient({ ...options, query_timeout: ANSWER_MS });
    next.on('error', () => lost(next));
    next.on('end', () => lost(next));
    next.on('notification', (message) => applyNotification(message.payload ?? ''));
    client = next;
    await next.connect();
    await next.query(`LISTEN ${CHANNEL}`);
    return next;
  }

  async function poll(): Promise<void> {
    try {
      const isFirst = client === null;
      const listening = client ?? (await listen());
      const { rows } = await listening.query("SELECT value FROM counters WHERE name = 'catalog'");
      if (client !== listening) throw new Error('Connection terminated while the data version was read');
      const version = Number(rows[0]?.value ?? 0);
      notice(version, isFirst);
      changes.advance(version, null);
      synchronised = true;
      reported = false;
    } catch (error) {
      if (client) lost(client);
      if (!stopped && !reported) onError(error);
      reported = true;
    }
    if (!stopped) {
      timer = setTimeout(() => void poll(), POLL_MS);
      timer.unref();
    }
  }

  return {
    // One statement, because every write waits for it. It adds the products and orgs of the sources; a source that no
    // longer exists may have been shown anywhere.
    async announce(tx, { sources, ...known }) {
      const { rows } = await sql<{ value: number; change: string }>`
        WITH moved AS (UPDATE counters SET value = value + 1 WHERE name = 'catalog' RETURNING value),
          owners AS (SELECT count(*) AS found, string_agg(DISTINCT concat_ws(' ', org_id, product_id), ' ') AS ids
            FROM sources WHERE id = ANY(${sources}::text[])),
          told AS (SELECT CASE WHEN found < ${sources.length}::bigint THEN '*'
            ELSE concat_ws(' ', ${encodeChange({ ...known, ids: [...sources, ...known.ids] })}::text, ids) END AS change
            FROM owners)
        SELECT value, change, pg_notify(${CHANNEL}, value || ' ' ||
          CASE WHEN length(change) > ${sql.lit(MAX_CHANGE_LENGTH)} THEN '*' ELSE change END) FROM moved, told
        ${ONE_PLAN}`.execute(tx);
      const [moved] = rows;
      if (!moved) throw new Error('the counter of the data version is missing');
      return { version: moved.value, change: decodeChange(moved.change) };
    },
    current() {
      if (synchronised && !isDeaf) return changes.version;
      changes.lose();
      unknown -= 1;
      return unknown;
    },
    async start() {
      if (!client && !timer) await poll();
    },
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      const last = client;
      if (!last) return;
      await Promise.race([last.end(), sleep(GOODBYE_MS, undefined, { ref: false })]).catch(() => {});
      last.destroySocket();
    },
  };
}
