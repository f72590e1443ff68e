// Whether the work on a text grows with its length alone. Cheap looks first: most pairs of a parser and a kind of text
// are settled at two small sizes, most others at a middle one, and only what looks steep there too is measured at the
// sizes that count.
import type { HostileInput } from './inputs.ts';
import type { Parser } from './parsers.ts';

const SMALL = 2_000;
const LARGER = 8_000;
const MIDDLE = 32_000;
// Linear work grows fourfold between these sizes, quadratic work sixteenfold.
const STEEP = 8;
// Quadratic work of this length takes twice what is judged at all at the largest size.
const WORTH_A_LOOK_MS = 0.3;

const SIZES = [64_000, 128_000, 256_000] as const;
// Below this at the largest size nothing is judged.
const FLOOR_MS = 150;
// Twice doubled, linear work grows fourfold, quadratic work sixteenfold.
const TOO_STEEP = 9;
// One doubling that costs no more than this is in order, and the next size need not be tried.
const GENTLE = 2.5;
// Work that goes on for so long is judged by what was seen.
const ENOUGH_MS = 4_000;

interface Conviction {
  parser: string;
  input: string;
  // Processor time at the three sizes.
  times: number[];
}

export function judgeParser(parser: Parser, inputs: readonly HostileInput[]): Conviction[] {
  parser.read(inputs.map(({ make }) => make(20)).join('\n\n'));
  const chosen = parser.wrapper ? inputs.filter((_, index) => index % 4 === 0) : inputs;
  return chosen.filter((input) => looksSteep(parser, input)).flatMap((input) => judge(parser, input) ?? []);
}

// By the clock, which is finer than what the system says of processor time. A busy machine may make a pair look steep,
// which is settled by processor time below.
function looksSteep(parser: Parser, input: HostileInput): boolean {
  const text = input.make(LARGER);
  const first = elapsed(parser, text);
  if (first < WORTH_A_LOOK_MS) return false;
  const small = elapsed(parser, input.make(SMALL));
  if (first <= STEEP * small) return false;
  // The first look also pays for compiling the code that it meets, so a second one settles most.
  let larger = first;
  for (let look = 0; look < 2; look += 1) {
    larger = Math.min(larger, elapsed(parser, text));
    if (larger <= WORTH_A_LOOK_MS || larger <= STEEP * small) return false;
  }
  return elapsed(parser, input.make(MIDDLE)) > STEEP * larger;
}

function elapsed(parser: Parser, text: string): number {
  const start = performance.now();
  parser.read(text);
  return performance.now() - start;
}

// Measured twice before it is held against a parser: a busy machine makes slow, never fast.
function judge(parser: Parser, input: HostileInput): Conviction | null {
  const first = measure(parser, input);
  if (!isConvicting(first)) return null;
  const second = measure(parser, input);
  const times = first.map((time, index) => Math.min(time, second[index] ?? time));
  return isConvicting(times) ? { parser: parser.name, input: input.name, times: times.map(Math.round) } : null;
}

function measure(parser: Parser, input: HostileInput): number[] {
  const times: number[] = [];
  for (const size of SIZES) {
    const [before] = times.slice(-1);
    const time = cost(parser, input.make(size));
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

function cost(parser: Parser, text: string): number {
  const start = process.threadCpuUsage();
  parser.read(text);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
