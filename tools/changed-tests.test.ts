import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { filesLoadedBy, type ImportGraph, readImportGraph, testsReaching } from './changed-tests.ts';

describe('the tests of a change', () => {
  const graph: ImportGraph = new Map([
    ['src/domain/rule.ts', []],
    ['src/domain/rule.test.ts', ['src/domain/rule.ts']],
    ['src/store/use.ts', ['src/domain/rule.ts']],
    ['src/store/use.test.ts', ['src/store/use.ts']],
    ['src/store/other.test.ts', []],
    ['src/main.ts', ['src/store/use.ts']],
    ['test/b/whole.test.ts', ['src/main.ts']],
    ['test/c/use.test.ts', ['src/main.ts']],
  ]);

  it('are those that load it, rules first and the service last', () => {
    assert.deepEqual(testsReaching(graph, ['src/domain/rule.ts']), {
      chosen: ['src/domain/rule.test.ts', 'src/store/use.test.ts', 'test/b/whole.test.ts', 'test/c/use.test.ts'],
      left: 0,
    });
  });

  it('are the nearest within the time that there is, and how many are left is told', () => {
    const nearest = { chosen: ['src/domain/rule.test.ts', 'src/store/use.test.ts'], left: 2 };
    assert.deepEqual(testsReaching(graph, ['src/domain/rule.ts'], 0.7), nearest);
  });

  it('are of those at the same distance the ones that are named alike', () => {
    const { chosen } = testsReaching(graph, ['src/store/use.ts'], 2);
    assert.deepEqual(chosen, ['src/store/use.test.ts', 'test/c/use.test.ts']);
  });

  it('are always those that changed themselves', () => {
    assert.deepEqual(testsReaching(graph, ['test/b/whole.test.ts'], 0), { chosen: ['test/b/whole.test.ts'], left: 0 });
  });

  it('reach what is imported, loaded late or named for a thread, not what gives types alone', () => {
    const source = [
      "import type { A } from './types.ts';",
      "import { b } from '../b.ts';",
      "import 'node:fs';",
      "const c = await import('./late.ts');",
      "new Worker(new URL('./thread.ts', import.meta.url));",
    ].join('\n');
    assert.deepEqual(filesLoadedBy('src/x/a.ts', source), ['src/b.ts', 'src/x/late.ts', 'src/x/thread.ts']);
  });

  it('of a rule of this program are beside it and around it', () => {
    const { chosen, left } = testsReaching(readImportGraph(), ['src/domain/notes/breaking.ts']);
    assert.ok(chosen.includes('src/domain/notes/breaking.test.ts'));
    assert.ok(chosen.length < 100 && left > chosen.length, `${chosen.length} of ${left}`);
  });

  it('run for a file that is named', () => {
    const { status, stdout } = spawnSync(process.execPath, ['tools/test.ts', 'src/domain/versions/parse.test.ts'], {
      encoding: 'utf8',
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    assert.match(stdout, /^files of tests: 1\n/);
    assert.match(stdout, /ok {2}picked tests {2}[\d.]+ s, [1-9]\d* passed, 0 failed, 0 skipped\n\nPASSED in/);
    assert.equal(status, 0);
  });
});
