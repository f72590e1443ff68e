// The progress of a check: told before the work is done, on terminals and in logs.
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { createStages } from './stages.ts';

function stream(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 100, written, write: (text: string) => void written.push(text) };
}

describe('the stages of a check', () => {
  it('in a log a stage is named when it begins, with what came of it behind', () => {
    const log = stream(false);
    const stages = createStages(log, () => 0);
    stages.update({ name: 'project', done: 0, total: 1, detail: '' });
    assert.equal(log.written.join(''), 'Reading the lockfile        ');
    stages.update({ name: 'project', done: 1234, total: 1234, detail: 'yarn.lock' });
    stages.update({ name: 'uses', done: 1, total: 2, detail: 'a.ts' });
    stages.update({ name: 'uses', done: 2, total: 2, detail: 'b.ts' });
    stages.finish();
    assert.equal(
      log.written.join(''),
      'Reading the lockfile         1,234, yarn.lock\nLooking at your code         2\n',
    );
  });

  it('in a log a slow stage shows a dot every ten seconds of its own, apart from what came of it', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const log = stream(false);
    const stages = createStages(log);
    stages.update({ name: 'packages', done: 0, total: 2, detail: '' });
    t.mock.timers.tick(25_000);
    stages.update({ name: 'packages', done: 2, total: 2, detail: 'lamp' });
    stages.update({ name: 'prove', done: 0, total: 2, detail: '' });
    t.mock.timers.tick(9_000);
    stages.update({ name: 'prove', done: 2, total: 2, detail: '' });
    stages.finish();
    assert.equal(
      log.written.join(''),
      'Comparing packages           .. 2\nCompiling your code with the new versions 2\n',
    );
  });

  it('a stage that failed says nothing of what came of it', () => {
    const log = stream(false);
    const stages = createStages(log, () => 0);
    stages.update({ name: 'project', done: 0, total: 1, detail: '' });
    stages.finish();
    stages.finish();
    assert.equal(log.written.join(''), 'Reading the lockfile        \n');
  });

  it('on a terminal a line is drawn in its place, and tells how long it has taken', () => {
    let now = 0;
    const terminal = stream(true);
    const stages = createStages(terminal, () => now);
    stages.update({ name: 'packages', done: 0, total: 4, detail: 'lamp' });
    now = 5_000;
    stages.update({ name: 'packages', done: 2, total: 4, detail: 'quiet' });
    stages.finish();
    assert.deepEqual(terminal.written, [
      `\r\u001b[KComparing packages           ${'░'.repeat(24)}  0 of 4  lamp`,
      `\r\u001b[KComparing packages           ${'█'.repeat(12)}${'░'.repeat(12)}  2 of 4  5 s  quiet`,
      '\r\u001b[KComparing packages          \n',
    ]);
  });
});
