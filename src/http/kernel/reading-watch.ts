// Open streams of readings: all of a process are looked up together, and each is told what has changed.
import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import type { ReadingAnswer } from '../../contract/reading.ts';
import { hasEnded } from '../../domain/readings/reading.ts';
import type { Timers } from '../../net/timers.ts';
import { readingsById } from '../../packages/readings/describe.ts';
import { frame } from './event-frame.ts';

const LOOK_AGAIN_MS = 300;
const RETRY_FRAME = 'retry: 3000\n\n';

interface ReadingWatch {
  // Tells `first` at once, then every change until the reading has ended.
  join(response: ServerResponse, first: ReadingAnswer): void;
  close(): void;
}

interface Watcher {
  response: ServerResponse;
  told: ReadingAnswer;
}

export function createReadingWatch(ctx: Context, { timers }: { timers: Timers }): ReadingWatch {
  const watchers = new Set<Watcher>();
  let cancel: (() => void) | null = null;

  function end(watcher: Watcher, reason: string): void {
    watchers.delete(watcher);
    watcher.response.end(frame('bye', JSON.stringify({ reason })));
  }

  function tell(watcher: Watcher, answer: ReadingAnswer): void {
    watcher.told = answer;
    watcher.response.write(frame('reading', JSON.stringify(answer)));
    if (hasEnded(answer)) end(watcher, 'ended');
  }

  async function look(): Promise<void> {
    const found = await readingsById(ctx, [...new Set([...watchers].map(({ told: { id } }) => id ?? ''))]);
    for (const watcher of [...watchers]) {
      const answer = found.get(watcher.told.id ?? '');
      if (!answer) end(watcher, 'ended');
      else if (!isDeepStrictEqual(answer, watcher.told)) tell(watcher, answer);
    }
  }

  function lookLater(): void {
    if (watchers.size === 0 || cancel !== null) return;
    cancel = timers.after(LOOK_AGAIN_MS, () => {
      look()
        .catch((err) => ctx.log.error({ err }, 'readings could not be watched'))
        .finally(() => {
          cancel = null;
          lookLater();
        });
    });
  }

  return {
    join(response, first) {
      const watcher = { response, told: first };
      watchers.add(watcher);
      response.once('close', () => watchers.delete(watcher));
      response.write(RETRY_FRAME);
      tell(watcher, first);
      lookLater();
    },
    close() {
      cancel?.();
      for (const watcher of [...watchers]) end(watcher, 'shutdown');
    },
  };
}
