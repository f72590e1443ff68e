import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { derive, lines } from './notes.fixture.ts';

describe('migration notes', () => {
  const base = { version: '2.0.0', step: 'major' } as const;
  const rows: readonly [name: string, content: string, expected: string | null][] = [
    [
      'the migration section, code included',
      lines(
        '- feat!: one client',
        '',
        '## Upgrading',
        '',
        'Change the import:',
        '',
        '```js',
        "import 'b'",
        '```',
        '',
        '## Fixed',
        '- x',
      ),
      lines('Change the import:', '', '```js', "import 'b'", '```'),
    ],
    [
      'lines of breaking entries that hold an instruction',
      lines(
        '## Breaking changes',
        '- Removed `a`. Use `b` instead.',
        '- Removed `c`',
        '- Rename `d` to `e`',
        '## Added',
        '- Run fast',
      ),
      lines('- Removed `a`. Use `b` instead.', '- Rename `d` to `e`'),
    ],
    [
      'instructions nested below a breaking entry',
      lines('- feat!: one client', '  - Replace `a()` with `b()`', '- Added hooks'),
      lines('- feat!: one client', '  - Replace `a()` with `b()`'),
    ],
    [
      'a link to a guide',
      lines('- feat!: one client', '', 'More in the [upgrade guide](https://acme.example/up).'),
      'More in the [upgrade guide](https://acme.example/up).',
    ],
    [
      'an address that names the guide',
      lines('- feat!: one client', '', 'More: https://acme.example/docs/migration-2'),
      'More: https://acme.example/docs/migration-2',
    ],
    [
      'what readers are asked for behind what was done',
      lines(
        '## Breaking changes',
        '- Requests now check certificates. Opt back out with `insecure`.',
        '- Pools are closed. You will need to open one for each process.',
        '- The `reRender` method is gone. Call `render`.',
        '- Colors are stored as text. They should be quick.',
        '- Call hooks in order',
        '- Drafts are kept. Please note the size.',
      ),
      lines(
        '- Requests now check certificates. Opt back out with `insecure`.',
        '- Pools are closed. You will need to open one for each process.',
        '- The `reRender` method is gone. Call `render`.',
      ),
    ],
    [
      'the whole of a sentence that is wrapped between lines',
      lines(
        '## Breaking changes',
        '- Deprecated `Parser.parse`. Use',
        '  `math.parse` instead.',
        '- Rename `d` to `e`,',
        '  and its options to',
        '  those of `f`',
        '  Said since version 1',
      ),
      lines(
        '- Deprecated `Parser.parse`. Use',
        '  `math.parse` instead.',
        '- Rename `d` to `e`,',
        '  and its options to',
        '  those of `f`',
      ),
    ],
    [
      'what takes the place of what is gone',
      lines(
        '## Breaking changes',
        '- Removed `a` in favor of `b`',
        '- Deprecated `c` in favour of `d`',
        '- Removed `e`',
      ),
      lines('- Removed `a` in favor of `b`', '- Deprecated `c` in favour of `d`'),
    ],
    [
      'what to set or run, and not what is set or runs',
      lines(
        '## Breaking changes',
        '- Set `strict` to true',
        '- Run the codemod',
        '- `mode` is now set by default',
        '- Node 8 can no longer run it',
        '- Removed `get` and `set` from the store',
        '- A new set of icons',
      ),
      lines('- Set `strict` to true', '- Run the codemod'),
    ],
    [
      'the runtime that is needed from now on',
      lines(
        '## Breaking changes',
        '- Node.js 20 or newer is required. The syntax check is gone.',
        '- Drop support for Node 16 and 18',
        '- Node 14 is no longer supported',
        '- Minimum Python version is now 3.9',
        '- Removed the `node-12` template',
        '- Requires a token of 20 characters',
      ),
      lines(
        '- Node.js 20 or newer is required. The syntax check is gone.',
        '- Drop support for Node 16 and 18',
        '- Node 14 is no longer supported',
        '- Minimum Python version is now 3.9',
      ),
    ],
    ['nothing said', '- feat!: one client', null],
  ];
  for (const [name, content, expected] of rows) {
    it(name, () => assert.equal(derive({ ...base, content }).migrationNotes, expected));
  }

  it('has none for a verdict of none', () => {
    const content = lines('- Fixed paging', '', '## Upgrading', '', 'Run `acme up`.');
    assert.deepEqual(derive({ version: '1.0.1', step: 'patch', content }).migrationNotes, null);
  });

  it('ends with a whole line within 1,500 characters', () => {
    const content = lines(
      '- feat!: one client',
      '## Migration',
      ...Array(100).fill('Replace one thing with another thing.'),
    );
    const notes = derive({ ...base, content }).migrationNotes ?? '';
    assert.ok(notes.length <= 1500 && notes.endsWith('another thing.'));
  });

  it('leaves out a fence that would stay open', () => {
    const content = lines(
      '- feat!: one client',
      '## Migration',
      'First.',
      '```',
      ...Array(200).fill('some line of code'),
      '```',
    );
    assert.equal(derive({ ...base, content }).migrationNotes, 'First.');
  });
});
