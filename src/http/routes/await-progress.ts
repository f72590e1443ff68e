// Waits until a list of packages is read further.
import { isDeepStrictEqual } from 'node:util';
import { limitLike } from '../../contract/query.ts';
import type { ListProgress } from '../../contract/report.ts';
import { isFilling } from '../../domain/reports/progress.ts';
import { sleep, systemTimers } from '../../net/timers.ts';

const MAX_WAIT_SECONDS = 25;
const LOOK_AGAIN_MS = 500;

export const waitSeconds = limitLike({ default: 0, min: 0, max: MAX_WAIT_SECONDS }).describe(
  'Seconds to wait for a change.',
);

export async function awaitProgress(read: () => Promise<ListProgress>, seconds: number): Promise<ListProgress> {
  const first = await read();
  const until = systemTimers.now() + seconds * 1000;
  let last = first;
  // What nobody has looked at is looked at by whoever reads the list next.
  while (isFilling(last) && last.unseen === 0 && isDeepStrictEqual(last, first) && systemTimers.now() < until) {
    await sleep(systemTimers, Math.min(LOOK_AGAIN_MS, Math.max(0, until - systemTimers.now())));
    last = await read();
  }
  return last;
}
