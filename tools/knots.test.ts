import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findKnots, type Knot, knotFaults } from './knots.ts';

const knots = (files: Record<string, string>) =>
  findKnots(Object.entries(files).map(([path, text]) => ({ path, text }))).map(
    ({ parent, folders }) => `${parent}: ${folders.join(' ')}`,
  );

describe('knots', () => {
  it('are folders beside each other that load each other, at any depth and by any way', () => {
    const back = { 'src/a/c/2.ts': "export { x } from '../b/3.ts';" };
    assert.deepEqual(knots({ 'src/a/b/1.ts': "import { x } from '../c/2.ts';", ...back }), ['src/a: b c']);
    assert.deepEqual(knots({ 'src/a/b/deep/1.ts': "import '../../c/2.ts';", ...back }), ['src/a: b c']);
    assert.deepEqual(
      knots({ 'src/a/b/1.ts': "await import('../d/4.ts');", 'src/a/d/4.ts': "import '../c/2.ts';", ...back }),
      ['src/a: b c d'],
    );
    assert.deepEqual(knots({ 'src/a/b/1.ts': "import { type T, x } from '../c/2.ts';", ...back }), ['src/a: b c']);
  });

  it('are none where one way has types alone, or leads through a file of the folder above', () => {
    const back = { 'src/a/c/2.ts': "import { x } from '../b/3.ts';" };
    assert.deepEqual(knots({ 'src/a/b/1.ts': "import type { T } from '../c/2.ts';", ...back }), []);
    assert.deepEqual(knots({ 'src/a/b/1.ts': "import {\n  type T,\n  type U,\n} from '../c/2.ts';", ...back }), []);
    assert.deepEqual(knots({ 'src/a/b/1.ts': "import { x } from '../top.ts';", ...back }), []);
    assert.deepEqual(knots({ 'src/a/b/1.ts': "import { x } from './3.ts';" }), []);
  });

  it('may shrink and never grow', () => {
    const of = (...folders: string[]): Knot => ({ parent: 'src/a', folders });
    assert.deepEqual(knotFaults([of('b', 'c')], [of('b', 'c')]), []);
    assert.match(knotFaults([of('b', 'c', 'd')], [of('b', 'c')]).join(), /b, c, d load each other/);
    assert.match(knotFaults([of('b', 'c')], [of('b', 'c', 'd')]).join(), /d are no knot any more/);
    assert.match(knotFaults([], [of('b', 'c')]).join(), /b, c are no knot any more/);
  });
});
