// Round trips to a PostgreSQL server, counted at its driver.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { LimitedClient } from '../../src/store/postgres/pool.ts';

interface RoundTrips {
  statements: number;
  trips: number;
}

const QUIET_TURNS = 4;

// Answers are held back until nothing more is sent, as across a slow network: otherwise a sender that only ends its turn
// between two statements would seem to have waited for an answer that came meanwhile.
async function untilQuiet(counts: RoundTrips): Promise<void> {
  for (let sent = -1; sent !== counts.statements; ) {
    sent = counts.statements;
    for (let turn = 0; turn < QUIET_TURNS; turn += 1) await nextTurn();
  }
}

// Counts statements, and how often one had to wait for the answer to another before it was sent; of the connection with
// the most, because others belong to background work.
export async function countRoundTrips(work: () => Promise<unknown>): Promise<RoundTrips> {
  const connections = new Map<pg.Client, RoundTrips & { answered: number }>();
  const { prototype } = LimitedClient;
  const { query } = prototype;
  prototype.query = function counting(this: pg.Client, ...args: never[]) {
    const counts = connections.get(this) ?? { statements: 0, trips: 0, answered: 0 };
    connections.set(this, counts);
    const trip = counts.answered + 1;
    counts.statements += 1;
    counts.trips = trip;
    const answer = (query as (...args: never[]) => Promise<unknown>)
      .apply(this, args)
      .finally(() => untilQuiet(counts));
    const note = () => {
      counts.answered = Math.max(counts.answered, trip);
    };
    answer.then(note, note);
    return answer;
  } as typeof query;
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  const [most] = [...connections.values()].sort((a, b) => b.statements - a.statements);
  return most ?? { statements: 0, trips: 0 };
}
