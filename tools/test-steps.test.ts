import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';

it('npm test refuses a step that it does not have, and says which it takes', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/test.ts', 'lint', 'nosuch'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(
    stderr,
    /^no such step: nosuch\nnpm test takes any of: types, lint, layers, dead, bounds, unit, service, logs; .*\nThe tests of what you changed: npm test -- changed\./,
  );
});
