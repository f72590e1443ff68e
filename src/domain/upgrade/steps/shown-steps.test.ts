import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeSteps } from './merge-steps.ts';
import { type ComparedPair, provenSteps, rangeFindings } from './shown-steps.ts';

const node = (is: string, was: string) => ({
  kind: 'engines_raised',
  name: 'engines.node',
  certainty: 'proven' as const,
  is: `>=${is}`,
  text: `needs Node ${is} (${was} before)`,
});
const gone = (name: string, certainty: 'proven' | 'likely' = 'proven') => ({
  kind: 'export_removed',
  name,
  certainty,
  is: null,
  text: `\`${name}\` is no longer exported`,
});
const pair = (from: string, to: string, findings: ComparedPair['findings'], isStep = true): ComparedPair => {
  return { from, to, isStep, findings };
};
const noted = (version: string, ...steps: string[]) => ({ id: version, version, steps });

describe('the floor of a range', () => {
  const range = { from: '9.5.0', to: '15.0.0' };
  const whole = pair('9.5.0', '15.0.0', [node('22.12', '14')], false);
  const parts = [
    pair('11.1.0', '12.0.0', [node('18', '16')]),
    pair('13.0.0', '13.1.0', [node('20', '18')]),
    pair('14.0.3', '15.0.0', [node('22.12', '20')]),
  ];
  const notes = [noted('12.0.0', 'Requires Node 18'), noted('13.1.0', 'Node.js 20 is now required')];
  const cases: [string, Parameters<typeof mergeSteps>[0], [text: string, ...versions: string[]][]][] = [
    [
      'is named with the version that raised it to that, and with what the reader has',
      { entries: notes, pairs: [whole, ...parts], range },
      [['needs Node 22.12 (14 before)', '15.0.0']],
    ],
    [
      'has no version while no step is known to raise it',
      { entries: notes, pairs: [whole, ...parts.slice(0, 2)], range },
      [['needs Node 22.12 (14 before)']],
    ],
    [
      'keeps the words of the notes, with the earliest of several versions that ask for as much',
      { entries: [...notes, noted('14.0.0', 'Node 20 or newer is needed')], range },
      [['Node.js 20 is now required', '13.1.0']],
    ],
    [
      'is that of its own version while the ends are not compared, and not measured by the version before',
      { entries: [], pairs: parts.slice(0, 2), range },
      [['13.1.0 needs Node 20', '13.1.0']],
    ],
    [
      'has no version where a pair is wider than a step',
      { entries: [], pairs: [pair('11.0.0', '15.0.0', [node('22.12', '16')], false)], range },
      [['needs Node 22.12']],
    ],
  ];
  for (const [rule, input, expected] of cases) {
    it(rule, () => {
      const steps = mergeSteps(input).map(({ text, versions }) => [text, ...versions]);
      assert.deepEqual(steps, expected);
    });
  }

  it('is the highest that is known, where a report names one finding', () => {
    const texts = (pairs: readonly ComparedPair[]) => rangeFindings(pairs, range).map(({ text }) => text);
    assert.deepEqual(texts([whole, ...parts]), ['needs Node 22.12 (14 before)']);
    assert.deepEqual(texts(parts.slice(0, 2)), ['13.1.0 needs Node 20']);
    assert.deepEqual(texts([pair('9.5.0', '12.0.0', [node('18', '14')])]), ['12.0.0 needs Node 18 (14 before)']);
    assert.deepEqual(texts([]), []);
  });
});

describe('the versions that prove a break', () => {
  const range = { from: '1.0.0', to: '2.0.0' };
  const cases: [string, ComparedPair[], string[]][] = [
    [
      'are those of steps',
      [pair('1.0.0', '1.1.0', [gone('a')]), pair('1.1.0', '1.9.0', [gone('b')], false)],
      ['1.1.0'],
    ],
    ['prove it', [pair('1.0.0', '1.1.0', [gone('a', 'likely')])], []],
    ['may be the whole range', [pair('1.0.0', '2.0.0', [gone('a')])], ['2.0.0']],
    [
      'show what is still so at its end',
      [
        pair('1.0.0', '2.0.0', [gone('b')], false),
        pair('1.0.0', '1.1.0', [gone('a')]),
        pair('1.1.0', '1.2.0', [gone('b')]),
      ],
      ['1.2.0'],
    ],
  ];
  for (const [rule, pairs, expected] of cases) {
    it(rule, () => assert.deepEqual(provenSteps(pairs, range), expected));
  }
});
