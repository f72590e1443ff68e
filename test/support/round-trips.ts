// Round trips to a PostgreSQL server, counted at its driver.
import pg from 'pg';

interface RoundTrips {
  statements: number;
  trips: number;
}

// Counts statements, and how often one had to wait for the answer to another before it was sent; of the connection with
// the most, because others belong to background work.
export async function countRoundTrips(work: () => Promise<unknown>): Promise<RoundTrips> {
  const connections = new Map<pg.Client, RoundTrips & { answered: number }>();
  const { prototype } = pg.Client;
  const { query } = prototype;
  prototype.query = function counting(this: pg.Client, ...args: never[]) {
    const counts = connections.get(this) ?? { statements: 0, trips: 0, answered: 0 };
    connections.set(this, counts);
    const trip = counts.answered + 1;
    counts.statements += 1;
    counts.trips = trip;
    const answer = (query as (...args: never[]) => Promise<unknown>).apply(this, args);
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
