// How far a check has come, on standard error: drawn in place on a terminal, one line a stage elsewhere.
import type { CheckStage } from '../../../check/check-project.ts';

interface StageStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const LABELS: Record<CheckStage['name'], string> = {
  project: 'Reading the lockfile',
  listings: 'Asking for newer versions',
  notes: 'Reading notes',
  packages: 'Comparing packages',
  uses: 'Looking at your code',
  prove: 'Compiling your code with the new versions',
};
const REDRAW_MS = 80;
const BAR = 24;

interface Stages {
  update(stage: CheckStage): void;
  finish(): void;
}

export const NO_STAGES: Stages = { update: () => {}, finish: () => {} };

export function createStages(stream: StageStream = process.stderr, now = () => performance.now()): Stages {
  let shownAt = Number.NEGATIVE_INFINITY;
  let last: CheckStage | null = null;
  const end = (stage: CheckStage) => {
    const line = `${LABELS[stage.name].padEnd(28)} ${counted(stage)}${stage.detail ? `, ${stage.detail}` : ''}`;
    stream.write(stream.isTTY ? `\r\x1b[K${fit(line, stream.columns)}\n` : `${line}\n`);
  };
  return {
    update(stage) {
      if (last && last.name !== stage.name) end(summary(last));
      last = stage;
      if (!stream.isTTY || now() - shownAt < REDRAW_MS) return;
      shownAt = now();
      const line = `${LABELS[stage.name].padEnd(28)} ${barOf(stage)}  ${counted(stage)}  ${stage.detail}`;
      stream.write(`\r\x1b[K${fit(line, stream.columns)}`);
    },
    finish() {
      if (last) end(summary(last));
    },
  };
}

// The last package of a finished stage says nothing.
function summary(stage: CheckStage): CheckStage {
  return stage.name === 'packages' ? { ...stage, detail: '' } : stage;
}

function counted({ done, total }: CheckStage): string {
  return done === total
    ? total.toLocaleString('en-US')
    : `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`;
}

function barOf({ done, total }: CheckStage): string {
  const filled = total > 0 ? Math.round((done / total) * BAR) : BAR;
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
}

function fit(line: string, columns = 80): string {
  return line.slice(0, Math.max(20, columns - 1));
}
