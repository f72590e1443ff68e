// Whether the work on a text grows with its length alone. Both sizes are measured in the same run, in processor time: a
// slow machine is slow at both, and a busy one does not count.
import assert from 'node:assert/strict';

const SMALL = 30_000;
const FACTOR = 8;
// Linear work takes its share, quadratic work eight times as much.
const MOST_SHARES = 3;
// What compiling and collecting garbage may add.
const SLACK_MS = 150;

export function repeated(piece: string): (size: number) => string {
  return (size) => piece.repeat(Math.ceil(size / piece.length));
}

export function assertLinear<Input>(read: (input: Input) => unknown, make: (size: number) => Input): void {
  const [small, large] = [make(SMALL), make(SMALL * FACTOR)];
  read(small);
  const share = costOf(() => read(small)) * FACTOR;
  const taken = costOf(() => read(large));
  assert.ok(taken < share * MOST_SHARES + SLACK_MS, `${Math.round(taken)} ms for ${Math.round(share)} ms`);
}

function costOf(run: () => unknown): number {
  const started = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1000;
}
