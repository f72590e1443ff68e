// Why the database cannot serve a statement although the statement itself is right, and whether it takes writes.

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

function isWriteOutage(outage: Outage | null): outage is WriteOutage {
  return outage === 'read_only' || outage === 'disk_full';
}

// Whether the database takes writes. A transaction that fails for want of space or of permission raises the suspicion;
// only a probe that really writes can lay it to rest, so a registry that nobody writes to heals as well.
interface WriteHealth {
  failed(error: unknown): void;
  // Null when writes are expected to succeed.
  check(): Promise<WriteOutage | null>;
}

interface WriteHealthParts {
  outageOf(error: unknown): Outage | null;
  // Cheap signs that a write may fail; asked when no write has failed yet.
  suspicious(): Promise<boolean>;
  // Writes as much as an ordinary change and removes it again.
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
    // Callers that ask together share one probe.
    check() {
      checking ??= check().finally(() => {
        checking = null;
      });
      return checking;
    },
  };
}
