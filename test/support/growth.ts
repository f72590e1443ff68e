// Whether the work on a text grows with its length alone. Cheap looks first: most readers and kinds of text are settled at
// two small sizes, most others at a third, and only what looks steep there too is measured at the sizes that count.
import assert from 'node:assert/strict';

// The readers of one folder meet few kinds of text, so that a look at a larger size is not dear.
const FIRST_SIZE = 4_000;
// Linear work grows fourfold from one look to the next, quadratic work sixteenfold.
const STEP = 4;
// Quadratic work shows in this from where it is an eleventh of the linear work at the first size.
const STEEP = 5;
const LOOKS = 3;

const SIZES = [32_000, 64_000, 128_000] as const;
// Below this at the largest size nothing is judged.
const FLOOR_MS = 40;
// Twice doubled, linear work grows fourfold, quadratic work sixteenfold.
const TOO_STEEP = 9;
// One doubling that costs no more than this is in order, and the next size need not be tried.
const GENTLE = 2.5;
// Work that goes on for so long is judged by what was seen.
const ENOUGH_MS = 4_000;

interface Growth<Input> {
  read(input: Input): unknown;
  make(size: number): Input;
  // The size of the first look.
  firstSize?: number;
  clocks?: Clocks;
}

// How long a run takes, in milliseconds.
interface Clocks {
  // Time that passed. It is finer than what the system says of processor time, but a busy machine adds to it.
  elapsed(run: () => unknown): number;
  // Processor time.
  spent(run: () => unknown): number;
}

export function repeated(piece: string): (size: number) => string {
  return (size) => piece.repeat(Math.max(1, Math.floor(size / piece.length)));
}

export function assertLinear<Input>(read: Growth<Input>['read'], make: Growth<Input>['make'], clocks?: Clocks): void {
  const times = steepTimes({ read, make, ...(clocks && { clocks }) });
  assert.equal(times, null, `${times?.join(', ')} ms for sizes that double`);
}

// The processor times at doubling sizes when they say that the work is more than linear, else null.
export function steepTimes<Input>(growth: Growth<Input>): number[] | null {
  return looksSteep(growth) ? judge(growth) : null;
}

function looksSteep<Input>(growth: Growth<Input>): boolean {
  const { make, firstSize = FIRST_SIZE } = growth;
  const next = steepLook(growth, firstSize * STEP, (time) => firstLook(growth, make(firstSize), time));
  return next !== null && steepLook(growth, firstSize * STEP ** 2, () => next) !== null;
}

// What takes more than half of the time of a text four times as long was held up by a busy machine, most likely.
function firstLook<Input>(growth: Growth<Input>, input: Input, next: number): number {
  const time = look(growth, input);
  return 2 * time < next ? time : Math.min(time, look(growth, input));
}

// The time of a size, or null when it is not steep after the one before. A busy machine may make work look steep, and so does
// the compiler, which the first look pays: another look settles most, and processor time the rest.
function steepLook<Input>(growth: Growth<Input>, size: number, before: (time: number) => number): number | null {
  const input = growth.make(size);
  // Quadratic work that takes less than twice this is not judged at the largest size. Steeper work begins lower.
  const floor = (FLOOR_MS / 2) * (size / SIZES[2]) ** 2;
  let time = look(growth, input);
  if (time < floor) return null;
  const steep = STEEP * before(time);
  for (let again = 1; again < LOOKS && time > steep; again += 1) time = Math.min(time, look(growth, input));
  return time > floor && time > steep ? time : null;
}

function look<Input>({ read, clocks = CLOCKS }: Growth<Input>, input: Input): number {
  return clocks.elapsed(() => read(input));
}

// Measured twice before it is held against a reader: a busy machine makes slow, never fast.
function judge<Input>(growth: Growth<Input>): number[] | null {
  const first = measure(growth);
  if (!isConvicting(first)) return null;
  const second = measure(growth);
  const times = first.map((time, index) => Math.min(time, second[index] ?? time));
  return isConvicting(times) ? times.map(Math.round) : null;
}

function measure<Input>({ read, make, clocks = CLOCKS }: Growth<Input>): number[] {
  const times: number[] = [];
  for (const size of SIZES) {
    const [before] = times.slice(-1);
    const input = make(size);
    const time = clocks.spent(() => read(input));
    times.push(time);
    if (time > ENOUGH_MS || (before !== undefined && time < GENTLE * before)) break;
  }
  return times;
}

// Judges by processor times at growing sizes; there are fewer than three when the rest needed no look.
export function isConvicting(times: readonly number[]): boolean {
  const [first = 0] = times;
  const last = times.at(-1) ?? 0;
  if (times.length < SIZES.length) return last > ENOUGH_MS;
  return last > FLOOR_MS && last > TOO_STEEP * first;
}

const CLOCKS: Clocks = {
  elapsed(run) {
    const start = performance.now();
    run();
    return performance.now() - start;
  },
  spent(run) {
    const start = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  },
};
