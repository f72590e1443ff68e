// The exact orders of versions, as the two ecosystems define them.
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { factsOfEcosystem } from '../ecosystems/index.ts';
import { createRandom } from '../seeded-random.ts';

// Each list is rising; what stands in one inner list is the same version.
const RISING: Readonly<Record<'npm' | 'pypi', readonly (readonly string[])[]>> = {
  npm: [
    ['0.0.0-0'],
    ['0.0.0', 'v0.0.0', '0'],
    ['0.0.1'],
    ['1.0.0-0'],
    ['1.0.0-9'],
    ['1.0.0-10'],
    ['1.0.0-10.a'],
    ['1.0.0-alpha', '1.0.0-alpha+7'],
    ['1.0.0-alpha.1'],
    ['1.0.0-alpha.beta'],
    ['1.0.0-beta'],
    ['1.0.0-beta.2'],
    ['1.0.0-beta.11'],
    ['1.0.0-rc.1'],
    ['1.0.0', '1', '1.0', '1.0.0+build.5'],
    ['1.0.1'],
    ['1.9.0'],
    ['1.10.0'],
    ['9007199254740991.0.0'],
    ['9007199254740993.0.0'],
  ],
  pypi: [
    ['1.0.dev0', '1.dev'],
    ['1.0.dev456'],
    ['1.0a1', '1.0-alpha.1', '1a1', '1.0_A1'],
    ['1.0a2.dev456'],
    ['1.0a12.dev456'],
    ['1.0a12'],
    ['1.0b1.dev456'],
    ['1.0b2'],
    ['1.0b2.post345.dev456'],
    ['1.0b2.post345'],
    ['1.0rc1.dev456'],
    ['1.0rc1', '1.0c1', '1.0.pre1', '1.0-preview1'],
    ['1.0', '1', 'v1.0.0', '1.0.0.0'],
    ['1.0+abc.5'],
    ['1.0+abc.7'],
    ['1.0+5'],
    ['1.0.post456.dev34'],
    ['1.0.post456', '1.0-456', '1.0.rev456', '1.0r456'],
    ['1.0.15'],
    ['1.1.dev1'],
    ['2013.10'],
    ['1!0.1'],
  ],
};
const ECOSYSTEMS = ['npm', 'pypi'] as const;

describe('orders of versions', () => {
  for (const ecosystem of ECOSYSTEMS) {
    const rising = RISING[ecosystem];
    it(`of ${ecosystem} put every pair in its place`, () => {
      const { compareVersions } = factsOfEcosystem(ecosystem);
      const placed = rising.flatMap((same, place) => same.map((version) => ({ version, place })));
      for (const a of placed) {
        for (const b of placed) {
          const order = compareVersions(a.version, b.version);
          assert.equal(Math.sign(order ?? Number.NaN), Math.sign(a.place - b.place), `${a.version} ${b.version}`);
        }
      }
    });
  }

  it('say nothing of what is no version, and take no long time over it', () => {
    for (const strange of ['', 'latest', '1.2.3.4', '1.0.0-', 'a1', '1..2', '^1.0.0', '1'.repeat(300)]) {
      assert.equal(factsOfEcosystem('npm').compareVersions(strange, '1.0.0'), null, strange);
    }
    for (const strange of ['', 'latest', '1.0-', '1.0+', '1.0.x', '1.*', '1!', `1${'.0'.repeat(5_000)}x`]) {
      assert.equal(factsOfEcosystem('pypi').compareVersions('1.0', strange), null, strange);
    }
  });

  it('are orders: turned round they say the opposite, and they sort whatever comes', () => {
    const random = createRandom('orders');
    for (const ecosystem of ECOSYSTEMS) {
      const rising = RISING[ecosystem];
      const { compareVersions } = factsOfEcosystem(ecosystem);
      const mixed = random.shuffle(rising.map((same) => random.pick(same)));
      const sorted = mixed.toSorted((a, b) => compareVersions(a, b) ?? Number.NaN);
      assert.deepEqual(
        sorted.map((version) => rising.findIndex((same) => same.includes(version))),
        rising.map((_, place) => place),
      );
    }
  });

  const LINES = [
    ['npm', '1.2.3', '1.9.0', true],
    ['npm', '1.2.3', '2.0.0', false],
    ['npm', '0.3.9', '0.3.10-rc.1', true],
    ['npm', '0.3.9', '0.4.0', false],
    ['pypi', '2.3', '2.10.1', true],
    ['pypi', '2.3', '1!2.3', false],
    ['pypi', '0.4.1', '0.4', true],
    ['pypi', '0.4.1', '0.5', false],
    ['pypi', '0', '0.0.1', true],
  ] as const;
  for (const [ecosystem, one, other, isSame] of LINES) {
    it(`${one} and ${other} of ${ecosystem} are of ${isSame ? 'one line' : 'two lines'}`, () => {
      const { releaseLine } = factsOfEcosystem(ecosystem);
      assert.equal(releaseLine(one) === releaseLine(other), isSame);
    });
  }

  it('know which versions are offered to everybody', () => {
    const stable = { npm: ['1.0.0', '0.1.0', '1.0.0+build'], pypi: ['3.1', '3.1.post2', '1!0.1'] };
    const early = {
      npm: ['1.0.0-0', '2.0.0-rc.1', 'next', ''],
      pypi: ['3.1rc1', '3.1.dev2', '3.1.post1.dev2', 'next'],
    };
    for (const ecosystem of ['npm', 'pypi'] as const) {
      const { isStableVersion } = factsOfEcosystem(ecosystem);
      assert.deepEqual(
        [stable[ecosystem].every(isStableVersion), early[ecosystem].some(isStableVersion)],
        [true, false],
      );
    }
  });
});
