import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { headingOffsets } from '../../domain/changelog/headings.ts';
import { sliceByChars } from '../../domain/changelog/slice.ts';
import { chunkDrafts } from './chunk-drafts.ts';

const NOW = new Date('2026-11-01T00:00:00.000Z');
const draftsOf = (text: string) => chunkDrafts(text, { names: ['Acme'], now: NOW });
const bullets = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `- ${word} number ${index} of the long list of this release\n`).join('');

describe('chunkDrafts', () => {
  const long = bullets(60, 'Fix');
  const text = [
    '# Changelog\n\nAll changes of Acme.\n\n',
    `## 2.0.0 - 2026-03-01\n\n${long}`,
    `## 1.1.0 (2026-01-05)\n\n${bullets(15, 'Add')}`,
    `## 1.0.0\n\n${bullets(15, 'First')}`,
  ].join('');
  const drafts = draftsOf(text);
  const at = (heading: string) => text.indexOf(`## ${heading}`);

  it('tiles the file', () => {
    let end = 0;
    for (const { offset, length } of drafts) {
      assert.equal(offset, end);
      end = offset + length;
    }
    assert.equal(end, text.length);
  });

  it('tells version and date of the entry', () => {
    const reported = new Map(drafts.slice(1).map(({ version, date }) => [version, date]));
    assert.equal(drafts[0]?.version, null);
    assert.deepEqual(
      [...reported],
      [
        ['2.0.0', '2026-03-01T00:00:00.000Z'],
        ['1.1.0', '2026-01-05T00:00:00.000Z'],
        ['1.0.0', null],
      ],
    );
  });

  it('a part of a split section begins at the heading of its section', () => {
    const parts = drafts.filter(({ version, offset }) => version === '2.0.0' && offset > at('2.0.0'));
    assert.ok(parts.length >= 2);
    for (const { startsAt } of parts) assert.equal(startsAt, at('2.0.0'));
  });

  it('parts of the last section begin where they are, because a slice may begin there', () => {
    const tail = draftsOf(`## 1.0.0\n\n${long}`);
    assert.ok(tail.length > 1);
    for (const { offset, startsAt } of tail) assert.equal(startsAt, offset);
  });

  it('parts of a long preamble begin at 0', () => {
    const preamble = draftsOf(`${long}\n## 1.0.0\n- x\n`);
    assert.deepEqual([...new Set(preamble.slice(0, -1).map(({ startsAt }) => startsAt))], [0]);
  });

  it('begins where a slice begins exactly, for any text', () => {
    const line = fc.constantFrom(
      '# A\n',
      '## 1.0.0\n',
      '### Fixed\n',
      '- point\n',
      '```\n',
      '\n',
      `${'word '.repeat(90)}\n`,
      '🚀'.repeat(300),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const any = lines.join('');
        const headings = headingOffsets(any);
        for (const { offset, length, startsAt } of draftsOf(any)) {
          assert.equal(sliceByChars(any, headings, { offset: startsAt, limit: 10 }).offset, startsAt);
          assert.ok(startsAt <= offset && length > 0);
        }
      }),
    );
  });

  it('the hash follows text and heading, not the place', () => {
    const moved = draftsOf(text.replace('# Changelog\n', `# Changelog\n\n## 3.0.0\n\n${bullets(20, 'New')}`));
    const hashes = new Set(moved.map(({ textHash }) => textHash));
    const same = drafts.filter(({ textHash }) => hashes.has(textHash));
    assert.equal(same.length, drafts.length - 1);
  });
});
