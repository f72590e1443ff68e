// A clock that stands still while the event loop does. A limit on somebody else's answer is then a limit on the time in
// which we could have read it: an answer that lies in the socket of a busy process is not late.
import { systemTimers, type Timers } from './timers.ts';

const BEAT_MS = 100;
// A beat that is later than this was delayed by the event loop; up to here time continues.
const TOLERANCE_MS = 100;

// On top of other timers, which say what time it is and when the loop turns.
export function createLoopTimers(base: Timers = systemTimers): Timers {
  let pending = 0;
  let stalledMs = 0;
  // The last time the loop was seen running; null while no timer waits.
  let lastBeat: number | null = null;
  let stopBeating = () => {};

  function held(): number {
    if (lastBeat === null) return 0;
    return Math.max(0, base.now() - lastBeat - BEAT_MS - TOLERANCE_MS);
  }

  // Only a timer moves the clock: code that blocks the loop may ask for the time as often as it likes.
  function beat(): void {
    stalledMs += held();
    lastBeat = base.now();
    stopBeating = base.after(BEAT_MS, beat);
  }

  function now(): number {
    return base.now() - stalledMs - held();
  }

  function release(): void {
    pending -= 1;
    if (pending > 0) return;
    stopBeating();
    stalledMs += held();
    lastBeat = null;
  }

  return {
    now,
    after(ms, run) {
      if (pending === 0) beat();
      pending += 1;
      const due = now() + ms;
      let over = false;
      const end = (): boolean => {
        if (over) return false;
        over = true;
        release();
        return true;
      };
      const check = () => {
        const left = due - now();
        if (left >= 1) cancel = base.after(left, check);
        else if (end()) run();
      };
      let cancel = base.after(ms, check);
      return () => {
        cancel();
        end();
      };
    },
  };
}

// Shared by all callers of the thread, with one beat.
export const loopTimers: Timers = createLoopTimers();
