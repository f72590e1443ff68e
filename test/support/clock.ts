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
