import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { assertLinear, repeated } from '../../../test/support/growth.ts';
import { parseChangelog } from './entries.ts';

const now = new Date('2024-06-01T00:00:00Z');
const SIZE = 250_000;

const pieces: readonly string[] = [
  '#',
  ' ',
  '\n',
  '# ',
  '[',
  '**',
  '```\n',
  '~~~ x\n',
  '<!--\n',
  '<pre>\n',
  '<h2 ',
  '=\n',
  '-\n',
  '[a]: http://x\n',
  `## ${'['.repeat(900)}\n`,
  `## ${'[a]('.repeat(220)}\n`,
  `## a${'_'.repeat(900)}a\n`,
  `## ${'<a '.repeat(300)}\n`,
  `## ${'1.2 '.repeat(240)}\n`,
  `## ${'30 February 2024 '.repeat(58)}\n`,
  `## ${'('.repeat(900)}1.2.3\n`,
  `## ${'a@'.repeat(90)}1.2.3\n`,
];

// Where nearly every line is a heading the work is honest, only plenty.
const densePieces: readonly string[] = [
  '## 1.2.3\n',
  '# 1.2\n## 1.2.3\n',
  '# v2\n## 2024-01-15\n### a\n',
  '**1.2.3**\n',
  '1.2.3\n---\n',
  '1.2.3\n~~~~~~\n\n',
  '1.2.3\n\n',
  '- a\n  ## 1.2.3\n',
];

describe('hostile input', () => {
  for (const piece of [...pieces, ...densePieces]) {
    it(`repeats ${JSON.stringify(piece.slice(0, 24))}`, () => {
      assertLinear((text) => parseChangelog(text, { names: ['Acme'], now }), repeated(piece));
    });
  }

  for (const piece of ['[a]', '[a', '[a][b]', '`a``b```c', '[\\']) {
    it(`resolves links in ${piece} repeated`, () => {
      assertLinear(
        (text: string) => assert.equal(parseChangelog(text, { names: [], now }).length, 1),
        (size) => `[a]: http://x\n## 1.0.0\n${repeated(piece)(size)}`,
      );
    });
  }

  it('cuts a heading without end', () => {
    const [entry] = parseChangelog(`## 1.2.3 ${'x'.repeat(SIZE)}\n`, { names: [], now });

    assert.equal(entry?.version, '1.2.3');
    assert.ok((entry?.heading.length ?? 0) <= 1000);
  });
});

describe('any text', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '## 1.2.3',
      '# v2',
      '### 2024-02-01',
      '**1.0**',
      '===',
      '---',
      '```',
      '<!--',
      '-->',
      '- a',
      '',
      '[a]: b',
    ),
    fc.constantFrom(
      '## Unreleased',
      '<h2>1.0.1</h2>',
      '1.0.2',
      '    x',
      '  ## 0.9',
      '[a]',
      '## Fixed',
      '~~~~',
      '.. x::',
    ),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
  );
  const format = fc.constantFrom(undefined, 'markdown', 'rst', 'text');

  it('gives entries in order that lie in the text', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), format, (lines, format) => {
        const text = lines.join('\n');
        const entries = parseChangelog(text, { names: ['Acme'], now, ...(format && { format }) });

        let last = -1;
        for (const { offset, level, title, body } of entries) {
          assert.ok(offset > last && offset < text.length);
          assert.ok(level >= 1 && level <= 6);
          assert.notEqual(title, '');
          assert.ok(body === body.trimEnd());
          last = offset;
        }
      }),
      { numRuns: 500 },
    );
  });
});
