import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertLinear, repeated } from '../../../test/support/growth.ts';
import { cleanItem, plainText, readBody, releaseType } from './index.ts';
import { derive, lines } from './notes.fixture.ts';

function check(content: string): void {
  const found = derive({ content, version: '1.2.3', step: 'minor', title: content.slice(0, 2000) });
  assert.ok(found.summary.length <= 280);
  assert.ok((found.titleShort?.length ?? 0) <= 70);
  assert.ok((found.titleGenerated?.length ?? 0) <= 100);
  assert.ok((found.migrationNotes?.length ?? 0) <= 1500);
  assert.ok(plainText(content, 300).length <= 300);
  assert.ok(['feature', 'rollup'].includes(releaseType(content.slice(0, 2000), content)));
}

describe('a long text of', () => {
  const units: Readonly<Record<string, string>> = {
    stars: '*',
    brackets: '[',
    'image openings': '![',
    'number signs': '#',
    backticks: '`',
    'backticks of many lengths': '` `` ``` ',
    'link openings': '[a](',
    'list entries': '- a\n',
    'deeper list entries': '  - a:\n    - b:\n',
    'unclosed fences': '```\n~~~~\n',
    'unclosed comments': '<!-- a\n',
    'unclosed tags': '<li <p',
    'one-line HTML': '<li>Removed `a`, use b instead',
    'hash-like words': 'abc1234f ',
    'phrases that almost match': 'the minimum default drop not backwards ',
    'flags renamed': 'renamed `--a` to ',
    'calls without an end': 'removed a.b(x, ',
    'labels in brackets': '[a] ',
    'changes of an interface': 'api changes: default has been increased ',
    'steps without an object': 'you must wipe the ',
    reports: '[BUG #1 ',
    addresses: 'http://a/',
    mentions: 'by @a and @',
  };
  for (const [name, unit] of Object.entries(units)) it(name, () => assertLinear(check, repeated(unit)));

  it('a nested list that never ends', () => {
    // Each line is as long as its depth, so the text grows with the square of the depth.
    assertLinear(check, (size) => {
      const depth = Math.round(Math.sqrt(2 * size));
      return Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}- a:`).join('\n');
    });
  });
});

describe('any input', () => {
  const pieces = fc.constantFrom(
    ...'* _ ` ``` ~~~ [ ]( ) ![ # ## ### > - 1. • | <li> <p> </p> <ul> </ul> <code> </code> <!-- --> & &amp; \\ @kim #12 !9 abc1234 : ! . ,'.split(
      ' ',
    ),
    ...[
      '\n',
      '\n\n',
      ' ',
      '    ',
      'Added ',
      'fix: ',
      'feat!: ',
      'removed `x`',
      'Breaking changes',
      'no longer works',
      '1.2.3',
      '🎉',
      'é',
      '\u0000',
      '\ud800',
    ],
  );
  const body = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));

  it('stays within all limits', () => {
    fc.assert(fc.property(body, check), { numRuns: 400, seed: 20240201 });
  });

  it('gives the same answer every time', () => {
    fc.assert(
      fc.property(body, (content) => {
        const given = { content, version: '1.0.0', step: 'minor', title: content.slice(0, 40) } as const;
        assert.deepEqual(derive(given), derive(given));
      }),
      { numRuns: 200, seed: 20240202 },
    );
  });

  it('shows of every entry what its place in the body says', () => {
    fc.assert(
      fc.property(body, (content) => {
        for (const item of readBody(content).items)
          assert.equal(cleanItem(content.slice(item.start, item.end)), item.text);
      }),
      { numRuns: 400, seed: 20240203 },
    );
  });

  it('does not remember the body before', () => {
    const plain = { content: lines('### Added', '- Hooks'), version: '1.1.0', step: 'minor' } as const;
    const before = derive(plain);
    derive({ content: '<p>```<li>`<!--', version: '9.0.0', step: 'major' });
    assert.deepEqual(derive(plain), before);
  });
});
