import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeSteps } from './merge-steps.ts';
import { readStep } from './read-step.ts';

const entry = (version: string, ...steps: string[]) => ({ id: `rel_${version}`, version, steps });
const finding = (kind: string, name: string, text: string, is: string | null = null) => {
  return { kind, name, certainty: 'proven' as const, is, text };
};
const short = (steps: ReturnType<typeof mergeSteps>) =>
  steps.map(({ kind, text, versions, from }) => [kind, text, versions.join(' '), from]);

describe('the kind of a step', () => {
  const cases: [string, string][] = [
    ['Run Node 20 or newer', 'runtime'],
    ['Drop support for Node.js 12, 14 and 16', 'runtime'],
    ['Node 14 and 16 are no longer supported.', 'runtime'],
    ['Minimum supported `node` version is now `18.12`', 'runtime'],
    ['Requires Python 3.9+', 'runtime'],
    ['Dropped support for IE 11', 'runtime'],
    ['`react` 18 is now a peer dependency', 'peer'],
    ['Requires React 18 or later', 'peer'],
    ['ESLint v8 is no longer supported', 'peer'],
    ['Rename `a` to `b`', 'rename'],
    ['`a` has been renamed to `b()`', 'rename'],
    ['Replace `createClient()` with `connect()`.', 'rename'],
    ['Use `b` instead of `a`', 'rename'],
    ['`Foo` → `Bar`', 'rename'],
    ['Remove `child()`', 'removal'],
    ['`TimeFn` is no longer exported', 'removal'],
    ['`a` was removed, use `b` instead', 'removal'],
    ['The `strict` option is now true by default', 'option'],
    ['Set `--compat` to keep the old output', 'option'],
    ['Run the codemod: `npx @acme/codemod v5`', 'codemod'],
    ['Check that your callbacks are called once', 'manual'],
  ];
  for (const [text, kind] of cases) it(`${text}: ${kind}`, () => assert.equal(readStep(text).kind, kind));
});

