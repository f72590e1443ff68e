// A lock that processes of one machine share: the index of a kind is built and saved by one of them at a time.
import { open, rm, stat, utimes } from 'node:fs/promises';

const REFRESH_MS = 10_000;
// A process that was killed leaves its lock behind. Two that break it at once both save, which the files allow.
const ABANDONED_MS = 60_000;

// Does the work while the lock is held; false when somebody else holds it.
export async function withLock(path: string, work: () => Promise<void>): Promise<boolean> {
  if (!(await take(path))) return false;
  const timer = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => {});
  }, REFRESH_MS).unref();
  try {
    await work();
    return true;
  } finally {
    clearInterval(timer);
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  if (await create(path)) return true;
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age < ABANDONED_MS) return false;
  await rm(path, { force: true });
  return create(path);
}

async function create(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
