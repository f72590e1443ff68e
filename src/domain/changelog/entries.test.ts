import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseChangelog } from './entries.ts';
import type { ChangelogEntry } from './types.ts';

const now = new Date('2024-06-01T00:00:00Z');

function parse(text: string, names: readonly string[] = ['Acme', 'React', '@acme/core']): ChangelogEntry[] {
  return parseChangelog(text, { names, now });
}

// `version day`, with `-` for what an entry does not state.
function summary(text: string): string[] {
  return parse(text).map(({ version, date }) => `${version ?? '-'} ${date?.at.slice(0, 10) ?? '-'}`);
}

describe('parseChangelog: the table of the contract', () => {
  const rows: readonly [line: string, expected: string[]][] = [
    ['## [1.4.0] - 2024-02-01', ['1.4.0 2024-02-01']],
    ['## [1.4.0](https://x/compare/v1.3.0...v1.4.0) (2024-02-01)', ['1.4.0 2024-02-01']],
    ['# v2.0.0-beta.3 / February 1st, 2024', ['2.0.0-beta.3 2024-02-01']],
    ["## 2024-02-01, Version 20.11.0 'Iron' (LTS), @someone", ['20.11.0 2024-02-01']],
    ['**1.2.3** (1 Feb 2024)', ['1.2.3 2024-02-01']],
    ['1.2.3 / 2024-02-01\n====', ['1.2.3 2024-02-01']],
    ['## @acme/core@3.1.0', ['3.1.0 -']],
    ['### React 18.2.0 (June 14, 2022)', ['18.2.0 2022-06-14']],
    ['## 0.9\n_Released 2024-02-01_', ['0.9 2024-02-01']],
    ['## Version 5', ['5 -']],
    ['## February 1, 2024', ['- 2024-02-01']],
    ['## [Unreleased]', []],
    ['## Upgrading to Node 20', []],
    ['## 3 new features', []],
    ['```\n# 1.2.3\n```', []],
  ];
  for (const [line, expected] of rows) {
    it(line.replaceAll('\n', ' ⏎ '), () => assert.deepEqual(summary(`${line}\n\n- a change\n`), expected));
  }

  it('keeps the package apart from the version', () => {
    const [entry] = parse('## @acme/core@3.1.0\n');

    assert.equal(entry?.packagePart, '@acme/core');
  });
});

describe('the version of a heading', () => {
  const rows: readonly [heading: string, version: string | null, packagePart?: string][] = [
    ['v1.2.3', '1.2.3'],
    ['V1.2', '1.2'],
    ['`1.2.3`', '1.2.3'],
    ['**1.2.3**', '1.2.3'],
    ['[1.2.3][]', '1.2.3'],
    ['[1.2.3][diff]', '1.2.3'],
    ['<a id="1-2-3"></a>1.2.3', '1.2.3'],
    ['![logo](x.png) 1.2.3', '1.2.3'],
    ['🎉 1.2.3 🎉', '1.2.3'],
    [':tada: 1.2.3', '1.2.3'],
    ['1\\.2\\.3', '1.2.3'],
    ['1.2.3:', '1.2.3'],
    ['1.2.3 ##', '1.2.3'],
    ['[2.0.0]! - 2016-09-30', '2.0.0'],
    ['1.0.0-beta.7(Dec 21, 2017)', '1.0.0-beta.7'],
    ['1.2.0/2024-02-01', '1.2.0'],
    ['1.2.3(LTS)', '1.2.3'],
    ['2.0.5 (beta)', '2.0.5'],
    ['1.2.3 "Falcon"', '1.2.3'],
    ['1.2.3 | 1.2.4', '1.2.3'],
    ['1.2.3,1.2.2', '1.2.3'],
    ['1.2.3, 1.2.2', '1.2.3'],
    ['Release 4.2.0-rc.1', '4.2.0-rc.1'],
    ["What's new in 2.4", '2.4'],
    ['January 2024 (version 1.86)', '1.86'],
    ['acme-2.1.0', '2.1.0', 'acme'],
    ['acme@2.1.0-rc.1', '2.1.0-rc.1', 'acme'],
    ['other@2.1.0', '2.1.0', 'other'],
    ['20240115', '20240115'],
    ['2.4.x', null],
    ['S3', null],
    ['i18n', null],
    ['HTTP/1.1', null],
    ['other-2.1.0', null],
    ['Fixes included since 4.0.0-rc.2', null],
    ['One two three four five v1.2.3', null],
    ['2. Enhancements', null],
  ];
  for (const [heading, version, packagePart] of rows) {
    it(heading, () => {
      const [entry] = parse(`## ${heading}\n\n- a change\n`);

      assert.equal(entry?.version ?? null, version);
      if (version !== null) assert.equal(entry?.packagePart, packagePart ?? null);
    });
  }
});