describe('the steps of a range', () => {
  it('leave out a sentence of another step of the same notes, and pointers where there is more', () => {
    const whole = 'The `agent` option is new. Configure your proxy with the new `agent` option.';
    const part = 'Configure your proxy with the new `agent` option.';
    const pointer = 'If you are upgrading: please see `UPGRADING.md`.';
    const texts = (...entries: ReturnType<typeof entry>[]) => mergeSteps({ entries }).map(({ text }) => text);
    assert.deepEqual(texts(entry('1.0.0', whole, part, pointer)), [whole]);
    assert.deepEqual(texts(entry('1.0.0', whole), entry('2.0.0', part)), [whole, part]);
    assert.deepEqual(texts(entry('1.0.0', pointer)), [pointer]);
  });

  it('are oldest first, each once, with all versions that ask for it', () => {
    const steps = mergeSteps({
      entries: [
        entry('1.1.0', 'Use `b()` instead of `a()`.', 'Check the settings'),
        entry('2.0.0', 'use `b` instead of `a`', 'Check the settings!'),
      ],
    });
    assert.deepEqual(steps, [
      {
        kind: 'rename',
        text: 'Use `b()` instead of `a()`.',
        versions: ['1.1.0', '2.0.0'],
        releaseIds: ['rel_1.1.0', 'rel_2.0.0'],
        from: 'notes',
      },
      {
        kind: 'option',
        text: 'Check the settings',
        versions: ['1.1.0', '2.0.0'],
        releaseIds: ['rel_1.1.0', 'rel_2.0.0'],
        from: 'notes',
      },
    ]);
    assert.deepEqual(mergeSteps({ entries: [] }), []);
  });

  it('have a floor once, with the highest value', () => {
    const entries = [
      entry('2.0.0', 'Drop Node 12, 14 and 16', 'React 17 or newer is required'),
      entry('3.0.0', 'Bump the minimum Node.js version from 18 to 20'),
      entry('4.0.0', 'Node 18 is no longer supported', 'Requires Python >=3.10'),
    ];
    assert.deepEqual(short(mergeSteps({ entries })), [
      ['peer', 'React 17 or newer is required', '2.0.0', 'notes'],
      ['runtime', 'Bump the minimum Node.js version from 18 to 20', '3.0.0', 'notes'],
      ['runtime', 'Requires Python >=3.10', '4.0.0', 'notes'],
    ]);
  });

  it('reads a floor behind the heading that names its subject too', () => {
    const steps = mergeSteps({
      entries: [entry('5.0.0', 'Acme 5 drops Node 6 and 8.', 'Upgrading Node.js: Acme 5 requires Node.js >= 10.')],
    });
    assert.deepEqual(
      steps.map(({ kind, text }) => [kind, text]),
      [['runtime', 'Upgrading Node.js: Acme 5 requires Node.js >= 10.']],
    );
  });

  it('have a floor of the package where it is higher than the notes say', () => {
    const entries = [entry('2.0.0', 'Requires Node 18'), entry('3.0.0', 'Something else')];
    const node = finding('engines_raised', 'engines.node', 'needs Node 20 (16 before)', '>=20');
    const react = finding('peer_raised', 'peerDependencies.react', 'needs `react` ^19 (^18 before)', '^19');
    const pairs = [{ from: '2.0.0', to: '3.0.0', isStep: true, findings: [node, react] }];
    const range = { from: '2.0.0', to: '3.0.0' };
    assert.deepEqual(short(mergeSteps({ entries, pairs, range })), [
      ['runtime', 'needs Node 20 (16 before)', '3.0.0', 'package'],
      ['manual', 'Something else', '3.0.0', 'notes'],
      ['peer', 'needs `react` ^19 (^18 before)', '3.0.0', 'package'],
    ]);
    const lower = [{ from: '1.0.0', to: '2.0.0', isStep: true, findings: [{ ...node, is: '>=18.0.0' }] }];
    assert.deepEqual(short(mergeSteps({ entries, pairs: lower }))[0], [
      'runtime',
      'Requires Node 18',
      '2.0.0',
      'notes',
    ]);
  });

  it('have a rename that goes on as one, and none where it is undone', () => {
    const entries = [
      entry('2.0.0', 'Rename `open` to `connect`', 'Rename `x` to `y`'),
      entry('3.0.0', '`connect()` is renamed to `attach()`', '`y` is called `x` again'),
    ];
    assert.deepEqual(short(mergeSteps({ entries })), [['rename', 'Rename `open` to `attach`', '2.0.0 3.0.0', 'notes']]);
  });

  it('have a removal once, and a renamed name is not removed besides', () => {
    const entries = [
      entry('1.5.0', 'Use `connect` instead of `createClient`', '`old` is removed'),
      entry('2.0.0', 'Removed the deprecated `createClient()`', 'Removed `old` and `older`'),
    ];
    assert.deepEqual(short(mergeSteps({ entries })), [
      ['rename', 'Use `connect` instead of `createClient`', '1.5.0 2.0.0', 'notes'],
      ['removal', 'Removed `old` and `older`', '1.5.0 2.0.0', 'notes'],
    ]);
  });

  it('name what the package removed and the notes do not mention', () => {
    const timeFn = finding('export_removed', 'TimeFn', '`TimeFn` is no longer exported');
    const child = finding('member_removed', 'Logger.child', '`Logger.child` is gone');
    const back = finding('export_removed', 'back', '`back` is no longer exported');
    const entries = [entry('2.0.0', '`child()` is gone'), entry('2.1.0')];
    const whole = { from: '1.0.0', to: '2.1.0', isStep: false, findings: [timeFn, child] };
    const range = { from: '1.0.0', to: '2.1.0' };
    assert.deepEqual(short(mergeSteps({ entries, pairs: [whole], range })), [
      ['removal', '`child()` is gone', '2.0.0', 'notes'],
      ['removal', '`TimeFn` is no longer exported', '', 'package'],
    ]);
    const oneStep = mergeSteps({ entries: [], pairs: [{ ...whole, isStep: true }], range });
    assert.deepEqual(
      oneStep.map(({ versions }) => versions),
      [['2.1.0'], ['2.1.0']],
    );
    const wider = { from: '1.5.0', to: '2.1.0', isStep: false, findings: [timeFn, back] };
    assert.deepEqual(short(mergeSteps({ entries, pairs: [whole, wider], range }))[1]?.[2], '', 'between two versions');
    const part = { ...wider, from: '2.0.0', isStep: true };
    assert.deepEqual(short(mergeSteps({ entries, pairs: [whole, part], range })), [
      ['removal', '`child()` is gone', '2.0.0', 'notes'],
      ['removal', '`TimeFn` is no longer exported', '2.1.0', 'package'],
    ]);
    const likely = { ...whole, findings: [{ ...timeFn, certainty: 'likely' as const }] };
    assert.equal(mergeSteps({ entries, pairs: [likely], range }).length, 1);
  });

  it('are all counted, each once, and long hostile texts cost little', () => {
    const many = Array.from({ length: 700 }, (_, index) => `Do thing number ${index}`);
    const merged = mergeSteps({ entries: [entry('2.0.0', ...many), entry('3.0.0', ...many)] });
    assert.equal(merged.length, 700);
    assert.deepEqual(merged.at(-1)?.versions, ['2.0.0', '3.0.0']);
    const long = ['`'.repeat(320), 'rename `'.repeat(40), 'use `a` '.repeat(40), 'Node 1 '.repeat(28)];
    for (const text of long) readStep(text);
  });
});
