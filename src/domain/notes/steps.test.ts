import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guideSteps, migrationSteps } from './steps.ts';

const CASES: [notes: string, steps: string[]][] = [
  ['', []],
  ['- Use `new` instead of `old`.', ['Use `new` instead of `old`.']],
  ['### Upgrading\n\n1. Run Node 20.\n2. Drop `x`.', ['Run Node 20.', 'Drop `x`.']],
  [
    '- **types:** renamed `A` back to `B`; ([#54](https://github.com/a/b/issues/54)) ([2a71f49](https://github.com/a/b/commit/2a71f49bc6c6))',
    ['types: renamed `A` back to `B`'],
  ],
  [
    '* [#2](https://github.com/p/c/pull/2) [`b74e78b2`](https://github.com/p/c/commit/b74e78b2539) Thanks [@jo](https://github.com/jo)! - Rename one to two',
    ['Rename one to two'],
  ],
  ['- 7b8791d: Rename baseUrl to baseURL', ['Rename baseUrl to baseURL']],
  ['- [BREAKING] Converted `grow` to sync', ['Converted `grow` to sync']],
  ['* (SEMVER-MAJOR) **http**: drop `writeHeader` [#6](https://github.com/n/n/pull/6)', ['http: drop `writeHeader`']],
  // A bare name names what its entries are about; an open sentence is completed by them.
  [
    '* Region\n  * **BREAKING:** Changed "view:show" to "show"\n  * Renamed `a` to `b`',
    ['Region: Changed "view:show" to "show"', 'Region: Renamed `a` to `b`'],
  ],
  ['- This removes these exports:\n  - `a`\n  - `b`', ['This removes these exports: `a`; `b`']],
  ['Do this:\n\n- Call `a()`.', ['Call `a()`.']],
  ['Run the codemod:\n\n```sh\nnpx codemod v5\n```', ['Run the codemod: `npx codemod v5`']],
  ['Change the file:\n\n```js\na\nb\n```', ['Change the file: `a; b`']],
  [
    'To maintain the old behavior change to\n\n```js\nopen({\n  strict: false,\n})\n```',
    ['To maintain the old behavior change to: `open({ strict: false, })`'],
  ],
  ['Change the file:\n\n```yaml\na:\n  b: 1\n```', ['Change the file …']],
  [`Change the file:\n\n\`\`\`js\n${'open()\n'.repeat(9)}\`\`\``, ['Change the file …']],
  ['> Use `createStore` instead.', ['Use `createStore` instead.']],
  ['- Upgrade ember-cli - [docs](https://cli.example/#upgrading)', ['Upgrade ember-cli']],
  // The same step twice is one.
  ['- Use `a` instead\n- Use `a` instead', ['Use `a` instead']],
  ['- Breaking Change.\n- ()\n- #12', []],
];

describe('steps of migration notes', () => {
  for (const [notes, steps] of CASES) {
    it(JSON.stringify(notes).slice(0, 80), () => assert.deepEqual(migrationSteps(notes), steps));
  }

  it('a long step ends with a word, and code is never left open', () => {
    const [step = ''] = migrationSteps(`- Use ${'`some option` or '.repeat(60)}`);
    assert.ok(step.length <= 320 && step.split('`').length % 2 === 1 && step.endsWith('…'), step);
  });

  it('a long step keeps what it asks for', () => {
    const reason = `Requests to ${'old and unknown '.repeat(20)}hosts fail.`;
    const request = 'Opt back out with `insecure`.';
    assert.deepEqual(migrationSteps(`- Certificates are checked. ${reason} ${request} See the guide.`), [
      `Certificates are checked. ${request}`,
    ]);
    assert.deepEqual(migrationSteps(`- ${reason.replace('.', ', ').repeat(2)} at last. ${request}`), [request]);
  });
});

