// What the sign-in library is given from outside. It stands apart from the library, which is loaded later.
import type { Context } from '../../context.ts';
import type { Mailer } from './mail.ts';

// Work that a request starts and does not wait for; the service waits for it when it stops.
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

export interface LibraryParts {
  mailer: Mailer;
  background: Background;
}

// Set by the routes in front of the sign-in library, from the connection; never what a client sends under this name.
export const ADDRESS_HEADER = 'x-registry-client-address';
