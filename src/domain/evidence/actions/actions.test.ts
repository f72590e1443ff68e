import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareActions } from './compare-interfaces.ts';
import { readActionInterface } from './interface.ts';
import { judgeCall } from './judge-call.ts';
import { readActionCalls } from './workflow.ts';

const declare = (inputs: string, runs = 'using: node20', outputs = '') =>
  readActionInterface(`name: Lamp\ninputs:\n${inputs}\n${outputs}\nruns:\n  ${runs}\n  main: index.js\n`);

const OLD = declare(
  '  colour:\n    default: red\n  Size:\n    required: false',
  'using: node16',
  'outputs:\n  light: {}',
);

describe('two releases of an action', () => {
  const cases: [string, ReturnType<typeof declare>, string[]][] = [
    ['nothing', OLD, []],
    [
      'an input is gone',
      declare('  colour:\n    default: red', 'using: node16', 'outputs:\n  light: {}'),
      ['input_removed Size'],
    ],
    [
      'names do not care about case',
      declare('  COLOUR:\n    default: red\n  size: {}', 'using: node16', 'outputs:\n  Light: {}'),
      [],
    ],
    [
      'an input must be given',
      declare('  colour:\n    default: red\n  size:\n    required: true', 'using: node16', 'outputs:\n  light: {}'),
      ['input_required size'],
    ],
    [
      'one that must be given has a default',
      declare(
        '  colour:\n    default: blue\n  size:\n    required: true\n    default: 3',
        'using: node16',
        'outputs:\n  light: {}',
      ),
      ['default_changed colour', 'default_changed size'],
    ],
    [
      'another runtime, and no output',
      declare('  colour:\n    default: red\n  size: {}'),
      ['output_removed light', 'runtime_raised node20'],
    ],
    [
      'steps instead of Node',
      declare('  colour:\n    default: red\n  size: {}', 'using: composite', 'outputs:\n  light: {}'),
      ['runtime_kind composite'],
    ],
  ];
  for (const [what, next, expected] of cases) {
    it(what, () => {
      assert.ok(OLD && next);
      const told = compareActions(OLD, next).map((one) => `${one.kind} ${'name' in one ? one.name : one.is}`);
      assert.deepEqual(told, expected);
    });
  }

  for (const text of ['', 'name: Lamp', '- a', 'runs: {', `runs: ${'['.repeat(5000)}`]) {
    it(`declares nothing: ${JSON.stringify(text.slice(0, 20))}`, () => assert.equal(readActionInterface(text), null));
  }
});

const WORKFLOW = `on: push
jobs:
  lamp:
    strategy:
      matrix:
        os: [ubuntu-latest, self-hosted]
    runs-on: \${{ matrix.os }}
    steps:
      - id: on
        uses: acme/lamp@v1 # first
        with:
          SIZE: 3
      - uses: ./local
      - uses: docker://acme/lamp:1
      - run: |
          echo "uses: acme/lamp@v1 \${{ steps.on.outputs.light }}"
  hosted:
    runs-on: ubuntu-24.04
    steps:
      - uses: acme/lamp/small@0123456789abcdef0123456789abcdef01234567 # v1.2.0
  other:
    uses: acme/flows/.github/workflows/build.yml@v1
`;

describe('calls of actions', () => {
  it('are read with inputs, outputs and runner', () => {
    const calls = readActionCalls(WORKFLOW).map(({ given, outputs, ...call }) => ({
      ...call,
      given: given.map(({ name, line }) => `${name} ${line}`),
      outputs: outputs.map(({ name, line }) => `${name} ${line}`),
    }));
    assert.deepEqual(calls, [
      {
        repository: 'acme/lamp',
        folder: null,
        ref: 'v1',
        comment: 'first',
        line: 10,
        runner: 'own',
        given: ['SIZE 12'],
        outputs: ['light 16'],
      },
      {
        repository: 'acme/lamp',
        folder: 'small',
        ref: '0123456789abcdef0123456789abcdef01234567',
        comment: 'v1.2.0',
        line: 20,
        runner: 'hosted',
        given: [],
        outputs: [],
      },
    ]);
  });

  it('break where they give or read what is gone, or run where the runtime is missing', () => {
    const next = declare('  colour:\n    default: red', 'using: node24');
    const [own, hosted] = readActionCalls(WORKFLOW);
    assert.ok(OLD && next && own && hosted);
    const changes = compareActions(OLD, next);
    const told = (call: typeof own) =>
      judgeCall(call, changes).map(({ change, use, line }) => `${change.kind} ${use} ${line}`);
    assert.deepEqual(told(own), ['input_removed breaks 12', 'output_removed breaks 16', 'runtime_raised breaks 10']);
    assert.deepEqual(told(hosted), []);
  });
});