describe('the steps of a guide', () => {
  it('are its lowest headings, each with the sentence below it', () => {
    const guide = `Intro.

### Breaking changes

#### \`reply.res\` moved to \`reply.raw\` ([#1](https://example.org/1))

Access the raw response there. More words.

#### Removed \`app.use()\`

\`\`\`js
app.use(a)
\`\`\`

#### Introduction

Nothing to do.
`;
    assert.deepEqual(guideSteps(guide), [
      '`reply.res` moved to `reply.raw`: Access the raw response there.',
      'Removed `app.use()`',
    ]);
  });

  it('are the entries of a list below a heading', () => {
    const guide = '### Options\n\n- Set `a`.\n- Drop `b`.\n\n### Node\n\nRun Node 20.';
    assert.deepEqual(guideSteps(guide), ['Set `a`.', 'Drop `b`.', 'Node: Run Node 20.']);
  });

  it('are also asked for before the first heading and further down a part', () => {
    const guide = `Thanks for using it. The \`x\` option is removed. We like it.

## Players

Players are loaded when they are needed. All of them were loaded before.

Because of this, single imports have been removed. React 16.6 or later is now required.

## Example (static)

It must not be read.

## Names

Nothing of note.`;
    assert.deepEqual(guideSteps(guide), [
      'The `x` option is removed.',
      'Players: Players are loaded when they are needed.',
      'Because of this, single imports have been removed.',
      'React 16.6 or later is now required.',
      'Names: Nothing of note.',
    ]);
  });

  it('are the rows of a table of names, and no other table', () => {
    const names = '| Old | New |\n|---|---|\n| `onData(a)` | `onBody(a)` |\n| `onEnd` | `onClose` |\n';
    const options = '| Name | Default |\n|---|---|\n| dir | none |\n| `root` | none |\n';
    assert.deepEqual(guideSteps(`## Handlers\n\n${names}\n## Options\n\n${options}`), [
      '`onData(a)` – `onBody(a)`',
      '`onEnd` – `onClose`',
      'Options',
    ]);
  });

  it('keep names below a sentence, and sentences that mean the one before them', () => {
    const guide = `## Removed APIs

The following have been removed:

- \`a()\`
- \`b()\`

## Names

This family was a duplicate of \`c\` in many ways. These duplicates have been removed (learn more). To keep it, add \`--c\` to the command.`;
    assert.deepEqual(guideSteps(guide), [
      'Removed APIs: The following have been removed: `a()`; `b()`',
      'Names: This family was a duplicate of `c` in many ways. These duplicates have been removed.',
      'To keep it, add `--c` to the command.',
    ]);
  });

  it('hold what a paragraph says is gone', () => {
    const guide =
      'This release drops support of old runtimes ([#1](https://example.org/1)):\n\n- Node.js 6 and 8\n- Safari 9-11.\n';
    assert.deepEqual(guideSteps(guide), ['This release drops support of old runtimes: Node.js 6 and 8; Safari 9-11']);
    assert.deepEqual(guideSteps(guide.replace('drops support of', 'now runs on')), ['Node.js 6 and 8', 'Safari 9-11.']);
  });

  it('keep a sentence with what it is replaced by, as far as there is room', () => {
    const part =
      'Removed `a`\n\nThe property `a` has been removed. You should use `b` instead. Use `c` instead of `d`.';
    assert.deepEqual(guideSteps(`## One\nText.\n\n## ${part}`), [
      'One: Text.',
      'Removed `a`: The property `a` has been removed. You should use `b` instead.',
      'Use `c` instead of `d`.',
    ]);
    const long = part.replace('The property', `${'The good old '.repeat(25)}property`);
    assert.deepEqual(guideSteps(`## One\nText.\n\n## ${long}`).slice(-2), [
      'You should use `b` instead.',
      'Use `c` instead of `d`.',
    ]);
  });

  it('tell nothing of examples without their code, of pointers, and of those who have nothing to do', () => {
    const guide = `## Names

E.g. code that previously looked like this:

\`\`\`js
a()
b()
\`\`\`

Should be changed to the following:

\`\`\`js
c()
\`\`\`

## Options

Set \`x\` for all hosts. This was already deprecated in v4 as \`D1\`, so you should have updated your code.

If you are unable to upgrade, you should ask for a support plan.

See [#1](https://example.org/1) for more information.

## New features

### Channels

There is a \`channel\` now.

## Last

Drop \`y\`.`;
    assert.deepEqual(guideSteps(guide), [
      'Names: Should be changed to the following: `c()`',
      'Options: Set `x` for all hosts.',
      'Last: Drop `y`.',
    ]);
  });

  it('are the asking sentences of a long paragraph', () => {
    const filler = 'There is much to tell about this release and nothing of it is a step. '.repeat(5);
    assert.deepEqual(guideSteps(`${filler}This release drops support of Node.js 16. ${filler}`), [
      'This release drops support of Node.js 16.',
    ]);
    assert.ok((guideSteps(filler)[0]?.length ?? 999) <= 330);
  });

  it('are those of notes without headings', () => {
    assert.deepEqual(guideSteps('- Set `a`.\n- Drop `b`.'), ['Set `a`.', 'Drop `b`.']);
    assert.deepEqual(guideSteps(''), []);
  });

  it('are bounded', () => {
    assert.equal(guideSteps('## a thing\ntext\n'.repeat(5000)).length, 1);
    assert.equal(guideSteps(Array.from({ length: 5000 }, (_, n) => `## Part ${n}\ntext`).join('\n')).length, 300);
  });
});
