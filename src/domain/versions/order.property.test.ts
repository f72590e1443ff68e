import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';
import {
  compareVersionKeys,
  isPrerelease,
  MAX_VERSION_LENGTH,
  parseVersion,
  schemeOfKey,
  versionIdentity,
  versionSort,
} from './index.ts';

const RUNS = { numRuns: 2000 };

type SemVer = { core: bigint[]; pre: string[] };
type Pep440 = { epoch: number; release: number[]; pre?: [string, number]; post?: number; dev?: number };

// Words to which the reader gives a meaning that SemVer does not know.
const NOT_SEMVER = new Set(
  (
    'final ga release stable lts general availability post p pl patch sp sr hotfix rev r fix security update u jre jdk ' +
    'android linux windows win macos darwin osx ios alpine slim debian ubuntu ce ee oss enterprise community cpu gpu ' +
    'cuda wasm musl gnu full lite a b c m'
  ).split(' '),
);

const knownWord = fc.constantFrom('alpha', 'beta', 'rc', 'dev', 'canary', 'next', 'nightly', 'preview', 'falcon');
const anyWord = fc.stringMatching(/^[a-z]{1,8}$/).filter((word) => !NOT_SEMVER.has(word));
const smallNumber = fc.oneof(fc.constantFrom(0, 1, 2, 9, 10, 11), fc.nat(9_999_999));
const bigNumber = fc.oneof(smallNumber.map(BigInt), fc.bigInt({ min: 0n, max: 10n ** 26n - 1n }));
const core = fc.tuple(smallNumber.map(BigInt), bigNumber, bigNumber);
const preParts = fc.array(fc.oneof(knownWord, anyWord, bigNumber.map(String)), { maxLength: 3 });
const semver: fc.Arbitrary<SemVer> = fc.record({ core, pre: preParts });
const release = fc.array(smallNumber, { minLength: 1, maxLength: 4 });
const counter = fc.option(fc.nat(2), { nil: undefined });
const pep440: fc.Arbitrary<Pep440> = fc
  .record({
    epoch: fc.constantFrom(0, 0, 0, 1, 12),
    release,
    pre: fc.option(fc.tuple(fc.constantFrom('a', 'b', 'rc'), fc.constantFrom(0, 1, 10)), { nil: undefined }),
    post: counter,
    dev: counter,
  })
  .filter(({ pre, post, dev }) => pre !== undefined || post === undefined || dev === undefined);

// Two independent versions differ in their first numbers; these share them, so that the rest must decide.
const semverPair = fc
  .oneof(
    fc.tuple(semver, semver),
    fc.tuple(core, preParts, preParts, preParts).map(([core, start, a, b]): [SemVer, SemVer] => [
      { core, pre: [...start, ...a] },
      { core, pre: [...start, ...b] },
    ]),
  )
  // A longer text is no version.
  .filter((pair) => pair.every((version) => semverText(version).length <= MAX_VERSION_LENGTH));
const pep440Pair = fc.oneof(
  fc.tuple(pep440, pep440),
  fc
    .tuple(pep440, pep440, fc.array(fc.constant(0), { maxLength: 2 }))
    .map(([a, b, zeros]): [Pep440, Pep440] => [a, { ...b, epoch: a.epoch, release: [...a.release, ...zeros] }]),
);

