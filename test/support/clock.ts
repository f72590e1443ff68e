import { after, before, mock } from 'node:test';

export interface MovableClock {
  (): Date;
  move(milliseconds: number): void;
}

// A clock that stands still until the test moves it.
export function movableClock(start: string): MovableClock {
  let at = Date.parse(start);
  return Object.assign(() => new Date(at), {
    move(milliseconds: number) {
      at += milliseconds;
    },
  });
}

// For libraries that read the system clock: it stands still for the tests of a suite, until `mock.timers` moves it.
export function holdTime(start: number): void {
  before(() => mock.timers.enable({ apis: ['Date'], now: start }));
  after(() => mock.timers.reset());
}
