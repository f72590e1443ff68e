import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPlaceholderVersion, isPrerelease, parseVersion, versionSort } from './index.ts';

type Row = [text: string, packagePart: string | null, numbers: string, rest: string | null, prerelease: boolean];

const ROWS: Row[] = [
  ['v1.0.0', null, '1.0.0', '', false],
  ['V2.3', null, '2.3', '', false],
  ['v16', null, '16', '', false],
  ['v.1.2', null, '1.2', '', false],
  ['1.0.0-rc.1', null, '1.0.0', 'rc.1', true],
  ['1.0.0-rc1', null, '1.0.0', 'rc.1', true],
  ['3.13.0rc2', null, '3.13.0', 'rc.2', true],
  ['1.0.0b1', null, '1.0.0', 'beta.1', true],
  ['3.13.0a2', null, '3.13.0', 'alpha.2', true],
  ['6.0.0.RC1', null, '6.0.0', 'rc.1', true],
  ['5.0.0-M3', null, '5.0.0', 'milestone.3', true],
  ['2.0.0-SNAPSHOT', null, '2.0.0', 'snapshot', true],
  ['21-ea+35', null, '21', 'ea', true],
  ['1.0.dev4', null, '1.0', 'dev.4', true],
  ['15.0.0-canary.123', null, '15.0.0', 'canary.123', true],
  ['0.0.0-experimental-2f8b', null, '0.0.0', 'experimental.2f8b', true],
  ['v1.0.0-insiders', null, '1.0.0', 'insiders', true],
  ['5.0.0.Final', null, '5.0.0', '', false],
  ['5.3.0.RELEASE', null, '5.3.0', '', false],
  ['22.04.3 LTS', null, '22.4.3', '', false],
  ['17.0.2+8', null, '17.0.2', '', false],
  ['1.85.0 (Build 1234)', null, '1.85.0', '', false],
  ['1.0.0.post1', null, '1.0.0', 'post 1', false],
  ['1.1.1w', null, '1.1.1', 'post 23', false],
  ['8u392', null, '8', 'post 392', false],
  ['1.0.0-hotfix.1', null, '1.0.0', 'post 1', false],
  ['v3.4.0-security', null, '3.4.0', 'post 0', false],
  ['1.2.3-1', null, '1.2.3', '1', true],
  ['1.2-1', null, '1.2', '1', true],
  ['2.0.0-falcon', null, '2.0.0', 'falcon', true],
  ['32.1.3-jre', null, '32.1.3', '', false],
  ['1.0.0-x64', null, '1.0.0', '', false],
  ['1.0.0-lts', null, '1.0.0', '', false],
  ['1.2.3-rc1-alpine', null, '1.2.3', 'rc.1', true],
  ['4.2 beta 3', null, '4.2', 'beta.3', true],
  ['17.2 RC 2', null, '17.2', 'rc.2', true],
  ['@scope/pkg@1.2.3-beta.0', '@scope/pkg', '1.2.3', 'beta.0', true],
  ['my-app-v1.2.3-beta.2', 'my-app', '1.2.3', 'beta.2', true],
  ['packages/foo/v1.4.0', 'packages/foo', '1.4.0', '', false],
  ['py-0.18.0', 'py', '0.18.0', '', false],
  ['go1.22.1', 'go', '1.22.1', '', false],
  ['llvmorg-17.0.1', 'llvmorg', '17.0.1', '', false],
  ['curl-8_5_0', 'curl', '8.5.0', '', false],
  ['release-1.2.3', null, '1.2.3', '', false],
  ['REL_16_2', null, '16.2', '', false],
  ['version-2.0', null, '2.0', '', false],
  ['release 7', null, '7', '', false],
  ['b4567', null, '4567', '', false],
  ['2024-01-15', null, '2024.1.15', '', false],
  ['20240115', null, '2024.1.15', '', false],
  ['v2024.06.1-hotfix', null, '2024.6.1', 'post 0', false],
  ['nightly-2024-01-15', null, '2024.1.15', 'nightly', true],
  ['nightly', null, '', '', true],
  ['latest', null, '', '', true],
  ['1!2.0', null, '2.0', '', false],
  ['Codename Falcon', null, '', '', false],
  ['Fall update', null, '', '', false],
  ['build-7', null, '', '', false],
  ['n/a', null, '', null, false],
];

