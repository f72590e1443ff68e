import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { NODE_FLAGS, testProgram } from '../support/program.ts';

const LATE = testProgram('test/cli/late-stop.ts');

describe('a stop that takes too long', () => {
  const cases: [how: string, end: [code: number | null, signal: string | null]][] = [
    ['waits', [1, null]],
    ['held up', [null, 'SIGKILL']],
  ];
  for (const [how, end] of cases) {
    it(`ends all the same and names what is left (${how})`, async () => {
      const child = spawn(process.execPath, [...NODE_FLAGS, LATE, how], { stdio: ['ignore', 'ignore', 'pipe'] });
      const [written, exit] = await Promise.all([text(child.stderr), once(child, 'exit')]);

      assert.deepEqual(exit, end);
      const [line = '{}'] = written.trim().split('\n');
      assert.deepEqual(JSON.parse(line).left, ['database'], written);
    });
  }
});
