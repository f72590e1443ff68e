// Stores robots.txt of hosts beside their row in the queue, so that all processes request it once and wait alike.
import type { Logger } from 'pino';
import type { HostGate } from '../../net/host-gate.ts';
import type { RobotsMemory } from '../../net/robots-memory.ts';
import type { Store } from '../../store/store.ts';

interface HostRobotsOptions {
  store: Store;
  gate: Pick<HostGate, 'setDelay'>;
  log: Logger;
}

const MAX_KNOWN = 10_000;

export function createHostRobots({ store, gate, log }: HostRobotsOptions): {
  memory: RobotsMemory;
  gate: Pick<HostGate, 'setDelay'>;
} {
  const announced = new Map<string, number>();
  return { memory: { get, set }, gate: { setDelay } };

  async function get(origin: string) {
    const row = await store.read
      .selectFrom('hosts')
      .select(['robots_text as text', 'robots_until as until'])
      .where('host', '=', new URL(origin).host)
      .where('robots_origin', '=', origin)
      .executeTakeFirst();
    return row?.until ? { text: row.text, until: row.until } : undefined;
  }

  async function set(origin: string, entry: { text: string | null; until: number }) {
    // PostgreSQL refuses NUL characters.
    const text = entry.text?.replaceAll('\u0000', '') ?? null;
    await write(origin, { robots_origin: origin, robots_text: text, robots_until: entry.until });
  }

  function setDelay(host: string, ms: number) {
    gate.setDelay(host, ms);
    if (announced.get(host) === ms) return;
    if (announced.size >= MAX_KNOWN) announced.clear();
    announced.set(host, ms);
    write(`https://${host}`, { crawl_delay_ms: Math.round(ms) }).catch((err) =>
      log.warn({ err, host }, 'a crawl delay could not be kept'),
    );
  }

  async function write(origin: string, columns: Record<string, string | number | null>) {
    const { host } = new URL(origin);
    await store.transaction(
      (tx) =>
        tx
          .insertInto('hosts')
          .values({ host, claims: 0, ...columns })
          .onConflict((conflict) => conflict.column('host').doUpdateSet(columns))
          .execute(),
      'bookkeeping',
    );
  }
}
