// How far a check has come, on standard error: drawn in place on a terminal, one line a stage elsewhere.
import type { CheckStage } from '../../../check/report.ts';
import { formatted } from '../../../domain/upgrade/report/words.ts';

interface StageStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const LABELS: Record<CheckStage['name'], string> = {
  project: 'Reading the lockfile',
  advisories: 'Reading advisories',
  listings: 'Asking for newer versions',
  notes: 'Reading notes',
  packages: 'Comparing packages',
  uses: 'Looking at your code',
  prove: 'Compiling your code with the new versions',
};
const REDRAW_MS = 80;
// What does not move says at least how long it has taken.
const ALIVE_MS = { terminal: 500, elsewhere: 10_000 };
const BAR = 24;

interface Stages {
  update(stage: CheckStage): void;
  // Also ends a check that failed.
  finish(): void;
}

export const NO_STAGES: Stages = { update: () => {}, finish: () => {} };

export function createStages(stream: StageStream = process.stderr, now = () => performance.now()): Stages {
  const isTTY = stream.isTTY === true;
  let shownAt = Number.NEGATIVE_INFINITY;
  let beganAt = now();
  let last: CheckStage | null = null;
  let alive: NodeJS.Timeout | undefined;
  const draw = (stage: CheckStage) => {
    shownAt = now();
    const seconds = Math.floor((now() - beganAt) / 1000);
    const taken = seconds < 2 ? '' : `  ${seconds} s`;
    const line = `${LABELS[stage.name].padEnd(28)} ${barOf(stage)}  ${counted(stage)}${taken}  ${stage.detail}`;
    stream.write(`\r\x1b[K${fit(line, stream.columns)}`);
  };
  const begin = ({ name }: CheckStage) => {
    beganAt = now();
    // What is being done is told before it is done, also where lines cannot be drawn again.
    if (!isTTY) stream.write(LABELS[name].padEnd(28));
    // A stage is slow by its own time, whatever those before it took.
    clearInterval(alive);
    let dots = 0;
    const show = () => {
      if (last && isTTY) draw(last);
      // Dots stand apart from the name of the stage and from the count that comes after them.
      else if (last) stream.write(dots++ === 0 ? ' .' : '.');
    };
    alive = setInterval(show, isTTY ? ALIVE_MS.terminal : ALIVE_MS.elsewhere);
    alive.unref();
  };
  const end = (stage: CheckStage) => {
    // A stage that did not end says nothing of what came of it.
    const isDone = stage.done >= stage.total;
    const result = isDone ? ` ${counted(stage)}${stage.detail ? `, ${stage.detail}` : ''}` : '';
    const line = `${LABELS[stage.name].padEnd(28)}${result}`;
    stream.write(isTTY ? `\r\x1b[K${fit(line, stream.columns)}\n` : `${result}\n`);
  };
  return {
    update(stage) {
      if (last?.name !== stage.name) {
        if (last) end(summary(last));
        begin(stage);
        shownAt = Number.NEGATIVE_INFINITY;
      }
      last = stage;
      if (isTTY && now() - shownAt >= REDRAW_MS) draw(stage);
    },
    finish() {
      clearInterval(alive);
      if (last) end(summary(last));
      last = null;
    },
  };
}

// The last package or file of a finished stage says nothing.
function summary(stage: CheckStage): CheckStage {
  return stage.name === 'packages' || stage.name === 'uses' ? { ...stage, detail: '' } : stage;
}

function counted({ done, total }: CheckStage): string {
  return done === total ? formatted(total) : `${formatted(done)} of ${formatted(total)}`;
}

function barOf({ done, total }: CheckStage): string {
  const filled = total > 0 ? Math.round((done / total) * BAR) : BAR;
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
}

function fit(line: string, columns = 80): string {
  return line.slice(0, Math.max(20, columns - 1));
}
