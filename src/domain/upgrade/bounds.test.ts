import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type SchemeSetting, schemeOfKey } from '../versions/index.ts';
import { type Bound, isBelow, keyRange, readBound } from './bounds.ts';

describe('readBound', () => {
  const cases: [string, string, string | null, string | null][] = [
    ['v1.9.0', '1.9.0', 'A0A1A92', null],
    ['V2', '2', 'A0A22', null],
    ['refs/tags/v1.2', '1.2', 'A0A1A22', null],
    ['@a/x@1.1.0-rc.1', '1.1.0-rc.1', 'A0A1A114rc!3A12', '@a/x'],
    ['my-app-v1.2.3', '1.2.3', 'A0A1A2A32', 'my-app'],
    ['release-1.2.3', '1.2.3', 'A0A1A2A32', null],
    ['nightly-2024-01-15', 'nightly-2024-01-15', 'A0D2024A1B1514nightly!2', null],
    ['Alder', 'Alder', null, null],
    ['n/a', 'n/a', null, null],
  ];
  for (const [text, version, key, packagePart] of cases) {
    it(text, () => {
      const bound = readBound(text);
      assert.deepEqual([bound.version, bound.key, bound.packagePart], [version, key, packagePart]);
    });
  }
});

function inRange(version: string, from: string, to: string, setting: SchemeSetting = 'auto'): boolean {
  const keyed = (text: string) => readBound(text) as Bound & { key: string };
  const { after, upTo, gaps } = keyRange(keyed(from), keyed(to), setting);
  const { key } = keyed(version);
  const isInGap = gaps.some(([start, end]) => !isBelow(key, start) && isBelow(key, end));
  return isBelow(after, key) && !isBelow(upTo, key) && !isInGap;
}

describe('keyRange', () => {
  const cases: [string, string, string, boolean, SchemeSetting?][] = [
    ['1.0.0', '1.0.0', '2.0.0', false],
    ['2.0.0', '1.0.0', '2.0.0', true],
    ['1.10.0', '1.9.0', '2.0.0', true],
    ['2024-01-15', '1.0.0', '3000.0', false],
    ['2500.0', '1.0.0', '3000.0', true],
    ['2024-01-15', '1.0.0', '3000.0', true, 'numeric'],
    ['22.0', '21.0', '2024.1', true],
    ['2024.0', '21.0', '2024.1', true],
    ['3000.0', '2023.1', '1!2024.1', false],
    ['1!5.0', '2023.1', '1!2024.1', false],
    ['2024.2', '2023.1', '1!2024.1', true],
    ['2024.2', '1.0', '1!0.5', false],
    ['1!0.1', '1.0', '1!0.5', true],
    ['1!2024.1', '1.0', '2!0.5', false],
  ];
  for (const [version, from, to, expected, setting] of cases) {
    it(`${version} in ${from} → ${to}`, () => assert.equal(inRange(version, from, to, setting), expected));
  }

  it('bounds of one scheme enclose that scheme alone', () => {
    const number = fc.oneof(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1985, max: 2105 }),
      fc.integer({ min: 0, max: 9999 }),
    );
    const version = fc
      .tuple(fc.integer({ min: 0, max: 3 }), number, number)
      .map(([epoch, a, b]) => `${epoch}!${a}.${b}`);
    const schemeOf = (text: string) => schemeOfKey(readBound(text).key ?? '');
    fc.assert(
      fc.property(version, version, version, (one, other, third) => {
        const [low, high] = [one, other].sort((a, b) =>
          isBelow(readBound(a).key ?? '', readBound(b).key ?? '') ? -1 : 1,
        );
        if (low === undefined || high === undefined || schemeOf(low) !== schemeOf(high)) return;
        if (inRange(third, low, high)) assert.equal(schemeOf(third), schemeOf(low));
      }),
    );
  });
});
