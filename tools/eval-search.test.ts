import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { barsOf } from './eval-search/bars.ts';
import { type Figures, type Measured, measure } from './eval-search/measure.ts';
import { mean, ndcg, recall } from './eval-search/metrics.ts';
import { paraphraseSet, readSet } from './eval-search/read-set.ts';
import { buildRegistry } from './eval-search/registry.ts';

const NOW = new Date('2026-03-01T00:00:00.000Z');
const grades = (all: Record<string, number>) => new Map(Object.entries(all));

describe('metrics', () => {
  const half = 1 / Math.log2(3);
  const cases: [string, string[], Record<string, number>, number, number][] = [
    ['the best first', ['a', 'x', 'y'], { a: 1 }, 1, 1],
    ['the best second', ['x', 'a'], { a: 1 }, half, 1],
    ['not there', ['x', 'y'], { a: 1 }, 0, 0],
    ['one of two', ['a', 'x'], { a: 1, b: 1 }, 1 / (1 + half), 0.5],
    ['grades count', ['b', 'a'], { a: 2, b: 1 }, (1 + 3 * half) / (3 + half), 1],
    ['nothing is relevant', ['a'], {}, 0, 0],
    ['a grade of 0 is none', ['a'], { a: 0 }, 0, 0],
    ['more relevant than places', ['a', 'b', 'c'], { a: 1, b: 1, c: 1, d: 1, e: 1 }, 1, 1],
  ];
  for (const [name, ranked, graded, gain, found] of cases) {
    it(name, () => {
      assert.ok(Math.abs(ndcg(ranked, grades(graded), 3) - gain) < 1e-9, `${ndcg(ranked, grades(graded), 3)}`);
      assert.equal(recall(ranked, grades(graded), 3), found);
    });
  }

  it('means', () => assert.deepEqual([mean([]), mean([1, 0, 0.5])], [0, 0.5]));
});

describe('bars', () => {
  const figures = (ndcg10: number, recall10 = ndcg10): Figures => {
    return { queries: 1, ndcg10, recall10, recall20: 1, first: 1, ofFive: 1 };
  };
  const measured = (lexical: number, semantic: number, hybrid: number): Measured =>
    new Map([
      [
        'lexical',
        new Map([
          ['all', figures(lexical)],
          ['paraphrase', figures(lexical)],
        ]),
      ],
      [
        'semantic',
        new Map([
          ['all', figures(semantic)],
          ['paraphrase', figures(semantic)],
        ]),
      ],
      [
        'hybrid',
        new Map([
          ['all', figures(hybrid)],
          ['paraphrase', figures(hybrid)],
        ]),
      ],
    ]);
  const held = (values: Measured) => barsOf(values).map(({ holds }) => holds);

  it('hold', () => assert.deepEqual(held(measured(0.2, 0.8, 0.8)), [true, true, true]));
  it('two percent below is enough for the whole, not for paraphrases', () => {
    assert.deepEqual(held(measured(0.2, 0.8, 0.79)), [true, true, false]);
  });
  it('fail', () => assert.deepEqual(held(measured(0.8, 0.7, 0.7)), [false, false, true]));
});

const ACME = `# Changelog

## 2.0.0 - 2026-02-01

- Removes \`acme.legacyMode()\` together with its parachute

## 1.1.0 - 2026-01-01

- Balloons carry passengers over mountains, see ACME_FLY_HIGH

## 1.0.0 - 2025-12-01

- First flight of the aeroplane across meadows
`;

describe('the set', () => {
  it('of a folder: a source for each changelog, queries from its texts, judged ones besides', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'eval-test-'));
    try {
      await writeFile(join(folder, '_acme_core.md'), ACME);
      await writeFile(join(folder, 'empty.md'), 'Nothing here.\n');
      const file = join(folder, 'judged.json');
      const relevant = [{ source: '@acme/core', version: '1.1.0', grade: 2 }];
      const unknown = [{ source: 'nobody', version: '1.0.0' }];
      await writeFile(
        file,
        JSON.stringify({
          queries: [
            { query: 'travel by air', relevant },
            { query: 'x', relevant: unknown },
          ],
        }),
      );

      const { sources, queries } = readSet(folder, { queries: file, most: 2, now: NOW });

      assert.deepEqual(
        sources.map(({ name, releases }) => [name, releases.map(({ version }) => version)]),
        [['@acme/core', ['2.0.0', '1.1.0']]],
      );
      const requested = queries.map(({ query, sort, grades: graded }) => [sort, query, ...graded.keys()]);
      assert.ok(requested.some(([sort, query]) => sort === 'name' && query === '@acme/core'));
      assert.ok(requested.some(([, query, key]) => query === 'acme.legacymode' && key === '@acme/core 2.0.0'));
      assert.deepEqual(requested.at(-1), ['concept', 'travel by air', '@acme/core 1.1.0']);
      assert.ok(queries.filter(({ sort }) => sort === 'words').every(({ grades: graded }) => graded.size === 1));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('of paraphrases: what is looked for stands among the others, the same in every run', () => {
    const file = {
      pairs: [{ document: 'Balloons carry passengers', query: 'travel by air' }],
      distractors: ['A new colour for the door', 'Faster trains'],
    };
    const { sources, queries } = paraphraseSet(file, NOW);
    assert.equal(sources[0]?.releases.length, 3);
    assert.deepEqual(queries[0]?.grades, grades({ 'Balloons carry passengers': 1 }));
    assert.deepEqual(paraphraseSet(file, NOW), { sources, queries });
  });
});

describe('the measurement', () => {
  it('asks the real search', async () => {
    const texts = ['Balloons carry passengers over mountains', 'A new colour for the door', 'Faster trains at night'];
    const { sources } = paraphraseSet({ pairs: [], distractors: texts }, NOW);
    const registry = await buildRegistry(sources, { embed: false });
    try {
      const misses: string[] = [];
      const measured = await measure(
        registry.ctx,
        [
          { query: 'balloons mountains ', sort: 'words', grades: grades({ [texts[0] ?? '']: 1 }) },
          { query: 'submarine ', sort: 'words', grades: grades({ [texts[1] ?? '']: 1 }) },
        ],
        { keys: registry.keys, modes: ['lexical'], onMiss: ({ query }) => misses.push(query) },
      );
      assert.deepEqual(measured.get('lexical')?.get('words'), {
        queries: 2,
        ndcg10: 0.5,
        recall10: 0.5,
        recall20: 0.5,
        first: 0.5,
        ofFive: 0.5,
      });
      assert.deepEqual(misses, ['submarine ']);
    } finally {
      await registry.close();
    }
  });
});
