// Copies the write-ahead log into the database file on a thread. SQLite by itself does it inside the commit that makes the
// log long enough, and copying 64 MB blocks the thread that answers requests for 50 ms and more.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { onThread } from '../../threads/documents.ts';
import { threadTask } from '../../threads/task.ts';

// A page that many commits change is copied once, so a long log saves work.
const DUE_BYTES = 64 * 1024 * 1024;
// Emptying the log needs a moment without a transaction or a reader of older data. A transaction that begins meanwhile waits.
const EMPTYING_MS = 100;

interface Checkpoints {
  // Called after every commit; starts a checkpoint when the log has become long.
  committed(): void;
  // Resolves when no checkpoint runs.
  settled(): Promise<void>;
}

export function createCheckpoints(path: string, dueBytes = DUE_BYTES): Checkpoints {
  let dueAt = dueBytes;
  let running: Promise<void> | null = null;
  const checkpoint = async () => {
    // A failure only means a longer log: the next commit tries again, and SQLite does it itself in the end.
    await onThread(CHECKPOINT, path).catch(() => {});
    // A log that could not be emptied has to grow first, so that a long reader does not cause a checkpoint per commit.
    dueAt = logBytes(path) + dueBytes;
    running = null;
  };
  return {
    committed() {
      if (running === null && logBytes(path) >= dueAt) running = checkpoint();
    },
    settled: async () => running ?? undefined,
  };
}

function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

// Most pages are copied while the writer works; the rest while nobody writes, and then the log is restarted.
export function checkpointFile(path: string): void {
  const database = new DatabaseSync(path, { timeout: EMPTYING_MS });
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE); PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

const CHECKPOINT = threadTask(import.meta.url, checkpointFile);