describe('the date of an entry', () => {
  const rows: readonly [text: string, day: string | null][] = [
    ['## 1.0 (20240201)', '2024-02-01'],
    ['## 1.0 (2024.02.01)', '2024-02-01'],
    ['## 1.0 - January 2024', '2024-01-01'],
    ['## 1.0\n\n2024-02-01\n', '2024-02-01'],
    ['## 1.0\n\n*Feb 1, 2024*\n', '2024-02-01'],
    ['## 1.0\n> Release date: 1 Feb 2024', '2024-02-01'],
    ['## 1.0\n**Published:** 2024-02-01', '2024-02-01'],
    ['## 1.0\nDate: 2024-02-01', '2024-02-01'],
    ['## 1.0\n### 2024-02-01\n\ntext', '2024-02-01'],
    ['## 1.0\n**2024-02-01**\n\ntext', '2024-02-01'],
    ['## 1.0 (2024-02-01)\nReleased 2024-03-01', '2024-02-01'],
    ['## 1.0\n- fixed the bug of 2024-02-01', null],
    ['## 1.0\ntext\n2024-02-01', null],
    ['## 1.0\nDated browsers are gone since 2024-02-01', null],
    ['## 1.0 (TBA soon)', null],
    ['## 1.0 (2024-02-30)', null],
    ['## 1.0 (2031-01-01)', null],
  ];
  for (const [text, day] of rows) {
    it(text.replaceAll('\n', ' ⏎ '), () => {
      const entries = parse(text);

      assert.equal(entries.length, 1);
      assert.equal(entries[0]?.date?.at.slice(0, 10) ?? null, day);
    });
  }

  it('reads 03/04 as the rest of the document writes its dates', () => {
    assert.deepEqual(summary('## 1.1 (03/04/2024)\n\n## 1.0 (15/01/2024)\n'), ['1.1 2024-04-03', '1.0 2024-01-15']);
    assert.deepEqual(summary('## 1.1 (03/04/2024)\n\n## 1.0 (01/15/2024)\n'), ['1.1 2024-03-04', '1.0 2024-01-15']);
  });

  it('does not take the date of the entry that follows', () => {
    assert.deepEqual(summary('## 1.0\n\n## 2024-02-01\n\ntext\n'), ['1.0 -', '- 2024-02-01']);
  });
});

