import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareVersionKeys, versionSort } from '../versions/index.ts';
import { liesBelow, readAskedRange, readVersionRange, type VersionRange } from './version-range.ts';

function admits(range: VersionRange, version: string): boolean {
  const key = versionSort(version) ?? '';
  return range.intervals.some(({ lower, upper, excluded }) => {
    const isAbove = lower === null || compareVersionKeys(key, lower.key) > (lower.inclusive ? -1 : 0);
    const isBelow = upper === null || compareVersionKeys(key, upper.key) < (upper.inclusive ? 1 : 0);
    const isExcluded = excluded.some(
      ({ from, to }) =>
        compareVersionKeys(key, from.key) >= 0 && compareVersionKeys(key, to.key) < (to.inclusive ? 1 : 0),
    );
    return isAbove && isBelow && !isExcluded;
  });
}

describe('readVersionRange', () => {
  const cases: [range: string, lowest: string, inside: string[], outside: string[]][] = [
    ['6.x', '6.0.0', ['6.0.0', '6.99.1'], ['5.9.9', '7.0.0']],
    ['6.1.*', '6.1.0', ['6.1.0', '6.1.9'], ['6.2.0', '6.0.9']],
    ['v6.X', '6.0.0', ['6.3.0'], ['7.0.0']],
    ['*', '0.0.0', ['0.0.1', '99.0.0'], []],
    ['x', '0.0.0', ['1.0.0'], []],
    ['^6.0.0', '6.0.0', ['6.0.0', '6.9.0'], ['7.0.0', '5.0.0']],
    ['^6', '6.0.0', ['6.9.0'], ['7.0.0']],
    ['^6.1.2', '6.1.2', ['6.1.2', '6.2.0'], ['6.1.1', '7.0.0']],
    ['^0.2.3', '0.2.3', ['0.2.9'], ['0.3.0', '0.2.2']],
    ['^0.0.3', '0.0.3', ['0.0.3'], ['0.0.4']],
    ['^0.0', '0.0.0', ['0.0.9'], ['0.1.0']],
    ['^0', '0.0.0', ['0.9.0'], ['1.0.0']],
    ['^1.2.3-beta.2', '1.2.3-beta.2', ['1.2.3', '1.9.0'], ['2.0.0', '1.2.2']],
    ['~6.1', '6.1.0', ['6.1.0', '6.1.7'], ['6.2.0', '6.0.0']],
    ['~6', '6.0.0', ['6.9.0'], ['7.0.0']],
    ['~1.2.3', '1.2.3', ['1.2.9'], ['1.3.0', '1.2.2']],
    ['~> 2.2', '2.2.0', ['2.2.9'], ['2.3.0']],
    ['>=6 <7', '6.0.0', ['6.5.0'], ['7.0.0', '5.9.0']],
    ['>= 6, < 7', '6.0.0', ['6.5.0'], ['7.0.0']],
    ['>6.1', '6.2.0', ['6.2.0', '8.0.0'], ['6.1.9']],
    ['>6.1.0', '6.1.1', ['6.1.1'], ['6.1.0']],
    ['>2.0.0-rc.1', '2.0.0', ['2.0.0', '3.0.0'], ['1.9.0']],
    ['<2', '0.0.0', ['0.1.0', '1.9.9'], ['2.0.0']],
    ['<=2.1', '0.0.0', ['2.1.5'], ['2.2.0']],
    ['<=2.1.0', '0.0.0', ['2.1.0'], ['2.1.1']],
    ['=1.2.3', '1.2.3', ['1.2.3'], ['1.2.4']],
    ['1.2 - 2', '1.2.0', ['1.2.0', '2.9.0'], ['1.1.9', '3.0.0']],
    ['1.2.3 - 2.3.4', '1.2.3', ['2.3.4'], ['2.3.5']],
    ['^1.0.0 || ^3.0.0', '1.0.0', ['1.5.0', '3.5.0'], ['2.0.0', '4.0.0']],
    ['^3.0.0 || 1', '1.0.0', ['1.5.0', '3.5.0'], ['2.0.0']],
    ['~=1.4.2', '1.4.2', ['1.4.9'], ['1.5.0', '1.4.1']],
    ['~=1.4', '1.4.0', ['1.9.0'], ['2.0.0']],
    ['==1.*', '1.0.0', ['1.9.0'], ['2.0.0']],
    ['==1.4', '1.4.0', ['1.4.0'], ['1.4.1']],
    ['>=1.0,!=1.0.0,!=1.1.*,<2', '1.0.1', ['1.0.1', '1.2.0'], ['1.0.0', '1.1.5', '2.0.0']],
    ['>=1.1,!=1.1.*', '1.2.0', ['1.2.0'], ['1.1.3']],
    ['2024.x', '2024.0.0', ['2024.6.1'], ['2025.1.0', '2023.12.0']],
  ];
  for (const [text, lowest, inside, outside] of cases) {
    it(text, () => {
      const range = readVersionRange(text);
      assert.ok(range);
      assert.equal(range.lowest, lowest);
      for (const version of inside) assert.equal(admits(range, version), true, version);
      for (const version of outside) assert.equal(admits(range, version), false, version);
      assert.equal(range.isAny, text === '*' || text === 'x');
    });
  }

  for (const text of ['^alder', '>7 <6', '~', '^^1', '>=1 && <2', '=', '~=1', `^${'9'.repeat(30)}`]) {
    it(`nothing can be read from ${text}`, () => assert.equal(readVersionRange(text), null));
  }
});

describe('readAskedRange', () => {
  const versions = [
    '6',
    '6.0',
    'v6.0.0',
    '1.0.0-rc.1',
    '1.0.0-x',
    'core@1.0.0',
    'Alder',
    'latest',
    '2024-01-15',
    '1.0 - the big one',
  ];
  for (const text of versions) it(`${text} is no range`, () => assert.equal(readAskedRange(text), null));

  it('knows the package in front of a range', () => {
    assert.equal(readAskedRange('@a/x@^6.0.0')?.packagePart, '@a/x');
    assert.equal(readAskedRange('npm:core@6.x')?.packagePart, 'core');
    assert.equal(readAskedRange('^6.0.0')?.packagePart, null);
  });

  it('does not take an unreadable range for a version', () => {
    assert.deepEqual(readAskedRange('^6.0.0 and more'), { packagePart: null, range: null });
  });

  it('reads a long list of comparators in one pass', () => {
    for (const text of [
      '>=1 '.repeat(50),
      '^'.repeat(200),
      '1.'.repeat(100),
      `${'x.'.repeat(99)}x`,
      '||'.repeat(100),
    ]) {
      assert.ok([null, undefined].includes(readAskedRange(text)?.range as null) || text.startsWith('||'), text);
    }
  });
});

describe('liesBelow', () => {
  const cases: [string, string, boolean][] = [
    ['^6.0.0', '7.0.0', true],
    ['^6.0.0', '6.9.0', false],
    ['<=6.1.0', '6.1.0', false],
    ['<=6.1.0', '6.1.1', true],
    ['>=6', '99.0.0', false],
    ['1.x || 3.x', '2.5.0', false],
  ];
  for (const [text, version, expected] of cases) {
    it(`${text} below ${version}: ${expected}`, () => {
      assert.equal(liesBelow(readVersionRange(text) as VersionRange, versionSort(version) ?? ''), expected);
    });
  }
});