const versionish = fc.oneof(
  semver.map(semverText),
  pep440.map(pep440Text),
  fc
    .array(
      fc.oneof(fc.constantFrom(...'v @ / + - . _ ~ ! : ( )'.split(' '), ' '), knownWord, smallNumber.map(String)),
      {
        maxLength: 10,
      },
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
);

describe('version order, for any text', () => {
  it('agrees with SemVer precedence', () => {
    fc.assert(
      fc.property(semverPair, ([a, b]) => {
        assert.equal(compareTexts(semverText(a), semverText(b)), compareSemver(a, b));
      }),
      RUNS,
    );
  });

  it('agrees with PEP 440', () => {
    fc.assert(
      fc.property(pep440Pair, ([a, b]) => {
        assert.equal(compareTexts(pep440Text(a), pep440Text(b)), comparePep440(a, b));
      }),
      RUNS,
    );
  });

  it('is total', () => {
    fc.assert(
      fc.property(versionish, versionish, versionish, (...texts) => {
        const keys = texts.map(versionSort).filter((key) => key !== null);
        const [a = '', b = '', c = ''] = keys.sort(compareVersionKeys);

        assert.equal(Math.sign(compareVersionKeys(a, b)), -Math.sign(compareVersionKeys(b, a)) + 0);
        assert.equal(compareVersionKeys(a, b) === 0, a === b);
        if (keys.length === 3) assert.ok(compareVersionKeys(a, b) <= 0 && compareVersionKeys(a, c) <= 0);
      }),
      RUNS,
    );
  });

  it('gives well-formed keys that tell their scheme, and never throws', () => {
    const form = /^(?:[A-Z]\d+)+(?:1(?:1|3[A-Z]\d+|4[\p{L}\p{M}\d]+!)+2|2|3[A-Z]\d+)$/u;
    fc.assert(
      fc.property(versionish, (text) => {
        const parsed = parseVersion(text);
        assert.equal(typeof versionIdentity(text), 'string');
        if (!parsed?.sortKey) return;

        assert.match(parsed.sortKey, form);
        assert.equal(schemeOfKey(parsed.sortKey), parsed.scheme);
        if (parsed.phase === 'pre') assert.equal(isPrerelease(text), true);
      }),
      RUNS,
    );
  });

  it('comes to an end on the longest hostile texts', () => {
    const units = ['-', '1', 'a', '1.', '-1', 'a1', '_1', '@', '((', '))', 'v', '2024-01-15', '\u0130'];
    for (const unit of units) parseVersion(unit.repeat(200).slice(0, 200));
    for (const unit of units) assert.equal(typeof versionIdentity(unit.repeat(50_000)), 'string');
  });
});

function semverText({ core, pre }: SemVer): string {
  return core.join('.') + (pre.length > 0 ? `-${pre.join('.')}` : '');
}

function pep440Text({ epoch, release, pre, post, dev }: Pep440): string {
  return [
    epoch === 0 ? '' : `${epoch}!`,
    release.join('.'),
    pre?.join('') ?? '',
    post === undefined ? '' : `.post${post}`,
    dev === undefined ? '' : `.dev${dev}`,
  ].join('');
}

function compareTexts(a: string, b: string): number {
  const [keyA, keyB] = [versionSort(a), versionSort(b)];
  assert.ok(keyA !== null && keyB !== null, `${a} and ${b} have keys`);
  return compareVersionKeys(keyA, keyB);
}

function compareSemver(a: SemVer, b: SemVer): number {
  for (const [at, number] of a.core.entries()) {
    const order = compare(number, b.core[at] ?? 0n);
    if (order !== 0) return order;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return compare(b.pre.length, a.pre.length);
  for (const [at, part] of a.pre.entries()) {
    const other = b.pre[at];
    if (other === undefined) return 1;
    const order = compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return compare(a.pre.length, b.pre.length);
}

function compareIdentifiers(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aIsNumber && bIsNumber) return compare(BigInt(a), BigInt(b));
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  return compare(a, b);
}

// PEP 440 as a list of fields compared in turn, absent ones standing below or above every present one.
function comparePep440(a: Pep440, b: Pep440): number {
  const [left, right] = [pep440Fields(a), pep440Fields(b)];
  for (const [at, field] of left.entries()) {
    const order = compare(field, right[at] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

function pep440Fields({ epoch, release, pre, post, dev }: Pep440): number[] {
  const devOnly = pre === undefined && post === undefined && dev !== undefined;
  const stage = pre === undefined ? (devOnly ? -1 : 9) : ['a', 'b', 'rc'].indexOf(pre[0]);
  return [
    epoch,
    ...[0, 1, 2, 3, 4, 5].map((at) => release[at] ?? 0),
    stage,
    pre?.[1] ?? 0,
    post ?? -1,
    dev ?? Number.POSITIVE_INFINITY,
  ];
}

function compare<T extends number | bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
