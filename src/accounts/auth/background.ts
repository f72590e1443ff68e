// Work that a request starts and does not wait for; the service waits for it when it stops.
import type { Context } from '../../context.ts';

export interface Background {
  start(work: Promise<unknown>): void;
  settle(): Promise<void>;
}

export function createBackground({ log }: Pick<Context, 'log'>): Background {
  const running = new Set<Promise<void>>();
  return {
    start(work) {
      const task: Promise<void> = work.then(
        () => {},
        (error) => log.error({ err: error }, 'background work of sign-in failed'),
      );
      running.add(task);
      void task.finally(() => running.delete(task));
    },
    async settle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