// Texts beyond the tables that the prose of the rules decides.
const FURTHER_ROWS: Row[] = [
  ['refs/tags/v1.2.3', null, '1.2.3', '', false],
  ['next@15.0.0', 'next', '15.0.0', '', false],
  ['pkg@next', 'pkg', '', '', true],
  ['7zip-bin@5.1.1', '7zip-bin', '5.1.1', '', false],
  ['@scope/pkg-v1.2.3', '@scope/pkg', '1.2.3', '', false],
  ['Acme CLI 2.4', 'Acme CLI', '2.4', '', false],
  ['foo-20240115.2', 'foo', '2024.1.15.2', '', false],
  ['2024-01-15-2', null, '2024.1.15.2', '', false],
  ['2024-01-15-2f8b', null, '2024.1.15', '2f8b', true],
  ['20241315', null, '20241315', '', false],
  ['releases/v1.2.3', null, '1.2.3', '', false],
  ['release/stable-1.2', null, '1.2', '', false],
  ['rel7', null, '7', '', false],
  ['appv2', 'app', '2', '', false],
  ['dev1.2', null, '1.2', 'dev', true],
  ['beta-1.2.3-4', null, '1.2.3', 'beta.4', true],
  ['jdk8u392', null, '', '', false],
  ['foo-7', null, '', '', false],
  ['-7', null, '', '', false],
  ['main', null, '', '', true],
  ['NIGHTLY+abc', null, '', '', true],
  ['1.8.0_392', null, '1.8.0', 'post 392', false],
  ['1.1.1w-alpine', null, '1.1.1', 'post 23', false],
  ['8u392-b08', null, '8', 'post 392', false],
  ['1.0.post1.dev2', null, '1.0', 'post 1', true],
  ['1.0.0-x86_64', null, '1.0.0', '', false],
  ['2.0.0-cuda12', null, '2.0.0', '', false],
  ['2.0.0-falcon.beta', null, '2.0.0', 'falcon.beta', true],
  ['5.0 General Availability', null, '5.0', '', false],
  ['1:2.3-4', null, '2.3', '4', true],
];

describe('parseVersion', () => {
  for (const [text, packagePart, numbers, rest, prerelease] of [...ROWS, ...FURTHER_ROWS]) {
    it(`reads ${text}`, () => {
      const parsed = parseVersion(text);

      assert.equal(isPrerelease(text), prerelease);
      if (rest === null) return assert.equal(parsed, null);
      assert.ok(parsed);
      assert.equal(parsed.text, text);
      assert.equal(parsed.packagePart, packagePart);
      assert.equal(parsed.numbers.join('.'), numbers);
      assert.equal((parsed.phase === 'post' ? 'post ' : '') + parsed.rest.join('.'), rest);
      assert.equal(parsed.sortKey === null, numbers === '');
    });
  }

  it('reads the epoch', () => {
    assert.equal(parseVersion('1!2.0')?.epoch, 1);
    assert.equal(parseVersion('2.0')?.epoch, 0);
  });

  it('tells the scheme from the first number', () => {
    const schemes = ['1989.1', '1990.1', '2100.1', '2101.1', '16', 'Falcon'].map((text) => parseVersion(text)?.scheme);
    assert.deepEqual(schemes, ['numeric', 'calendar', 'calendar', 'numeric', 'numeric', null]);
  });

  it('gives no key to a number of more than 26 digits, wherever it stands', () => {
    const long = '9'.repeat(27);
    for (const text of [long, `1.${long}`, `1.0-${long}`, `1.0-rc.${long}`, `1.0.post${long}`, `${long}!1.0`]) {
      assert.equal(versionSort(text), null, text);
    }
    assert.notEqual(versionSort(`1.${'9'.repeat(26)}`), null);
    assert.notEqual(versionSort(`1.${'0'.repeat(30)}7`), null);
  });

  it('takes no text of more than 200 characters', () => {
    assert.equal(parseVersion(`1.0.0+${'a'.repeat(195)}`), null);
    assert.notEqual(parseVersion(`1.0.0+${'a'.repeat(194)}`), null);
  });
});

describe('isPlaceholderVersion', () => {
  for (const word of ['unknown', 'none', 'n/a', 'null', 'undefined', '-']) {
    it(`knows ${word}, in any case and in <>`, () => {
      for (const text of [word, word.toUpperCase(), `<${word}>`, ` ${word} `]) {
        assert.equal(isPlaceholderVersion(text), true, text);
        assert.equal(parseVersion(text), null, text);
      }
    });
  }

  it('counts the empty text, and nothing that merely holds such a word', () => {
    assert.deepEqual(['', '  ', 'unknown-1.2', '0', 'latest'].map(isPlaceholderVersion), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('isPrerelease', () => {
  const cases: [text: string | null, flag: boolean | undefined, expected: boolean][] = [
    ['1.0.0-rc.1', false, true],
    ['nightly', false, true],
    ['1.2.3-1', false, false],
    ['1.2-1', false, false],
    ['2.0.0-falcon', false, false],
    ['2.0.0-falcon', true, true],
    ['1.0.0', true, true],
    ['1.0.0', undefined, false],
    ['Codename Falcon', true, true],
    [null, true, true],
    [null, undefined, false],
  ];
  for (const [text, flag, expected] of cases) {
    it(`${text} with flag ${flag} is ${expected}`, () => assert.equal(isPrerelease(text, flag), expected));
  }
});
