import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinear, repeated } from '../../../test/support/growth.ts';
import { parseChangelog } from './entries.ts';

const now = new Date('2026-11-01T00:00:00Z');

function parse(text: string, names: readonly string[] = ['acme']) {
  return parseChangelog(text, { names, now });
}

// `version day`, with `-` for what an entry does not state.
function brief(text: string, names?: readonly string[]): string[] {
  return parse(text, names).map(({ version, date }) => `${version ?? '-'} ${date?.at.slice(0, 10) ?? '-'}`);
}

function bodies(text: string): Record<string, string> {
  return Object.fromEntries(parse(text).map(({ version, body }) => [version, body]));
}

describe('headings of changelogs', () => {
  const table: [string, string, string[]][] = [
    [
      'a bold version with small print and links',
      '**1.2.0** <small>_Jun 07, 2020_</small> - [Diff](https://x/a...b)\n- a',
      ['1.2.0 2020-06-07'],
    ],
    [
      'an unbalanced mark',
      '**5.9.3 / 2026-06-19*\n- a\n\n**5.9.2 / 2026-05-01**\n- b',
      ['5.9.3 2026-06-19', '5.9.2 2026-05-01'],
    ],
    ['a no-break space after the marks', '##\u00a01.1.0\n\n- a', ['1.1.0 -']],
    [
      'plain lines above other headings',
      '1.25.0 / 2022-09-21\n\n* a\n\n1.24.0 / 2022-09-18\n===================\n\n* b',
      ['1.25.0 2022-09-21', '1.24.0 2022-09-18'],
    ],
    ['a plain line with the name of the package', '## 2.0.0\n\n- a\n\nacme 1.9.0\n\n- b', ['2.0.0 -', '1.9.0 -']],
    ['no plain line that says more', '## 2.0.0\n\n1.9.0 is the last one with it\n\n- b', ['2.0.0 -']],
    [
      'requirements and other programs',
      '## 2.0.0\n\n#### [Node.js](https://x) (>= v13.2.0 or with a flag)\n\n#### Swagger 2.0 compliant\n\n## 1.0.0',
      ['2.0.0 -', '1.0.0 -'],
    ],
    [
      'more words inside of another entry',
      '## 0.7\n\n#### 0.6 regression fixes\n\n- a\n\n## 0.6\n',
      ['0.7 -', '0.6 -'],
    ],
    [
      'more words above the usual level',
      '## 2.3.0\n\n- a\n\n# 2.3.0 in overview\n\nb\n\n## 2.2.0\n',
      ['2.3.0 -', '2.2.0 -'],
    ],
    [
      'a code name',
      '## 2.3.0\n\n# 2.0.0 cosmic-thing (2024-02-01)\n\n## 1.0.1\n',
      ['2.3.0 -', '2.0.0 2024-02-01', '1.0.1 -'],
    ],
    ['a date below a comment', '## 1.0.0\n\n<!-- x -->\n\n2024-02-01\n', ['1.0.0 2024-02-01']],
    [
      'a dotted date in front',
      '2022.01.26 Version 1.4.14\n=====\n\n* a\n\n2022.01.12 Version 1.4.13\n======\n',
      ['1.4.14 2022-01-26', '1.4.13 2022-01-12'],
    ],
    [
      'parts of other packages',
      '# 10.4.0\n\n#### part-support v4.0.5\n\n- a\n\n### @acme/other 3.0.0\n\n- b\n\n# 10.3.0\n',
      ['10.4.0 -', '10.3.0 -'],
    ],
    [
      'a list of other files',
      '## Acme 4\n\n| Document |\n| --- |\n| [4.2.1](log/4.2.1.md) |\n| [4.2.0](log/4.2.0.md) |\n',
      [],
    ],
    ['a release whose notes are in another file', '## 2.0.0\n\nSee [MIGRATION.md](MIGRATION.md)\n', ['2.0.0 -']],
  ];
  for (const [name, text, expected] of table) it(name, () => assert.deepEqual(brief(text), expected));
});

