import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareVersionKeys, isPrerelease, versionSort } from '../domain/versions/index.ts';
import { createRandom } from './random.ts';
import { createVersionWalk, type Spelling, walkShort } from './version-walk.ts';

describe('version walk', () => {
  for (const spelling of ['semver', 'python', 'next'] satisfies Spelling[]) {
    it(`rises apart from backports (${spelling})`, () => {
      const walk = createVersionWalk(createRandom(5), '1.4.0', spelling);
      const versions = Array.from({ length: 400 }, () => walk.next());
      const line = versions.filter((version) => version.step !== 'backport');

      assert.equal(new Set(versions.map((version) => version.number)).size, 400);
      line.forEach((version, index) => {
        const before = line[index - 1];
        if (!before) return;
        const order = compareVersionKeys(versionSort(before.number) ?? '', versionSort(version.number) ?? '');
        assert.ok(order < 0, `${before.number} < ${version.number}`);
      });
      for (const version of versions) assert.equal(isPrerelease(version.number), version.isPrerelease, version.number);
      for (const step of ['major', 'minor', 'patch', 'pre', 'backport']) {
        assert.ok(
          versions.some((version) => version.step === step),
          step,
        );
      }
    });
  }

  it('keeps short versions short', () => {
    const numbers = walkShort(createRandom(1), '4.2', 30).map((version) => version.number);

    assert.equal(numbers[0], '4.2');
    assert.ok(numbers.every((number) => /^\d+\.\d+(\.[1-9]\d*)?$/.test(number)));
    assert.equal(new Set(numbers).size, 30);
  });
});
