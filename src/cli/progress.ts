// The progress of a long task, on stderr: a bar on a terminal, a plain line every 10 seconds elsewhere.

interface ProgressStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

interface ProgressOptions {
  label: string;
  total: number;
  stream?: ProgressStream;
  now?: () => number;
}

export interface Progress {
  update(done: number): void;
  finish(): void;
}

const REDRAW_MS = 100;
const LINE_MS = 10_000;
const BAR = 24;

export function createProgress(options: ProgressOptions): Progress {
  const { label, total, stream = process.stderr, now = () => performance.now() } = options;
  const startedAt = now();
  const pause = stream.isTTY ? REDRAW_MS : LINE_MS;
  let shownAt = stream.isTTY ? Number.NEGATIVE_INFINITY : startedAt;
  let done = 0;

  return {
    update(value) {
      done = value;
      if (now() - shownAt < pause) return;
      shownAt = now();
      const seconds = (shownAt - startedAt) / 1000;
      if (stream.isTTY) stream.write(`\r\x1b[K${fit(barLine({ label, done, total, seconds }), stream.columns)}`);
      else stream.write(`${plainLine({ label, done, total, seconds })}\n`);
    },
    finish() {
      const seconds = (now() - startedAt) / 1000;
      const line = `${label}: ${number(done)} in ${seconds.toFixed(1)} s (${rate(done, seconds)})`;
      stream.write(stream.isTTY ? `\r\x1b[K${line}\n` : `${line}\n`);
    },
  };
}

interface ProgressState {
  label: string;
  done: number;
  total: number;
  seconds: number;
}

function barLine({ label, done, total, seconds }: ProgressState): string {
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const filled = Math.round(share * BAR);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
  return `${label} ${bar} ${Math.floor(share * 100)} %  ${rate(done, seconds)}  ${left(done, total, seconds)}`;
}

function plainLine({ label, done, total, seconds }: ProgressState): string {
  return `${label}: ${number(done)} of ${number(total)}, ${rate(done, seconds)}, ${left(done, total, seconds)}`;
}

function rate(done: number, seconds: number): string {
  return `${number(seconds > 0 ? Math.round(done / seconds) : 0)}/s`;
}

function left(done: number, total: number, seconds: number): string {
  if (done <= 0 || seconds <= 0) return 'time left unknown';
  const rest = Math.max(0, Math.round((seconds / done) * (total - done)));
  const minutes = Math.floor(rest / 60);
  return minutes > 0 ? `${minutes} min ${rest % 60} s left` : `${rest} s left`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function fit(line: string, columns = 80): string {
  return line.slice(0, Math.max(20, columns - 1));
}
