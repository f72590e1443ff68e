// Why the database cannot serve a statement although the statement itself is right.

// busy: another transaction is in the way; database: it does not answer; the other two: it takes no writes.
export type Outage = 'busy' | 'database' | WriteOutage;
export type WriteOutage = 'read_only' | 'disk_full';

const DEEPEST_CAUSE = 5;

// The outage that an error, or one of its causes, comes from.
export function findOutage(error: unknown, outageOf: (error: unknown) => Outage | null): Outage | null {
  for (let current = error, depth = 0; current instanceof Error && depth < DEEPEST_CAUSE; depth += 1) {
    const outage = outageOf(current);
    if (outage !== null) return outage;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return null;
}

export function isWriteOutage(outage: Outage | null): outage is WriteOutage {
  return outage === 'read_only' || outage === 'disk_full';
}
