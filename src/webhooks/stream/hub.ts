// Passes new events to all open streams of this process: one reader for all listeners, and none while there is no listener.
import type { Context } from '../../context.ts';
import { systemTimers, type Timers } from '../../net/timers.ts';
import { eventsAfter, type StreamEvent } from './events.ts';

export interface EventHub {
  // Passes every event after `seq` to the listener, once and in order. False when the hub is past that number; then
  // the caller reads the events itself and joins again.
  join(seq: number, listener: Listener): boolean;
  leave(listener: Listener): void;
  close(): void;
}

type Listener = (events: readonly StreamEvent[]) => void;

// The interval of polling, well within the two seconds that an event may take to reach every process.
const LOOK_MS = 400;
// Pages are small, so that sockets can send between two of them.
const PAGE = 100;

export function createEventHub(ctx: Context, { timers = systemTimers }: { timers?: Timers } = {}): EventHub {
  const listeners = new Set<Listener>();
  // The number of the last event that was passed to the listeners.
  let position = 0;
  let cancel: (() => void) | null = null;

  async function look(): Promise<void> {
    let found = 0;
    try {
      const events = await eventsAfter(ctx, position, PAGE);
      found = events.length;
      const last = events.at(-1);
      if (last) {
        position = last.seq;
        for (const listener of [...listeners]) listener(events);
      }
    } catch (err) {
      ctx.log.error({ err }, 'events could not be read');
    }
    cancel = listeners.size > 0 ? timers.after(found === PAGE ? 0 : LOOK_MS, () => void look()) : null;
  }

  return {
    join(seq, listener) {
      if (cancel !== null && position > seq) return false;
      listeners.add(listener);
      if (cancel === null) {
        position = seq;
        cancel = timers.after(LOOK_MS, () => void look());
      }
      return true;
    },
    leave: (listener) => void listeners.delete(listener),
    close() {
      listeners.clear();
      cancel?.();
      cancel = null;
    },
  };
}
