import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ChangelogFormat, parseChangelog, readChangelogText } from './entries.ts';

const now = new Date('2024-06-01T00:00:00Z');

// `level version day` for each entry.
function summary(text: string, format?: ChangelogFormat): string[] {
  return parseChangelog(text, { names: ['acme'], now, ...(format && { format }) }).map(
    ({ level, version, date }) => `${level} ${version ?? '-'} ${date?.at.slice(0, 10) ?? '-'}`,
  );
}

describe('markdown headings', () => {
  it('are ATX of level 1 to 4', () => {
    assert.deepEqual(summary('# 1.4.0\n## 1.3.0\n   ### 1.2.0\n#### 1.1.0 ####\n##### 1.0.0\n    # 0.9.0\n#0.8.0\n'), [
      '1 1.4.0 -',
      '2 1.3.0 -',
      '3 1.2.0 -',
      '4 1.1.0 -',
    ]);
  });

  it('are setext of both levels', () => {
    assert.deepEqual(summary('Changes\n=======\n\n1.1.0 / 2024-02-01\n---\n\n  * a\n\n1.0.0\n------\n- b\n'), [
      '2 1.1.0 2024-02-01',
      '2 1.0.0 -',
    ]);
  });

  it('are not made by a rule below a paragraph, a list or a table', () => {
    assert.deepEqual(summary('# Log\n\nSome text\n1.2.3 is old\n---\n\n- 1.1.0\n---\n\n| 1.0.0 |\n---\n'), []);
  });

  it('are HTML h1 to h4, also over several lines', () => {
    assert.deepEqual(
      summary('<h2 id="a">1.1.0 <small>2024-02-01</small></h2>\n<p>a</p>\n\n<h3>\n  1.0.0\n</h3>\n\n<h5>0.9.0</h5>\n'),
      ['2 1.1.0 2024-02-01', '3 1.0.0 -'],
    );
  });

  it('are bold lines, which may hold sections of their own', () => {
    const text = '# Log\n\n**1.1.0 - 2024-02-01**\n\n### Added\n\n- a\n\n__[1.0.0](https://x)__:\n\n**Fixed**\n\n- b\n';
    const entries = parseChangelog(text, { names: [], now });

    assert.deepEqual(
      entries.map(({ level, version, body, anchor }) => [level, version, body, anchor]),
      [
        [2, '1.1.0', '### Added\n\n- a', null],
        [2, '1.0.0', '**Fixed**\n\n- b', null],
      ],
    );
  });

  it('are not lines that are bold in part', () => {
    assert.deepEqual(summary('**1.2.3** is the last version\n\n**1.2.3** and **1.2.4**\n\n- **1.0.0**\n'), []);
  });

  it('are not inside code, comments, front matter and list items', () => {
    const text = [
      '---',
      'date: 2024-02-01',
      '---',
      '',
      '## 1.1.0',
      '',
      '```md',
      '## 1.0.9',
      '```',
      '~~~~',
      '## 1.0.8',
      '~~~',
      '~~~~',
      '<!--',
      '## 1.0.7',
      '-->',
      '<pre>',
      '## 1.0.6',
      '</pre>',
      '- item',
      '  ## 1.0.5',
      '- ```',
      '  ## 1.0.4',
      '  ```',
      '',
      '## 1.0.0',
    ];

    assert.deepEqual(summary(text.join('\n')), ['2 1.1.0 -', '2 1.0.0 -']);
  });

  it('are found below a fence or comment that is never closed', () => {
    assert.deepEqual(summary('## 1.1.0\n\n```js\n\n<!-- draft\n\n## 1.0.0\n'), ['2 1.1.0 -', '2 1.0.0 -']);
  });

  it('are found in files with a byte order mark and with other line ends', () => {
    const [first, second] = parseChangelog('\ufeff## 1.1.0\r\n\r\n- a\r\n- b\r\n\r\n## 1.0.0\r\n', { names: [], now });

    assert.deepEqual([first?.version, first?.body, first?.anchor], ['1.1.0', '- a\n- b', '110']);
    assert.deepEqual([second?.version, second?.offset], ['1.0.0', 25]);
  });
});

