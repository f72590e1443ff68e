import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainText } from './index.ts';
import { derive, lines } from './notes.fixture.ts';

describe('summary', () => {
  const rows: readonly [name: string, content: string, expected: string][] = [
    ['a short first paragraph gives way to the entries', lines('Small one.', '', '- Added hooks'), 'Added hooks'],
    [
      'a link line gives way to the entries',
      lines('Read the [announcement](https://acme.example/blog/2) for all the details of it.', '', '- Added hooks'),
      'Added hooks',
    ],
    [
      'thanks inside a useful paragraph are left out',
      'Thanks to everyone who helped! Sync of shared folders now takes half the time.',
      'Sync of shared folders now takes half the time.',
    ],
    [
      'a paragraph below a heading leads too',
      lines('# Acme 2', '', 'Sync of shared folders now takes half the time.', '', '- Added hooks'),
      'Sync of shared folders now takes half the time.',
    ],
    [
      'at most three entries, weightiest first',
      lines('- perf: a', '- fix: b', '- feat: c', '- feat!: d', '- security: e'),
      'd; e; c',
    ],
    ['entries without class when there is no other', lines('- Caret', '- Zoom'), 'Caret; Zoom'],
    [
      'words that led to a linked number go with it',
      lines(
        '- Add depth, closes [#12](https://acme.example/issues/12)',
        '- Add types ([#13](https://acme.example/pull/13), @jane)',
      ),
      'Add depth; Add types',
    ],
    [
      'the same text once, whatever blanks a removed link leaves',
      lines(
        '### BREAKING CHANGES',
        '',
        '- removed the kits v2 and v3 , removed limits',
        '',
        '### Features',
        '',
        '- removed the kits v2 and v3 , removed limits ([15db667](https://github.com/acme/kit/commit/15db667af2d0a5ed))',
      ),
      'removed the kits v2 and v3 , removed limits',
    ],
    ['the same text once', lines('- Fix caret', '- Fix caret', '- Fix zoom'), 'Fix caret; Fix zoom'],
    ['a body of code has nothing to say', lines('```', 'x', '```'), ''],
    ['a body of white space', ' \n\t\n', ''],
  ];
  for (const [name, content, expected] of rows) it(name, () => assert.equal(derive({ content }).summary, expected));

  it('holds whole sentences up to 280 characters', () => {
    const sentence = 'This sentence of the introduction is about sixty characters.';
    const { summary } = derive({ content: Array(9).fill(sentence).join(' ') });
    assert.equal(summary, Array(4).fill(sentence).join(' '));
  });

  it('cuts a first sentence that is too long at a word', () => {
    const content = `Words ${'and more words '.repeat(40)}end here.`;
    const { summary } = derive({ content });
    assert.ok(
      summary.length <= 280 &&
        summary.length > 260 &&
        content.startsWith(`${summary.slice(0, -1)} `) &&
        summary.endsWith('…'),
    );
  });
});

describe('titles', () => {
  const content = '- Added hooks';
  const names = ['Acme', 'Acme CLI', 'acme/cli'];
  const rows: readonly [title: string, version: string | null, short: string | null, generated: string | null][] = [
    ['Acme CLI v2.1.0', 'v2.1.0', 'Added hooks', 'Acme 2.1.0: Added hooks'],
    ['Release 2.1.0 (2024-02-01)', '2.1.0', 'Added hooks', 'Acme 2.1.0: Added hooks'],
    ['@acme/core@3.1.0', '@acme/core@3.1.0', 'Added hooks', 'Acme 3.1.0: Added hooks'],
    ['my-app-v1.2.3-beta.2', 'my-app-v1.2.3-beta.2', 'Added hooks', 'Acme 1.2.3-beta.2: Added hooks'],
    ['Acme CLI 2.4 is out', '2.4', 'Added hooks', 'Acme 2.4: Added hooks'],
    ['March 2024 Update', null, 'Added hooks', 'Acme: Added hooks'],
    ['Changelog', null, 'Added hooks', 'Acme: Added hooks'],
    ['Version 2.1.0 (Current), @someone', '2.1.0', 'Added hooks', 'Acme 2.1.0: Added hooks'],
    ['2.0.16/17/18', '2.0.16', 'Added hooks', 'Acme 2.0.16: Added hooks'],
    ['v2.1.0 — Faster sync', '2.1.0', 'Faster sync', null],
    ['[2.1.0] Faster sync', '2.1.0', 'Faster sync', null],
    ['Acme CLI 2.1 release notes: Faster sync', '2.1', 'Faster sync', null],
    ['2.1.0 - Faster sync.', '2.1.0', 'Faster sync', null],
    ['Acme CLI New dashboard', null, 'New dashboard', null],
    ['Acme 3.0 brings hooks', '3.0', 'Acme 3.0 brings hooks', null],
    ['New dashboard for 2FA', null, 'New dashboard for 2FA', null],
    ['🚀 Introducing Workflows', null, 'Introducing Workflows', null],
    [
      'Dashboards for every team, with filters that follow you from page to page',
      null,
      'Dashboards for every team',
      null,
    ],
    [
      'Dashboards that follow every member of a team from page to page without reload',
      null,
      'Dashboards that follow every member of a team from page to page…',
      null,
    ],
  ];
  for (const [title, version, short, generated] of rows) {
    it(title, () => {
      const found = derive({ title, version, content, names });
      assert.deepEqual([found.titleShort, found.titleGenerated], [short, generated]);
    });
  }

  it('is not made of internal work, and stays empty when there is nothing else', () => {
    const internal = '- [Dev Deps] update `tape`';
    const both = derive({ title: '1.0.1', version: '1.0.1', content: `${internal}\n- [New] add hooks to the editor` });
    assert.equal(both.titleShort, 'add hooks to the editor');
    const none = derive({ title: '1.0.1', version: '1.0.1', content: internal });
    assert.deepEqual([none.titleShort, none.titleGenerated], [null, null]);
  });

  it('keeps a generated title within 100 characters', () => {
    const found = derive({ version: '1.0.1', content: `- Added ${'a long list of things '.repeat(9)}` });
    assert.ok(found.titleGenerated?.startsWith('Acme 1.0.1: Added a long list'));
    assert.ok((found.titleGenerated?.length ?? 0) <= 100);
    assert.ok((found.titleShort?.length ?? 0) <= 70);
  });
});

describe('plainText', () => {
  const rows: readonly [source: string, max: number, expected: string][] = [
    ['Fix __proto__ and `__proto__`', 100, 'Fix __proto__ and __proto__'],
    ['__dirname and __filename', 100, '__dirname and __filename'],
    ['__note that this__ is bold, like __Fixes__', 100, 'note that this is bold, like Fixes'],
    [
      lines('# Title', '', 'Some **bold** [link](https://x.example).', '', '- One', '- Two'),
      100,
      'Title Some bold link. One Two',
    ],
    ['<h1>Title</h1><p>Some <b>bold</b> &amp; text</p>', 100, 'Title Some bold & text'],
    [lines('Before', '```', 'code', '```', 'After'), 100, 'Before After'],
    [lines('| a | b |', '|---|---|', '| 1 | 2 |'), 100, 'a b 1 2'],
    ['one two three four', 11, 'one two'],
    ['unbreakable', 5, 'unbre'],
    ['', 10, ''],
  ];
  for (const [source, max, expected] of rows)
    it(JSON.stringify(source), () => assert.equal(plainText(source, max), expected));

  it('reads on where markup fills the beginning', () => {
    assert.equal(plainText(`<!--${'x'.repeat(50_000)}-->\n\nText`, 20), 'Text');
  });
});
