import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { actionsOf } from './actions.ts';
import { readStep, type StepKind } from './read-step.ts';

const notes = (text: string) => ({ kind: readStep(text).kind, text, versions: ['2.0.0'], from: 'notes' as const });
const shown = (kind: StepKind, text: string) => ({ kind, text, versions: ['2.0.0'], from: 'package' as const });

describe('what to do', () => {
  const told: [note: string, action: string][] = [
    ['Use `b` instead of `a`', 'Use `b` instead of `a`'],
    ['`a` has been renamed to `b`', 'Replace `a` with `b`'],
    ['`a` was removed, use `b` instead', 'Replace `a` with `b`'],
    ['`child()` was removed', 'Stop using `child`'],
    ['Node 20 or newer is required', 'Raise Node to 20 or newer'],
    ['Dropped support for Node.js 12, 14 and 16', 'Raise Node above 16'],
    ['If you pass a string, wrap it in an array', 'If you pass a string, wrap it in an array'],
  ];
  for (const [note, action] of told) {
    it(`${note}: ${action}`, () => {
      const { actions, facts } = actionsOf([notes(note)]);
      assert.deepEqual([actions.map(({ text }) => text), facts], [[action], []]);
    });
  }

  const facts = [
    'The `strict` option is now true by default',
    'Types are exported from the root',
    'Use of globals is deprecated',
    'Support: see below',
  ];
  for (const text of facts) {
    it(`${text}: only a fact`, () => {
      const list = actionsOf([notes(text)]);
      assert.deepEqual([list.actions, list.facts.map((one) => one.text)], [[], [text]]);
    });
  }

  it('has what the package shows, with both values', () => {
    const text = 'needs Node 20 (6 before)';
    const finding = { kind: 'engines_raised', name: 'engines.node', text, was: '>=6', is: '>=20' };
    const { actions } = actionsOf([shown('runtime', text), shown('peer', 'needs `react` ^19 (^18 before)')], [finding]);
    assert.deepEqual(
      actions.map(({ text, before, after }) => [text, before, after]),
      [
        ['Raise Node to 20 or newer', 'engines.node: ">=6"', 'engines.node: ">=20"'],
        ['Raise `react` to `^19`', null, null],
      ],
    );
  });

  it('tells many names that are gone as one thing', () => {
    const gone = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) =>
      shown('removal', `\`${name}\` is no longer exported`),
    );
    const { actions } = actionsOf(gone);
    assert.equal(actions.length, 1);
    assert.equal(actions[0]?.text, 'Stop using what is gone: `a`, `b`, `c`, `d`, `e`, `f` and 2 more');
    assert.equal(actions[0]?.steps.length, 8);
    assert.equal(actionsOf(gone.slice(0, 2)).actions.length, 2);
  });
});
