import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundFaults, type Sizes, sizesOf } from './bounds.ts';

const of = (files: number, lines: number) => ({ files, lines });

describe('bounds', () => {
  it('count what runs, what tests it, and tools apart', () => {
    const texts: Record<string, string> = {
      'src/a.ts': 'one\ntwo\n',
      'src/web/a.css': 'one',
      'src/a.test.ts': 'one\n',
      'src/a.fixture.ts': 'one\ntwo\n',
      'test/support/a.ts': 'one\n',
      'tools/a.ts': 'one\n\nthree\n',
      'bench/a.ts': '',
      'tools/a.test.ts': 'one\n',
    };
    assert.deepEqual(sizesOf(Object.entries(texts).map(([path, text]) => ({ path, text }))), {
      src: of(2, 3),
      tests: of(4, 5),
      tools: of(2, 4),
    });
  });

  it('are kept by what is as large as they are, and name what is larger', () => {
    const bounds: Sizes = { src: of(2, 30), tests: of(3, 40), tools: of(1, 10) };
    assert.deepEqual(boundFaults(bounds, bounds), []);
    assert.deepEqual(boundFaults({ ...bounds, src: of(3, 31), tools: of(1, 11) }, bounds), [
      'src: 3 files, at most 2; write less, or raise tools/bounds.json',
      'src: 31 lines, at most 30; write less, or raise tools/bounds.json',
      'tools: 11 lines, at most 10; write less, or raise tools/bounds.json',
    ]);
  });
});
