import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readChangelogText } from './entries.ts';
import { addOutside, NOTHING_OUTSIDE, outsideTotal } from './outside-text.ts';
import type { OutsideText } from './types.ts';

const now = new Date('2026-11-01T00:00:00Z');

function outside(text: string): Partial<OutsideText> {
  const counts = Object.entries(readChangelogText(text, { names: ['acme'], now }).outside);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

describe('text in no entry', () => {
  const table: [name: string, text: string, expected: Partial<OutsideText>][] = [
    ['none in a plain changelog', '# Changelog\n\n## 1.0.0\n\n- a\n\n### Fixed\n\n- b\n', {}],
    ['an introduction', '# Changelog\n\nAll of it.\nEach day.\n\n## 1.0.0\n\n- a\n', { before: 19 }],
    ['an introduction without title', 'Hello.\n\n## 1.0.0\n\n- a\n', { before: 6 }],
    ['headings of the introduction', '# Changelog\n\n## Policy\n\nNone.\n\n## 1.0.0\n', { before: 14 }],
    ['unreleased work', '## Unreleased\n\n### Added\n\n- one\n\n## 1.0.0\n\n- a\n', { unreleased: 14 }],
    ['an empty unreleased part', '# Changelog\n\n## [Unreleased]\n\n## 1.0.0\n\n- a\n', {}],
    ['unreleased work below an entry', '## 1.0.0\n\n- a\n\n## TBD\n\n- bcd\n', { unreleased: 5 }],
    ['a group without text', '# 18.x\n\n## 18.2.0\n\n- a\n', {}],
    ['text of a group', '# Acme 2 changelog\n\nLong ago.\n\n## 2.1.0\n\n- a\n', { groups: 9 }],
    ['what follows the last entry', '## 1.0.0\n\n- a\n\n## License\n\nMIT\n', { after: 13 }],
    ['a file without entry', '# Changelog\n\nSee the site.\n', { unread: 13 }],
    ['only unreleased work', '## Unreleased\n\n- one\n', { unreleased: 5 }],
    ['a heading whose date cannot be read', '## 18/02/19\n\n- a\n', { unread: 3 }],
    ['a list of files', '# Logs\n\n## Acme 4\n\n- [4.1](a/4.1.md)\n- [4.0](a/4.0.md)\n', { unread: 43 }],
    [
      'neither comments, rules, anchors nor definitions of links',
      '<!-- note -->\n\n---\n\n<a name="x"></a>\n## 1.0.0\n\n- [a]\n\n## Unreleased\n\n[a]: https://x/y\n',
      {},
    ],
    ['code', '```\n## 0.9.0\n```\n\n## 1.0.0\n\n- a\n', { before: 8 }],
    [
      'data without a version',
      'title: Acme\n1.0.0:\n  changes:\n    - a\nunreleased:\n  - bcd\n',
      { unread: 4, unreleased: 5 },
    ],
  ];
  for (const [name, text, expected] of table) {
    it(name, () => assert.deepEqual(outside(text), expected));
  }

  it('is all that no entry holds', () => {
    const line = fc.constantFrom(
      ...['# Changelog', '## 1.2.0', '## 1.1.0 (2024-02-01)', '### Fixed', '## Unreleased', '# 1.x', '## License', ''],
      ...['word one', '- word two', '  word three', '**1.0.0**', 'word four\n---', '```', '<!-- x -->'],
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), (lines) => {
        const text = ['# Title', ...lines].map((one, index) => one.replace('word', `word${index}`)).join('\n');
        const parsed = readChangelogText(text, { names: ['acme'], now });
        const held = parsed.entries.map(({ heading, title, body }) => `${heading}\n${title}\n${body}`).join('\n');
        const missing = text.split('\n').filter((one) => /word\d/.test(one) && !held.includes(one.trim()));

        const characters = missing.reduce((sum, one) => sum + one.trim().length, 0);
        assert.ok(outsideTotal(parsed.outside) >= characters);
        if (parsed.entries.length === 0) assert.equal(parsed.outside.before + parsed.outside.after, 0);
      }),
      { numRuns: 300 },
    );
  });

  it('adds up', () => {
    const sum = addOutside(
      { ...NOTHING_OUTSIDE, before: 2 },
      { before: 1, unreleased: 2, groups: 3, after: 4, unread: 5 },
    );

    assert.deepEqual([sum, outsideTotal(sum)], [{ before: 3, unreleased: 2, groups: 3, after: 4, unread: 5 }, 17]);
  });
});
