// One line for each test file, the whole story for each failure, and totals at the end.
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'test:fail' && !isContainer(event.data)) yield failure(event.data);
    if (event.type === 'test:stdout' || event.type === 'test:stderr') yield event.data.message;
    if (event.type === 'test:summary') yield summary(event.data);
  }
}

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data'];
type Summary = Extract<TestEvent, { type: 'test:summary' }>['data'];

// A suite fails with its tests; they have been told already.
function isContainer({ details }: Failure): boolean {
  return (details.error as { failureType?: string }).failureType === 'subtestsFailed';
}

function failure({ name, file, line, details }: Failure): string {
  const cause = details.error.cause ?? details.error;
  const where = file ? `${relative('.', file)}:${line ?? 1}` : '';
  return `  FAILED  ${name}  ${where}\n${indent(inspect(cause, { colors: process.stdout.isTTY }))}\n`;
}

function summary({ file, counts, duration_ms: ms, success }: Summary): string {
  const seconds = `${(ms / 1000).toFixed(1)} s`;
  if (file !== undefined) {
    return `  ${success ? 'ok' : 'FAILED'}  ${relative('.', file)}  ${counts.tests} tests, ${seconds}\n`;
  }
  const skipped = counts.skipped + counts.todo;
  const failed = counts.tests - counts.passed - skipped;
  return `  ${counts.passed} passed, ${failed} failed, ${skipped} skipped, ${seconds}\n`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