describe('entries without version', () => {
  it('are named by their first sub-heading', () => {
    const [entry] = parse('## February 1, 2024\n\nIntro.\n\n### A new dashboard\n\nText.\n\n### More\n');

    assert.equal(entry?.title, 'A new dashboard');
    assert.equal(entry?.version, null);
    assert.match(entry?.body ?? '', /^Intro\.\n\n### A new dashboard\n/);
  });

  it('are named by a bold line too', () => {
    assert.equal(parse('## 2024-02-01\n\n**Faster sync**\n\nText.\n')[0]?.title, 'Faster sync');
  });

  it('are named by the date as written when nothing else names them', () => {
    assert.equal(parse('## February 1st, 2024\n\n- a change\n')[0]?.title, 'February 1st, 2024');
  });

  it('keep the words of their own heading', () => {
    assert.equal(parse('## March 2024 Update\n\n### Sync\n')[0]?.title, 'March 2024 Update');
  });

  it('are not made from dates inside the section of a version', () => {
    assert.deepEqual(summary('## 2.0.0\n\ntext\n\n### Plan\n\n#### 2024-03-01\n\ntext\n'), ['2.0.0 -']);
  });
});

describe('titles', () => {
  it('leave the date out', () => {
    const titles = parse('## [1.4.0] - 2024-02-01\n\n### React 1.3.0 (June 14, 2022)\n').map(({ title }) => title);

    assert.deepEqual(titles, ['1.4.0', 'React 1.3.0']);
  });

  it('stay whole in heading', () => {
    assert.equal(parse('## [1.4.0](https://x) - 2024-02-01 🎉\n')[0]?.heading, '1.4.0 - 2024-02-01');
  });
});

describe('unreleased work', () => {
  for (const heading of [
    'Unreleased',
    '[Unreleased]',
    '[Master (Unreleased)](https://x)',
    'not yet released',
    'Upcoming',
    'Next',
    'next release',
    'TBD',
    'WIP',
    'HEAD',
    'main',
    'master',
    'Unreleased - 2024-02-01',
    '2.0.0 (unreleased)',
    '2.0.0 - TBD',
    'v2.0.0 WIP',
    '[Unreleased] 2.0.0',
  ]) {
    it(`${heading} ends the entry above and starts none`, () => {
      const entries = parse(`## 1.0.0\n\nfirst\n\n#### ${heading}\n\nlater\n`);

      assert.deepEqual(
        entries.map(({ version, body }) => [version, body]),
        [['1.0.0', 'first']],
      );
    });
  }

  it('is not seen in names and channels', () => {
    assert.deepEqual(summary('## 15.0.0-next.1\n\n## 4.0.0 (next)\n\n## 1.0.0 - Upcoming features explained\n'), [
      '15.0.0-next.1 -',
      '4.0.0 -',
      '1.0.0 -',
    ]);
  });
});

describe('groups', () => {
  const rows: readonly [name: string, text: string, expected: string[]][] = [
    ['a series over its releases', '# 18.x\n\n## 18.2.0\n\na\n\n## 18.1.0\n\nb\n', ['18.2.0 -', '18.1.0 -']],
    ['fewer numbers over more', '# Version 18\n## 18.2\n### 18.2.1\n\na\n', ['18.2.1 -']],
    ['text makes it an entry', '## 2.2\n\nIntro.\n\n### 2.2.1\n\na\n', ['2.2 -', '2.2.1 -']],
    ['as many numbers: an empty entry', '## 2.2.0\n### 2.1.2\n\na\n', ['2.2.0 -', '2.1.2 -']],
    ['the same level', '## 2.2\n## 2.1.2\n\na\n', ['2.2 -', '2.1.2 -']],
    ['a link to more', '## 2.2 (full changelog)\n\nIntro.\n\n### 2.2.1\n\na\n', ['2.2 -', '2.2.1 -']],
    ['the title of the file', '# Acme 2 Changelog\n\nIntro.\n\n## Notes\n\n## 2.1.0\n\na\n', ['2.1.0 -']],
    [
      'a date over versions dates them',
      '## 2024-02-01\n\n### 1.1.0\n\na\n\n### acme@2.0.0\n\nb\n\n## 0.9\n\nc\n',
      ['1.1.0 2024-02-01', '2.0.0 2024-02-01', '0.9 -'],
    ],
    [
      'a version over several dates',
      '# Version 2\n\n## 2024-02-01\n\na\n\n## 2024-01-15\n\nb\n',
      ['- 2024-02-01', '- 2024-01-15'],
    ],
  ];
  for (const [name, text, expected] of rows) {
    it(name, () => assert.deepEqual(summary(text), expected));
  }

  it('a lone number inside a version is a part of it', () => {
    assert.deepEqual(summary('## 2.0.0\n\ntext\n\n### v2 API\n\ntext\n\n**v1 users**\n\ntext\n'), ['2.0.0 -']);
  });
});

describe('yanked', () => {
  it('is reported and not shown', () => {
    const entries = parse('## [0.0.5] - 2023-08-13 [YANKED]\n\n- a\n\n## [0.0.4][YANKED]\n\n## 0.0.3\n');

    assert.deepEqual(
      entries.map(({ version, title, yanked }) => [version, title, yanked]),
      [
        ['0.0.5', '0.0.5', true],
        ['0.0.4', '0.0.4', true],
        ['0.0.3', '0.0.3', false],
      ],
    );
  });
});

describe('parseChangelog: headings as they are found', () => {
  const around = (heading: string) => `# Log\n\n## 2.0.0\n\n- x\n\n${heading}\n\n- a\n\n## 0.9.0\n\n- b\n`;
  const rows: readonly [heading: string, expected: string[]][] = [
    ['## 2.6.12 [LEGACY] - 2020.11.26', ['2.6.12 2020-11-26']],
    ['1.21.0 / 2015-10-26 **contains security fix**', ['1.21.0 2015-10-26']],
    ['**1.21.0 / 2015-10-26** **contains security fix**', ['1.21.0 2015-10-26']],
    ['**1.21.0** (2015-10-26) [security]', ['1.21.0 2015-10-26']],
    ['## [1.5.0-1] Prerelease (2020-01-05)', ['1.5.0-1 2020-01-05']],
    ['## 1.5.0-2 nightly', ['1.5.0-2 -']],
    ['## 1.0.1, 1.0.2', ['1.0.1 -', '1.0.2 -']],
    ['1.0.1, 1.0.2, 1.0.3, 1.0.4', ['1.0.1 -', '1.0.2 -', '1.0.3 -', '1.0.4 -']],
    ['## 1.0.1; 1.0.2', ['1.0.1 -', '1.0.2 -']],
    ['## 1.0.1 + 1.0.2', ['1.0.1 -', '1.0.2 -']],
    ['## 1.0.1 through 1.0.3', ['1.0.1 -', '1.0.3 -']],
    ['## 1.0.1, 1.0.2 Patch releases', ['1.0.1 -', '1.0.2 -']],
    ['## 1.0.1 (2015-01-01), 1.0.2 (2015-01-02)', ['1.0.1 2015-01-01', '1.0.2 2015-01-01']],
    ['## 1.0.1+build.5', ['1.0.1+build.5 -']],
    ['##### 1.5.0', []],
    ['1.21.0 was released on 2015-10-26 and has a security fix for everyone', []],
  ];
  for (const [heading, expected] of rows) {
    it(heading, () => assert.deepEqual(summary(around(heading)), ['2.0.0 -', ...expected, '0.9.0 -']));
  }

  it('deep ones are entries in a file that has no others', () => {
    const text = '# Log\n\n##### 2.6.12 [LEGACY] - 2020.11.26\n\n- a\n\n##### Notes\n\n- b\n\n##### 2.6.11\n\n- c\n';
    assert.deepEqual(summary(text), ['2.6.12 2020-11-26', '2.6.11 -']);
    assert.equal(parse(text)[0]?.body, '- a\n\n##### Notes\n\n- b');
  });

  it('keep names that only look like emphasis', () => {
    const titles = [
      '__proto__ in 1.3.0',
      'Keys of `__proto__` in 1.2.0',
      '__Fixes__ in 1.1.0',
      '1.0.0 \\_\\_proto\\_\\_',
    ];
    const text = titles.map((title) => `## ${title}\n\n- Use __proto__ in @each\n`).join('\n');
    assert.deepEqual(
      parse(text).map(({ title }) => title),
      ['__proto__ in 1.3.0', 'Keys of __proto__ in 1.2.0', 'Fixes in 1.1.0', '1.0.0 __proto__'],
    );
    assert.ok(parse(text).every(({ body }) => body === '- Use __proto__ in @each'));
  });
});
