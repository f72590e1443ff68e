import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareVersionKeys, schemeOfKey, versionSort } from './index.ts';

const KEYS: Record<string, string> = {
  '1.10.0': 'A0A1B102',
  '1.10.0-rc.2': 'A0A1B1014rc!3A22',
  '1.0.dev4': 'A0A1113A42',
  '1!2.0.post3': 'A1A23A3',
};

// Strictly rising; texts joined by ` = ` share a key.
const CHAINS = [
  '0.9.0 < 1.0.0.dev1 < 1.0.0-alpha < 1.0.0-alpha.1 < 1.0.0-alpha.beta < 1.0.0b2 < 1.0.0-beta11 < v1.0.0rc1 < 1.0.0 < ' +
    '1.0.0.post1 < 1.2.0 < 1.10.0 < 2.0.0-beta.1 < 2.0.0 < 2024.1.5 < 1!0.1',
  '1.0.dev1 < 1.0a1.dev2 < 1.0a1 < 1.0a2 < 1.0b1 < 1.0rc1 < 1.0 < 1.0.post1 < 1.0.1.dev1 < 1.0.1',
  'v15.5.18 < 16.0.0-canary.9 < 16.0.0-canary.10 < v16.0.0-rc.1 < v16.0.0 < 16.0.1 < V16.1',
  '0.9.10 < 0.10.0 < 1.0.0-rc1 < 1.0.0-rc2 < 1.0.0-rc10 < 1.0.0',
  '9.9.9 < 10.0.0',
  '8u91 < 8u392',
  '2.0 < 1!0.5',
  '1.0.0-beta.1 < 1.0.0-canary.1 < 1.0.0-next.1 < 1.0.0-preview.1 < 1.0.0-rc.1 < 1.0.0-SNAPSHOT < 1.0.0',
  '1.0.0-0.3.7 < 1.0.0-alpha',
  '1.1.1 < 1.1.1a < 1.1.1w < 1.1.2',
  '5.0.0-alpha.1 < 5.0 < 5.0.1',
  '6.0.0.M1 < 6.0.0.RC1 < 6.0.0.RELEASE < 6.0.1',
  '2023.12.1 < 2024.1 < 2024.01.15 < 2024-02-01',
  '1.2.3-1 < 1.2.3 < 1.2.3.1',
  '1.2-1 < 1.2 < 1.2.1',
  '1.0 = 1.0.0 = v1',
  'v1.2.3 = 1.2.3',
  '1.0.0-rc1 = 1.0.0-RC.1 = 1.0.0rc1',
  '1.0.0-b1 = 1.0.0-beta.1',
  '5.0.0-M3 = 5.0.0-milestone.3',
  '1.0.0+a = 1.0.0+b',
  '5.0.0.Final = 5.0.0',
  '32.1.3-jre = 32.1.3-android',
  'REL_16_2 = 16.2',
  '20240105 = 2024-01-05 = 2024.1.5',
  '0.9.0 < 1.0.0.dev1 < 1.0.0-alpha < 1.0.0-alpha.1 < 1.0.0-alpha.beta < 1.0.0b2 = 1.0.0-beta.2 < 1.0.0-beta11 < ' +
    'v1.0.0rc1 = 1.0.0-RC.1 < 1.0.0 = v1 = V1.0 = pkg@1.0.0 = pkg-v1.0.0 = 1.0.0+build.5 < 1.0.0.post1 < 1.2.0 < ' +
    '1.10.0 < 2.0.0-beta.1 < 2.0.0 < 2024.1.5 = 2024-01-05 = 20240105 < 1!0.1',
];

describe('versionSort', () => {
  for (const [text, key] of Object.entries(KEYS)) {
    it(`gives ${text} its key`, () => assert.equal(versionSort(text), key));
  }

  for (const chain of CHAINS) {
    it(`orders ${chain}`, () => {
      const steps = chain.split(' < ').map((step) => step.split(' = ').map(keyOf));

      for (const equal of steps) assert.equal(new Set(equal).size, 1);
      const keys = steps.map(([key = '']) => key);
      for (const [at, lower] of keys.entries()) {
        for (const higher of keys.slice(at + 1)) {
          assert.ok(compareVersionKeys(lower, higher) < 0);
          assert.ok(compareVersionKeys(higher, lower) > 0);
        }
      }
    });
  }

  it('gives no key to texts without number', () => {
    for (const text of ['Fall update', 'build-7', 'nightly', 'n/a', '']) assert.equal(versionSort(text), null, text);
  });
});

describe('compareVersionKeys', () => {
  it('compares bytes of UTF-8, not UTF-16 units', () => {
    assert.ok(compareVersionKeys('\u{ff41}', '\u{1d44e}') < 0);
    assert.equal(compareVersionKeys('A0A12', 'A0A12'), 0);
  });
});

describe('schemeOfKey', () => {
  it('reads the first number of the key', () => {
    const texts = ['2024.1.5', '1!2024.1', '16.0.0', '0.0.0', '20241315', '12!3.1', '2024-beta'];
    const schemes = texts.map((text) => schemeOfKey(keyOf(text)));
    assert.deepEqual(schemes, ['calendar', 'calendar', 'numeric', 'numeric', 'numeric', 'numeric', 'calendar']);
  });

  it('follows the setting of the source', () => {
    assert.equal(schemeOfKey(keyOf('2024.1'), 'numeric'), 'numeric');
    assert.equal(schemeOfKey(keyOf('16.0'), 'calendar'), 'calendar');
    assert.equal(schemeOfKey(keyOf('16.0'), 'auto'), 'numeric');
  });
});

function keyOf(text: string): string {
  const key = versionSort(text);
  assert.ok(key, text);
  return key;
}
