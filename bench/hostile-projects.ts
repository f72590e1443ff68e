// `npm run bench -- hostile-projects --projects 2000`: folders of strangers, made from seeds, checked one after another. None may
// start a program, take more than 30 s of processor time, end the process or say what only a programmer understands, or need more than 1.5 GB.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOSTILE_PACKAGES } from '../test/hostile/project-files.ts';
import { startNpmRegistry } from '../test/support/npm-registry.ts';
import { processorMs } from '../tools/processor-time.ts';
import type { Figure } from './figures.ts';
import type { CheckedProject } from './hostile-project-worker.ts';

const WORKER = new URL('./hostile-project-worker.ts', import.meta.url);
const LIMIT = { milliseconds: 30_000, bytes: 1.5e9 };
// Compiling a project several times is said to take minutes, and shows how far it is.
const PROVING_MS = 180_000;
// A check that waits uses no processor, and git ends after ten seconds.
const STALLED_MS = 300_000;
// Side by side, as some wait for a git that hangs.
const PROCESSES = 2;
// A process is taken for so many projects, so that what one has left does not count for the last.
const PROJECTS_A_PROCESS = 50;
const INTERNAL =
  /Maximum call stack|\b(?:Range|Type|Syntax|Reference)Error\b|is not a function|Cannot read prop|Invalid string length|\bE[A-Z]{4,}\b/;

type Outcome = { kind: 'checked'; checked: CheckedProject } | { kind: 'hang' | 'crash'; seed: number; told: string };

export async function benchHostileProjects(count: number, first = 0): Promise<Figure[]> {
  const home = await mkdtemp(join(tmpdir(), 'registry-hostile-'));
  const registry = await startNpmRegistry(HOSTILE_PACKAGES);
  const outcomes: Outcome[] = [];
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  // Ctrl-C ends with the figures of what was checked.
  process.once('SIGINT', () => seeds.splice(0));
  const checkTheRest = async () => {
    while (seeds.length > 0) {
      const child = fork(WORKER, [home, registry.url], { stdio: 'ignore' });
      await once(child, 'message');
      for (let left = PROJECTS_A_PROCESS; left > 0; left -= 1) {
        const seed = seeds.shift();
        if (seed === undefined) break;
        const outcome = await checkOne(child, seed);
        outcomes.push(outcome);
        const fault = faultOf(outcome);
        if (fault) console.error(fault);
        if (outcome.kind !== 'checked') break;
        if (outcomes.length % 100 === 0) console.error(`${outcomes.length} of ${count}`);
      }
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: PROCESSES }, checkTheRest));
  } finally {
    registry.close();
    await rm(home, { recursive: true, force: true });
  }
  return figuresOf(outcomes);
}

async function checkOne(child: ChildProcess, seed: number): Promise<Outcome> {
  let told = '';
  const timers: NodeJS.Timeout[] = [];
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const onMessage = (message: { started?: number; checked?: CheckedProject }) => {
    if (message.checked) return resolve({ kind: 'checked', checked: message.checked });
    told = JSON.stringify(message);
    const most = told.includes('--prove') ? PROVING_MS : LIMIT.milliseconds;
    const used = () => processorMs(child.pid ?? 0);
    const start = used();
    const hang = () => resolve({ kind: 'hang', seed, told });
    timers.push(
      setInterval(() => used() - start > most && hang(), 1000),
      setTimeout(hang, STALLED_MS),
    );
  };
  const onExit = () => resolve({ kind: 'crash', seed, told });
  child.on('message', onMessage).on('exit', onExit);
  child.send(seed);
  try {
    return await promise;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit);
  }
}

function faultOf(outcome: Outcome): string | null {
  if (outcome.kind !== 'checked') return `${outcome.kind}: seed ${outcome.seed} ${outcome.told}`;
  const { seed, kinds, args, said, isMarked, bytes, milliseconds } = outcome.checked;
  const what = `seed ${seed} [${kinds.join('; ')}] ${args.slice(3).join(' ')}`;
  if (isMarked) return `started a program: ${what}`;
  if (INTERNAL.test(said)) return `internal words: ${what}: ${said}`;
  if (bytes > LIMIT.bytes) return `memory ${Math.round(bytes / 1e6)} MB: ${what}`;
  return milliseconds > 10_000 ? `slow, ${Math.round(milliseconds)} ms: ${what}` : null;
}

function figuresOf(outcomes: readonly Outcome[]): Figure[] {
  const checked = outcomes.flatMap((one) => (one.kind === 'checked' ? [one.checked] : []));
  const plain = checked.filter(({ args }) => !args.includes('--prove'));
  const longest = plain.toSorted((a, b) => b.milliseconds - a.milliseconds)[0];
  const largest = Math.max(0, ...checked.map(({ bytes }) => bytes));
  const count = (name: string, value: number): Figure => {
    return { name, value, unit: '', target: '0', holds: value === 0, detail: `of ${outcomes.length} hostile projects` };
  };
  return [
    count('programs started by a check', checked.filter(({ isMarked }) => isMarked).length),
    count('checks that hang', outcomes.filter(({ kind }) => kind === 'hang').length),
    count('checks that crash', outcomes.filter(({ kind }) => kind === 'crash').length),
    count('checks with internal words', checked.filter(({ said }) => INTERNAL.test(said)).length),
    {
      name: 'longest check of a hostile project',
      value: (longest?.milliseconds ?? 0) / 1000,
      unit: 's',
      target: 'at most 30 s of processor time',
      holds: (longest?.milliseconds ?? 0) <= LIMIT.milliseconds,
      detail: longest ? `seed ${longest.seed}: ${longest.kinds.join('; ')}` : '',
    },
    {
      name: 'most memory of a process of 50 checks',
      value: largest / 1e6,
      unit: 'MB',
      target: 'at most 1,500 MB',
      holds: largest <= LIMIT.bytes,
      detail: '',
    },
  ];
}
