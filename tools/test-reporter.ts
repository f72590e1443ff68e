// One line per test file and the details of each failure. The counts go to the parent run; a run by hand prints them at
// the end.
import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import type { TestsStream } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { ownProcessorMs } from './processor-time.ts';
import { type Counts, PROGRESS_PIPE, type Progress } from './test-batches.ts';

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data'];
type Summary = Extract<TestEvent, { type: 'test:summary' }>['data'];

interface FileTally {
  file: string;
  tests: number;
  ok: boolean;
  ms: number;
}

// The processor time by file, as files run one after another. It is read when the harness emits an event: the loop of a
// reporter hears of synchronous tests only after many more of them have run. A suite that a helper declares belongs to
// the file of its tests.
class FileWork {
  // The processor time up to the first test.
  loadingMs = 0;
  readonly #ms = new Map<string, number>();
  #file: string | null = null;
  #since: number | null = null;

  constructor(events: TestsStream) {
    events.on('test:dequeue', (test) => {
      if (test.nesting === 0) this.#next();
      this.#file ??= fileOf(test);
    });
    events.on('test:summary', () => this.#next());
  }

  of(file: string): number {
    return this.#ms.get(file) ?? 0;
  }

  // Called when something begins at the top of a file, or when everything has ended.
  #next(): void {
    const now = ownProcessorMs();
    if (this.#since === null) this.loadingMs = now;
    else if (this.#file !== null) this.#ms.set(this.#file, this.of(this.#file) + now - this.#since);
    this.#since = now;
    this.#file = null;
  }
}

export function report(events: TestsStream): NodeJS.ReadableStream {
  const work = new FileWork(events);
  return events.compose((source: AsyncIterable<TestEvent>) => lines(source, work));
}

async function* lines(events: AsyncIterable<TestEvent>, work: FileWork): AsyncGenerator<string> {
  let current = null as FileTally | null;
  for await (const event of events) {
    if (event.type === 'test:dequeue') reportProgress({ begun: nameOf(event.data) });
    if (event.type === 'test:complete') reportProgress({ ended: nameOf(event.data) });
    if (event.type === 'test:stdout' || event.type === 'test:stderr') yield event.data.message;
    if (event.type === 'test:summary') {
      if (current) yield line(current, work.of(current.file));
      yield `  loading the files  ${inSeconds(work.loadingMs)} s of processor time\n`;
      yield* summary(event.data);
    }
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const file = fileOf(event.data);
    if (file && file !== current?.file) {
      if (current) yield line(current, work.of(current.file));
      current = { file, tests: 0, ok: true, ms: 0 };
    }
    if (current && event.data.details.type !== 'suite') current.tests += 1;
    if (current && event.data.nesting === 0) current.ms += event.data.details.duration_ms;
    if (event.type === 'test:fail' && !isContainer(event.data)) {
      if (current) current.ok = false;
      yield failure(event.data);
    }
  }
}

// Files run one after another. A suite or test that a helper declares belongs to the current file.
function fileOf({ file }: { file?: string | undefined }): string | null {
  return file?.endsWith('.test.ts') ? file : null;
}

// A suite fails with its tests, which have been reported already.
function isContainer({ details }: Failure): boolean {
  return (details.error as { failureType?: string }).failureType === 'subtestsFailed';
}

function failure({ name, file, line, details }: Failure): string {
  const cause = details.error.cause ?? details.error;
  const where = file ? `${relative('.', file)}:${line ?? 1}` : '';
  return `  FAILED  ${name}  ${where}\n${indent(inspect(cause, { colors: process.stdout.isTTY }))}\n`;
}

function line({ file, tests, ok, ms }: FileTally, workMs: number): string {
  const times = `${inSeconds(ms)} s, ${inSeconds(workMs)} s of processor time`;
  return `  ${ok ? 'ok' : 'FAILED'}  ${relative('.', file)}  ${tests} tests, ${times}\n`;
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function* summary({ counts }: Summary): Generator<string> {
  const skipped = counts.skipped + counts.todo;
  const tally: Counts = { passed: counts.passed, failed: counts.tests - counts.passed - skipped, skipped };
  if (!reportProgress({ counts: tally }))
    yield `  ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`;
}

// Writes to the pipe of the parent run, which thus knows what a batch is doing; returns false when there is none.
function reportProgress(progress: Progress): boolean {
  const pipe = process.env[PROGRESS_PIPE];
  if (pipe) writeSync(Number(pipe), `${asciiJson(progress)}\n`);
  return pipe !== undefined;
}

// Names of tests may contain characters that end a line outside of JSON.
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function nameOf({ name, file }: { name: string; file?: string | undefined }): string {
  return file ? `${relative('.', file)}: ${name}` : name;
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
