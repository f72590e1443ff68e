import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrationSteps } from './steps.ts';

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
  ['Change the file:\n\n```js\na\nb\n```', ['Change the file …']],
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