describe('several versions in one heading', () => {
  const table: [string, string[]][] = [
    ['## 5.1.0 / 4.4.0\n\n- a', ['5.1.0 -', '4.4.0 -']],
    ['## 5.0.1/5.0.2 (2024-02-01)\n\n- a', ['5.0.1 2024-02-01', '5.0.2 2024-02-01']],
    ['## 2.9.11/12\n\n- a', ['2.9.11 -', '2.9.12 -']],
    ['## Version 1.0.4-1.0.5\n\n- a', ['1.0.4 -', '1.0.5 -']],
    ['## 0.17.0 | 0.17.1 (Nov 08, 2016)\n\n- a', ['0.17.0 2016-11-08', '0.17.1 2016-11-08']],
    ['## 1.2.3 / 2024-02-01\n\n- a', ['1.2.3 2024-02-01']],
    ['## v0.9.18-137 / beta-18 (2013-01-30)\n\n- a', ['0.9.18-137 2013-01-30']],
    ['## 3.2.9\n\n## 3.2.6-8\n\n- a', ['3.2.9 -', '3.2.6 -', '3.2.7 -', '3.2.8 -']],
    ['## 3.2.7\n\n## 3.2.6-8\n\n- a', ['3.2.7 -', '3.2.6-8 -']],
    ['## 3.2.9\n\n## 3.2.6-8\n\n## 3.2.5-2\n', ['3.2.9 -', '3.2.6-8 -', '3.2.5-2 -']],
    ['## 2.52\n\n## 2.49-51\n', ['2.52 -', '2.49 -', '2.50 -', '2.51 -']],
  ];
  for (const [text, expected] of table) {
    it(JSON.stringify(text), () => {
      assert.deepEqual(brief(text), expected);
      assert.equal(
        new Set(
          parse(text)
            .map(({ body }) => body)
            .filter(Boolean),
        ).size <= 1,
        true,
      );
    });
  }
});

describe('a version that is headed twice', () => {
  it('is one release with all of its text', () => {
    assert.deepEqual(bodies('## 4.0\n\n- a\n\n## 3.0.0\n\n- b\n\n## 4.0.0\n\n- c\n'), {
      '4.0.0': '- a\n\n- c',
      '3.0.0': '- b',
    });
  });

  it('stores equal texts once', () => {
    assert.deepEqual(bodies('## 1.0.0\n\n- a\n\n## 1.0.0\n\n-  a\n'), { '1.0.0': '- a' });
  });

  it('takes date and address from the usual level, then from the dated heading', () => {
    const text = '### 1.1.0\n\n- a\n\n## 1.1.0 (2024-02-01)\n\n- b\n\n## 1.0.0\n';
    const [first] = parse(text);

    assert.deepEqual([first?.date?.at.slice(0, 10), first?.anchor, first?.joined], ['2024-02-01', '110-2024-02-01', 2]);
  });

  it('is two releases where builds or packages differ', () => {
    assert.deepEqual(brief('## 1.0.0+a\n\n## 1.0.0+b\n\n## @x/a@2.0.0\n\n## @x/b@2.0.0\n').length, 4);
  });
});

describe('levels and lists', () => {
  it('reads a heading with words at the level of its neighbours', () => {
    const text =
      '## 12.0.0\n\n- a\n\n## 11.0.0\n\n- b\n\n## 10.0.0\n\n- c\n\n# 9.1.0\n\n- d\n\n# 9.0.0 - Core dependency & urls\n\n' +
      '- e\n\n### Acme Product v5.0.2\n\n- f\n\n# 8.0.0\n\n- g\n';

    assert.deepEqual(
      parse(text).map(({ version }) => version),
      ['12.0.0', '11.0.0', '10.0.0', '9.1.0', '9.0.0', '8.0.0'],
    );
    assert.equal(bodies(text)['9.0.0'], '- e\n\n### Acme Product v5.0.2\n\n- f');
  });

  it('takes no list of files for a release, whatever sentence introduces it', () => {
    const text =
      '# Logs\n\n## Acme 3\n\nAll logs of Acme 3 stand below.\n\n| Version | Date |\n| --- | --- |\n' +
      '| [3.1](logs/3.1.md) | 23rd May 2025 |\n| [3.0](logs/3.0.md) | 1st May 2025 |\n\nAsk us.\n';

    assert.deepEqual(parse(text), []);
  });
});

