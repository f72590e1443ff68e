import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinear, repeated } from '../../../test/support/growth.ts';
import { type ChangelogFormat, parseChangelog } from './entries.ts';

const now = new Date('2026-11-01T00:00:00Z');

function parse(text: string, format?: ChangelogFormat) {
  return parseChangelog(text, { names: ['acme'], now, ...(format && { format }) });
}

function brief(text: string, format?: ChangelogFormat): string[] {
  return parse(text, format).map(({ version, date }) => `${version} ${date?.at.slice(0, 10) ?? '-'}`);
}

describe('headings that are sentences', () => {
  const table: [heading: string, version: string | null][] = [
    ['Changes in Acme 6.0', '6.0'],
    ['Changes in Acme 6', '6'],
    ['What is new in Acme 2.0.0', '2.0.0'],
    ["What's new in version 3", '3'],
    ['What’s new in v3?', '3'],
    ['New features in 3.0', '3.0'],
    ['Breaking changes in version 4', '4'],
    ['Bugs fixed in 2.0.1', '2.0.1'],
    ['Release notes for Other Name 3.2.0', '3.2.0'],
    ['Changes from 1.0 to 2.0', '2.0'],
    ['Changes between Acme 1.9 and Acme 2.0:', '2.0'],
    ['Changes to 1.2 (the quick one)', '1.2'],
    ['ver 0.9.10', '0.9.10'],
    ['Pre-release 1.0.0-1', '1.0.0-1'],
    ['Beta 1.0.0', '1.0.0'],
    ['1.0.0 (Beta 2)', '1.0.0 Beta 2'],
    ['1.0.0 Release Candidate 3', '1.0.0 rc 3'],
    ['1.0.0 (beta)', '1.0.0'],
    ['Changes in Acme 4.x', null],
    ['Changes since 1.0.0', null],
    ['Changes in Node 20.1', null],
    ['What is new in 2024', null],
    ['What is new in small words 2.0', null],
    ['In 4.0, use stop() instead', null],
    ['1.3.0 and later', null],
  ];
  for (const [heading, version] of table) {
    it(`${heading}: ${version}`, () => {
      assert.deepEqual(
        parse(`## ${heading}\n\n- a\n`).map((entry) => entry.version),
        version === null ? [] : [version],
      );
    });
  }

  it('are read as often as the file has them', () => {
    const text =
      '# Changes in Foo 6.0\n\nIn 4.0, use stop() instead:\n\n- a\n\n# Changes in Foo 5.0\n\n1.0 was the first:\n\n- b\n';
    assert.deepEqual(
      parse(text).map(({ version, body }) => [version, body]),
      [
        ['6.0', 'In 4.0, use stop() instead:\n\n- a'],
        ['5.0', '1.0 was the first:\n\n- b'],
      ],
    );
  });

  it('are parts where they are about another product than the file', () => {
    assert.deepEqual(brief('## 3.0.0\n\n- a\n\n## Changes in Other 9.1\n\n- b\n\n## 2.0.0\n\n- c\n'), [
      '3.0.0 -',
      '2.0.0 -',
    ]);
    assert.deepEqual(brief('## 3.0.0\n\n- a\n\n### Changes in 2.9\n\n- b\n\n## 2.0.0\n\n- c\n'), [
      '3.0.0 -',
      '2.0.0 -',
    ]);
  });
});

describe('prose', () => {
  const lines = [
    'In 4.0, use stop() instead:',
    'Version 3 is the last one',
    'See v2.0.1 for more',
    'Version 1.2 has no tests',
    'When 2.0 is out:',
  ];
  for (const line of lines) {
    it(`is no release in plain text: ${line}`, () => assert.deepEqual(brief(`Notes\n\n${line}\n\n- a\n`, 'text'), []));
  }

  it('is no release in a file whose headings hold versions', () => {
    assert.deepEqual(brief('# Changes since 5.1\n\nacme 4.0 stops the old server\n\n- a\n'), []);
    assert.deepEqual(brief('# Changelog of Acme 4.x\n\nacme 4.0 stops the old server\n\n- a\n'), ['4.0 -']);
  });

  it('may stand behind the version of a heading', () => {
    assert.deepEqual(brief('Acme 1.1 is out\n\n- a\n\n1.0.0 first public release\n\n- b\n', 'text'), [
      '1.1 -',
      '1.0.0 -',
    ]);
  });
});

describe('a date on the next line', () => {
  const beta = '2.0.0-beta.1';
  const shapes = [
    (version: string, date: string) => `## ${version}\n${date}\n\n- a\n\n`,
    (version: string, date: string) => `${version}\n${date}\n---\n\n- a\n\n`,
    (version: string, date: string) => `${version}\n${date}\n\n- a\n\n`,
    (version: string, date: string) => `## ${version}\n\n## ${date}\n\n- a\n\n`,
    (version: string, date: string) => `**${version}**\n**${date}**\n\n- a\n\n`,
    (version: string, date: string) => `# Pre-release ${version}\n### ${date}\n\n- a\n\n`,
  ];
  for (const shape of shapes) {
    const text = shape(beta, 'March 4, 2019') + shape('1.0.0', 'February 4, 2018');
    it(JSON.stringify(shape(beta, 'March 4, 2019')), () => {
      assert.deepEqual(brief(text), [`${beta} 2019-03-04`, '1.0.0 2018-02-04']);
    });
  }
});

describe('a file of sentences', () => {
  for (const unit of [
    '# Changes from 1.0 to 2.0\n',
    '## What is new in Foo 1.0.0\n',
    '1.0.0\n2019-03-04\n\n',
    'In 4.0 x\n\n',
  ]) {
    it(`costs what its length does on ${JSON.stringify(unit)}`, () => {
      assertLinear((text: string) => assert.ok(parse(text).length < 0.3 * text.length), repeated(unit));
    });
  }
});