describe('reStructuredText', () => {
  const text = `.. currentmodule:: acme

=========
Changelog
=========

Version 1.1
-----------

Released 2024-02-01

-   A change.

.. code-block:: text

    0.9
    ---

1.0.1 (2024-01-15)
------------------

Fixes
~~~~~

-   Another.

0.5
--
`;

  it('has titles with adornments at least as long, overlined or not', () => {
    const expected = ['2 1.1 2024-02-01', '2 1.0.1 2024-01-15'];

    assert.deepEqual(summary(text, 'rst'), expected);
    assert.deepEqual(summary(text), expected);
  });

  it('keeps deeper titles in the body', () => {
    const [, entry] = parseChangelog(text, { names: [], now, format: 'rst' });

    assert.match(entry?.body ?? '', /^Fixes\n~~~~~\n\n- {3}Another\./);
  });

  it('takes any mark, and ranks styles in order of appearance', () => {
    assert.deepEqual(
      summary('Log\n###\n\n1.1.0\n^^^^^\n\na\n\n`1.0.0 <https://x>`_\n^^^^^^^^^^^^^^^^^^^^\n\nb\n', 'rst'),
      ['2 1.1.0 -', '2 1.0.0 -'],
    );
  });
});

describe('plain text', () => {
  it('has version lines between blank lines or on top of a list', () => {
    const text = 'Acme changes\n\nv1.2.0 - 2024-02-01\n\n  * a\n\nacme 1.1.0\n  - b\n1.0.0:\n  - c\n\n0.9\n\nFirst.\n';

    for (const format of ['text', 'markdown', undefined] as const) {
      assert.deepEqual(summary(text, format), ['2 1.2.0 2024-02-01', '2 1.1.0 -', '2 1.0.0 -', '2 0.9 -']);
    }
  });

  it('has no version lines inside paragraphs, indented, or in sentences', () => {
    assert.deepEqual(
      summary('text\n1.2.0\ntext\n\n  1.1.0\n\n1.0.0 is the version that we all had waited for\n', 'text'),
      [],
    );
  });

  it('has titles underlined with other marks', () => {
    assert.deepEqual(summary('1.1.0\n*****\n\n  a\n\n1.0.0\n=====\n\n  b\n', 'text'), ['1 1.1.0 -', '1 1.0.0 -']);
  });

  it('is read with more words only where a file has no headings', () => {
    assert.deepEqual(summary('## 2.0.0\n\nSince:\n\n1.9.0 has gone\n\ntext\n'), ['2 2.0.0 -']);
  });
});

describe('tables of versions', () => {
  it('are read when nothing else in the file is a version', () => {
    const text = [
      '# Changelog',
      '',
      '| Version | Date | Change |',
      '| ------- | ---- | ------ |',
      '| **1.2.0** | 2024-05-01 | Adds `a\\|b` |',
      '| [v1.1.0](https://acme.example) | 2024-04-01 | One<br/>Two |',
      '| later | | Nothing yet |',
      '',
    ].join('\n');
    const { entries, outside } = readChangelogText(text, { names: [], now });
    assert.deepEqual(
      entries.map(({ version, date, body }) => [version, date?.at.slice(0, 10), body]),
      [
        ['1.2.0', '2024-05-01', 'Adds `a|b`'],
        ['1.1.0', '2024-04-01', 'One\nTwo'],
      ],
    );
    assert.equal(outside.unread, '| later | | Nothing yet |'.length);
  });

  it('name the columns of a body that has several', () => {
    const [entry] = parseChangelog('Version | Added | Fixed\n--- | --- | ---\n1.0.0 | Hooks | Crash\n', {
      names: [],
      now,
    });
    assert.equal(entry?.body, '### Added\n\nHooks\n\n### Fixed\n\nCrash');
  });

  it('are text below the versions of headings, in code, and without a column of versions', () => {
    const table = '| Version | Change |\n| --- | --- |\n| 0.9.0 | Old |\n';
    assert.deepEqual(summary(`# 1.0.0\n\n${table}`), ['1 1.0.0 -']);
    assert.deepEqual(summary(`\`\`\`\n${table}\`\`\`\n`), []);
    assert.deepEqual(summary('| Node | Works |\n| --- | --- |\n| 18.0.0 | yes |\n'), []);
  });
});
