import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from './finding.ts';
import { placeFindings } from './place-findings.ts';
import { toldLines } from './tell.ts';
import { namesInCode, weightAfterNotes, weightOf } from './weight.ts';

const finding = (name: string, rest: Partial<Finding> = {}): Finding => ({
  kind: name.includes('.') ? 'member_removed' : 'export_removed',
  name,
  subpath: '.',
  certainty: 'proven',
  was: name.includes('.') ? '() => void' : 'function',
  is: null,
  text: name.includes('.') ? `\`${name}\` is gone` : `\`${name}\` is no longer exported`,
  weight: name.includes('.') ? 60 : 80,
  ...rest,
});
const type = (name: string, rest: Partial<Finding> = {}) => finding(name, { was: 'interface', weight: 40, ...rest });
const texts = (findings: Finding[]) => toldLines(findings).map(({ text }) => text);

describe('findings as lines', () => {
  it('tell what is called before members, members before types, and what is likely last', () => {
    const likely = finding('parse', {
      kind: 'parameter_required',
      certainty: 'likely',
      was: 'a',
      is: 'b',
      text: 'likely',
    });
    assert.deepEqual(texts([type('Options'), likely, finding('Log.child'), finding('open')]), [
      '`open` is no longer exported',
      '`Log.child` is gone',
      '`Options` is no longer exported',
      'likely',
    ]);
  });

  it('tell a name once, with the roads that lead to it', () => {
    const lines = toldLines([
      finding('z.open', { was: 'function', weight: 20 }),
      finding('default.open', { was: 'function', weight: 20 }),
      finding('open'),
      finding('open', { subpath: './v4', weight: 20 }),
    ]);
    assert.deepEqual(
      lines.map(({ text, names }) => [text, names]),
      [['`open` is no longer exported', ['./v4: open', 'z.open', 'default.open']]],
    );
  });

  it('never join things that differ', () => {
    const narrowed = (name: string, is: string) =>
      finding(name, {
        kind: 'parameter_narrowed',
        certainty: 'likely',
        was: 'string',
        is,
        text: `\`${name}\` takes less`,
      });
    assert.equal(toldLines([finding('open'), finding('Log.open')]).length, 2, 'a function and a member');
    assert.equal(toldLines([narrowed('A.f', 'x'), narrowed('B.f', 'y')]).length, 2, 'other signatures');
    assert.equal(toldLines([narrowed('A.f', 'x'), narrowed('B.f', 'x')]).length, 1);
  });

  it('tell a member of many types once, and many members of one type by their number', () => {
    assert.deepEqual(texts(['A', 'B', 'C'].map((owner) => finding(`${owner}.keep`))), ['`keep` is gone from 3 places']);
    assert.deepEqual(texts(['a', 'b', 'c', 'd'].map((name) => finding(`Log.${name}`))), [
      '4 members of `Log` are gone',
    ]);
  });

  it('tell types that nobody mentions by their family', () => {
    const family = ['ZodA', 'ZodB', 'ZodC'].map((name) => type(name));
    const [line, ...others] = toldLines([...family, type('ZodD', { weight: 50 })]).toReversed();
    assert.deepEqual([line?.text, line?.names], ['3 types that begin with `Zod` are gone', ['ZodA', 'ZodB', 'ZodC']]);
    assert.deepEqual(
      others.map(({ text }) => text),
      ['`ZodD` is no longer exported'],
      'a text mentions it',
    );
  });
});

describe('the weight of a finding', () => {
  const readme = namesInCode('Call `z.string()` and\n```ts\nlog.child({ level })\n```\nNever open anything.');
  const cases: [name: string, rank: number, weight: number][] = [
    ['z', 0, 90],
    ['open', 0, 80],
    ['z.string', 1, 70],
    ['log.child', 1, 70],
    ['other.child', 1, 60],
    ['level', 2, 50],
    ['Options', 2, 40],
  ];
  for (const [name, rank, weight] of cases) {
    it(`of ${name} is ${weight}`, () =>
      assert.equal(weightOf({ kind: 'member_removed', name, was: null, rank }, readme), weight));
  }
  it('rises by what notes mention, once', () => {
    assert.equal(weightAfterNotes(40, { name: 'level' }, readme), 50);
    assert.equal(weightAfterNotes(50, { name: 'level' }, readme), 50);
    assert.equal(weightAfterNotes(100, { name: 'level' }, readme), 100);
  });
});

describe('where findings happened', () => {
  const pair = (from: string, to: string, isStep: boolean, ...findings: Finding[]) => ({ from, to, isStep, findings });
  it('is the step that shows them, else the narrowest pair; what passed is not the reader’s', () => {
    const [a, b, c, passed] = ['a', 'b', 'c', 'passed'].map((name) => finding(name)) as [
      Finding,
      Finding,
      Finding,
      Finding,
    ];
    const places = placeFindings(pair('1.0.0', '2.0.0', false, a, b, c), [
      pair('1.0.0', '1.5.0', false, a, b),
      pair('1.0.0', '1.1.0', true, a),
      pair('1.8.0', '1.9.0', true, passed),
    ]);
    assert.deepEqual(
      places.map(({ from, to, isLocated, findings, notYours }) => [
        `${from} ${to}`,
        isLocated,
        findings.map(({ name }) => name).join(),
        notYours.map(({ name }) => name).join(),
      ]),
      [
        ['1.0.0 2.0.0', false, 'c', ''],
        ['1.0.0 1.5.0', false, 'b', ''],
        ['1.0.0 1.1.0', true, 'a', ''],
        ['1.8.0 1.9.0', true, '', 'passed'],
      ],
    );
  });

  it('is all that is known while the range itself was not compared', () => {
    const places = placeFindings(null, [pair('1.0.0', '1.1.0', true, finding('a'))]);
    assert.deepEqual(
      places.map(({ to, findings }) => [to, findings.length]),
      [['1.1.0', 1]],
    );
  });
});
