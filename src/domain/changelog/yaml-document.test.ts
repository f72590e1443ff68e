import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseChangelog } from './entries.ts';
import { parseYaml } from './yaml-sections.ts';

const now = new Date('2026-01-15T12:00:00Z');

describe('YAML of strangers', () => {
  const unreadable: [string, string][] = [
    ['an error at every character', `1.0.0:\n  - ${'[a]['.repeat(5000)}`],
    ['lists in lists', `1.0.0: ${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['mappings in mappings', `1.0.0: ${'{a: '.repeat(5000)}1${'}'.repeat(5000)}`],
    ['dashes in dashes', `1.0.0:\n  ${'- '.repeat(5000)}a`],
    ['a quote that never ends', '1.0.0:\n  - "a'],
    ['a wrong indent', '1.0.0:\n  - a\n - b'],
  ];
  for (const [name, text] of unreadable) {
    it(`${name}: no YAML, and still no error`, () => {
      assert.equal(parseYaml(text), null);
      assert.ok(parseChangelog(text, { names: [], now }).length <= 1);
    });
  }

  it('reads the first document, with what a changelog nests', () => {
    const nested = '1.1.0:\n  Added:\n    - a:\n        b:\n          - [c, {d: e}]\n1.0.0:\n  - f\n---\nother: [\n';
    assert.deepEqual(
      parseChangelog(nested, { names: [], now }).map(({ version }) => version),
      ['1.1.0', '1.0.0'],
    );
  });

  it('makes one entry of each package, of however many packages a version has', () => {
    const text = Array.from({ length: 20_000 }, (_, n) => (n % 2 ? `## p${n}@1.0.0\n- a\n` : `## 1.0.0\n- b${n}\n`));
    const entries = parseChangelog(text.join(''), { names: [], now });
    assert.equal(entries.length, 10_001);
  });
});