describe('the text of a release', () => {
  it('holds sections at its own level and above while another entry follows', () => {
    assert.equal(
      bodies('## 5.7.0\n\n## Fixes\n\n- a\n\n# Server\n\n- b\n\n## 5.6.0\n')['5.7.0'],
      '## Fixes\n\n- a\n\n# Server\n\n- b',
    );
  });

  it('is not cut by an empty heading', () => {
    assert.equal(
      bodies('### 17.6.0\n\n- a\n\n#\n\n### Premium\n\n- b\n')['17.6.0'],
      '- a\n\n#\n\n### Premium\n\n- b'.split('\n\n### ')[0],
    );
    assert.match(bodies('### 17.6.0\n\n- a\n\n#\n\n- b\n\n### 17.5.0\n')['17.6.0'] ?? '', /- b$/);
  });

  it('leaves the anchor of the next release to it', () => {
    assert.equal(bodies('## 1.1.0\n\n- a\n\n<a name="1.0.0"></a>\n\n## 1.0.0\n\n- b\n')['1.1.0'], '- a');
  });

  it('goes on below a fence that is never closed', () => {
    const text = '## 1.2.0\n\n```js\na()\n\n## 1.1.0\n\n- b\n\n## 1.0.0\n\n```js\nc()\n```\n';
    assert.deepEqual(Object.keys(bodies(text)), ['1.2.0', '1.1.0', '1.0.0']);
  });
});

describe('files of a release plan', () => {
  const plan =
    '# Log\n\n## Release (2026-09-21)\n\n* @acme/tool 2.0.0 (major)\n* acme 7.3.0 (minor)\n\n#### Fixes\n- a\n\n## Release (2026-08-17)\n\n* other 1.0.0 (patch)\n';

  it('take the version of this package, and none where it is not named', () => {
    assert.deepEqual(brief(plan), ['7.3.0 2026-09-21', '- 2026-08-17']);
    assert.deepEqual(brief(plan, ['@acme/tool']), ['2.0.0 2026-09-21', '- 2026-08-17']);
  });
});

describe('files that are data', () => {
  it('have their versions as keys', () => {
    const text =
      'v1.10:\n  date: 2018-05-12\n  changes:\n    - Update `a`\n    - "Quoted: b"\nv1.0.1:\n  date: 2018-04-20\n  changes:\n    - c\n';
    assert.deepEqual(brief(text), ['1.10 2018-05-12', '1.0.1 2018-04-20']);
    assert.deepEqual(bodies(text)['1.10'], '- Update `a`\n- Quoted: b');
  });

  it('have their versions as records, or below a name', () => {
    assert.deepEqual(
      brief('- version: 2.0.0\n  date: 2024-02-01\n  notes: |\n    One\n    Two\n- version: 1.0.0\n  added: [a, b]\n'),
      ['2.0.0 2024-02-01', '1.0.0 -'],
    );
    assert.equal(
      bodies('releases:\n  1.0.0:\n    release_date: "2024-02-01"\n    changes:\n      bugfixes:\n        - a\n')[
        '1.0.0'
      ],
      '- bugfixes:\n  - a',
    );
    assert.equal(bodies('- version: 1.0.0\n  added: [a, b]\n')['1.0.0'], '### Added\n\n- a\n- b');
  });

  it('are read as text when they are not what they seem', () => {
    assert.deepEqual(brief('## 1.0.0\n\nversion: 2.0.0\n'), ['1.0.0 -']);
    assert.deepEqual(brief('v1.0.0: *a\n&a b\n'), []);
  });
});

describe('a file of headings that cost much', () => {
  const units = [
    '1.0.0\n\n',
    '## 1.2.3 - 1.2.4\n',
    '1/',
    '1.1/',
    '**1.0.0 x',
    'v1.0.0:\n',
    'version: 1\n',
    '<a name="x"></a>\n',
    '## 1.0 a\n',
    '*a:',
    '1.0,',
    '```js\n\n## 1.0.0\n\n',
  ];
  for (const unit of units) {
    it(`costs what its length does on ${JSON.stringify(unit)}`, () => {
      assertLinear((text: string) => assert.ok(parse(text).length < 0.3 * text.length), repeated(unit));
    });
  }
});
