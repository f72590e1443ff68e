// Why the database cannot run a statement that is itself right, and whether it accepts writes.

// busy: another transaction blocks; database: it does not answer; too_long: it has ended a statement that took too long; the
// others: it refuses writes.
export type Outage = 'busy' | 'database' | 'too_long' | WriteOutage;
export type WriteOutage = 'read_only' | 'disk_full';

const DEEPEST_CAUSE = 5;

// The outage that caused an error, directly or through one of its causes.
export function findOutage(error: unknown, outageOf: (error: unknown) => Outage | null): Outage | null {
  for (let current = error, depth = 0; current instanceof Error && depth < DEEPEST_CAUSE; depth += 1) {
    const outage = outageOf(current);
    if (outage !== null) return outage;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return null;
}

// The text of the statement that took too long, without its values.
export function slowStatement(error: unknown): string | null {
  for (let current = error, depth = 0; current instanceof Error && depth < DEEPEST_CAUSE; depth += 1) {
    if ('statement' in current && typeof current.statement === 'string') return current.statement;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return null;
}

function isWriteOutage(outage: Outage | null): outage is WriteOutage {
  return outage === 'read_only' || outage === 'disk_full';
}

// Whether the database accepts writes. A transaction that fails for lack of space or permission raises the suspicion;
// only a probe that really writes can clear it, so a registry without writes recovers as well.
interface WriteHealth {
  failed(error: unknown): void;
  // Null when writes are expected to succeed.
  check(): Promise<WriteOutage | null>;
}

interface WriteHealthParts {
  outageOf(error: unknown): Outage | null;
  // Cheap checks whether a write may fail; used when no write has failed yet.
  suspicious(): Promise<boolean>;
  // Writes as much as an ordinary change and deletes it again.
  probe(): Promise<void>;
}

export function watchWrites({ outageOf, suspicious, probe }: WriteHealthParts): WriteHealth {
  let known: WriteOutage | null = null;
  let checking: Promise<WriteOutage | null> | null = null;

  async function check(): Promise<WriteOutage | null> {
    if (known === null && !(await suspicious())) return null;
    try {
      await probe();
      known = null;
    } catch (error) {
      const outage = findOutage(error, outageOf);
      if (isWriteOutage(outage)) known = outage;
    }
    return known;
  }

  return {
    failed(error) {
      const outage = findOutage(error, outageOf);
      if (isWriteOutage(outage)) known = outage;
    },
    // Concurrent callers share one probe.
    check() {
      checking ??= check().finally(() => {
        checking = null;
      });
      return checking;
    },
  };
}
