import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changelogSections, parseChangelog } from './entries.ts';

const now = new Date('2024-06-01T00:00:00Z');

function parse(text: string) {
  return parseChangelog(text, { names: ['Acme_CLI', 'Été'], now });
}

function bodies(text: string): string[] {
  return parse(text).map(({ body }) => body);
}

describe('the body of an entry', () => {
  it('reaches to the next entry', () => {
    assert.deepEqual(bodies('## 1.1.0\n\n### Added\n\n- a\n\n\n### 1.0.0\n- b'), ['### Added\n\n- a', '- b']);
  });

  it('holds sections of any level while another entry follows, and ends with the last entry', () => {
    assert.deepEqual(bodies('## 1.1.0\n\n- a\n\n# Server\n\n- c\n\n## 1.0.0\n\n- b\n\n# Older\n\ntext\n'), [
      '- a\n\n# Server\n\n- c',
      '- b',
    ]);
  });

  it('holds headings of its own level that name a kind of change', () => {
    assert.deepEqual(bodies('### 1.1.1\n\n### Bug Fixes\n\n- a\n\n## ⚠️ Breaking Changes\n\n- b\n\n## 1.1.0\n'), [
      '### Bug Fixes\n\n- a\n\n## ⚠️ Breaking Changes\n\n- b',
      '',
    ]);
  });

  it('keeps the indentation of its first line and drops blank lines around it', () => {
    assert.deepEqual(bodies('## 1.0.0\n \n\n    code\n\n \n'), ['    code']);
  });

  it('is empty for a bare list of versions', () => {
    assert.deepEqual(bodies('## 1.0.2\n\n## 1.0.1\n\n## 1.0.0'), ['', '', '']);
  });

  it('is not ended by a heading inside a list item', () => {
    assert.deepEqual(bodies('## 1.0.0\n\n- a\n\n  ## Guide\n\n  b\n- c\n'), ['- a\n\n  ## Guide\n\n  b\n- c']);
  });
});

describe('link references', () => {
  it('are resolved in spite of a single backtick in another entry', () => {
    const body = '- a ` b\n- [c] ` d\n\n[e] ` f';
    const resolved = '- a ` b\n- [c](https://c) ` d\n\n[e](https://e "E") ` f';
    assert.deepEqual(bodies(`## 1.0.0\n\n${body}\n\n[c]: https://c\n[e]: <https://e> 'E'\n`), [resolved]);
  });

  it('are resolved from anywhere in the file, and their definitions left out', () => {
    const text = [
      '[early]: https://x/early',
      '## [1.0.0]',
      '',
      '- See [the docs][Docs Page], [early][], [EARLY] and ![logo][pic].',
      '- `[early]` and \\[early] and [inline](https://y) and [unknown][nowhere] stay.',
      '- [![badge][pic]][early]',
      '',
      '```',
      '[early]',
      '[fenced]: https://x',
      '```',
      '',
      '[1.0.0]: https://x/compare',
      '[docs  page]: <https://x/a b> "Title"',
      '[pic]: p.png',
      '[early]: https://x/late',
      '[^1]: a note',
    ];

    assert.deepEqual(bodies(text.join('\n')), [
      [
        '- See [the docs](<https://x/a b> "Title"), [early](https://x/early), [EARLY](https://x/early) and ![logo](p.png).',
        '- `[early]` and \\[early] and [inline](https://y) and [unknown][nowhere] stay.',
        '- [![badge](p.png)](https://x/early)',
        '',
        '```',
        '[early]',
        '[fenced]: https://x',
        '```',
        '',
        '[^1]: a note',
      ].join('\n'),
    ]);
  });

  it('do not blow up a file that repeats one long address', () => {
    const [body = ''] = bodies(`[a]: https://x/${'y'.repeat(1900)}\n\n## 1.0.0\n\n${'[a]'.repeat(100_000)}\n`);

    assert.ok(body.length < 3_000_000);
  });
});

describe('anchors', () => {
  it('are those of a code host', () => {
    const anchors = parse(
      [
        '## [1.4.0] - 2024-02-01',
        '## [1.3.0](https://x/compare/1...2) (2024-01-15)',
        '# v2.0.0-beta.3 / February 1st, 2024',
        '## 🚀 `Acme_CLI` 1.2.0 &amp; _more_',
        '## Été 1.1.0',
      ].join('\n\n'),
    ).map(({ anchor }) => anchor);

    assert.deepEqual(anchors, [
      '140---2024-02-01',
      '130-2024-01-15',
      'v200-beta3--february-1st-2024',
      '-acme_cli-120--more',
      'été-110',
    ]);
  });

  it('count repeats over every heading of the file', () => {
    const text = '# 1.0.0\n\n##### 1.0.0\n\n- a\n\n  ## 1.0.0\n\n# 100-1\n\n# 1.0.0\n\n# v1.0.0\n\n# v1.0.0\n';
    const anchors = changelogSections(text, { names: [], now }).map(({ anchor }) => anchor);

    assert.deepEqual(anchors, ['100', '100-3', 'v100', 'v100-1']);
  });
});

describe('offsets', () => {
  it('point at the heading', () => {
    const text = 'Intro 😀\n\n## 1.1.0\n\n- a\n\n1.0.0\n=====\n\n**0.9.0**\n';
    const starts = parse(text).map(({ offset }) => text.slice(offset, offset + 8));

    assert.deepEqual(starts, ['## 1.1.0', '1.0.0\n==', '**0.9.0*']);
  });
});
