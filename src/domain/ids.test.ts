import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ID_PREFIXES, idPrefixOf, isId, newId, releaseIdOf, toProductId } from './ids.ts';

const BODY = '0123456789ABCDEFGHIJa';

// A reproducible byte stream of high quality, so that frequencies can be tested.
function seededBytes(seed: string): (size: number) => Uint8Array {
  let counter = 0;
  return (size) => {
    counter += 1;
    return createHash('shake256', { outputLength: size }).update(`${seed}:${counter}`).digest();
  };
}

function bytesFrom(bytes: Uint8Array): (size: number) => Uint8Array {
  let position = 0;
  return (size) => {
    const chunk = bytes.subarray(position, position + size);
    position += size;
    return chunk;
  };
}

describe('newId', () => {
  it('is well-formed for every prefix and any bytes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ID_PREFIXES), fc.string(), (prefix, seed) => {
        const id = newId(prefix, seededBytes(seed));

        assert.match(id, new RegExp(`^${prefix}_[0-9A-Za-z]{21}$`));
        assert.equal(isId(id, prefix), true);
        assert.equal(idPrefixOf(id), prefix);
      }),
    );
  });

  it('gives every character the same number of byte values', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      if ((byte & 63) >= 62) continue;
      const id = newId('rel', (size) => new Uint8Array(size).fill(byte));
      const character = id.at(-1) ?? '';
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }

    assert.equal(counts.size, 62);
    assert.deepEqual(new Set(counts.values()), new Set([4]));
  });

  it('shows no bias over a long byte stream', () => {
    const random = seededBytes('stream');
    const counts = new Map<string, number>();
    const ids = 6000;
    for (let i = 0; i < ids; i += 1) {
      for (const character of newId('evt', random).slice(4)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }

    const expected = (ids * 21) / 62;
    const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    assert.equal(counts.size, 62);
    // 61 degrees of freedom: above 110 less than once in 10,000 runs, and the stream is fixed.
    assert.ok(chiSquare < 110, `chi-square ${chiSquare}`);
  });

  it('skips refused bytes and draws again when too many were refused', () => {
    const bytes = Uint8Array.from({ length: 48 }, (_, i) => (i < 20 ? 63 : i - 20));

    assert.equal(newId('org', bytesFrom(bytes)), 'org_0123456789ABCDEFGHIJK');
  });
});

describe('isId', () => {
  const cases: [string, (typeof ID_PREFIXES)[number], boolean][] = [
    [`org_${BODY}`, 'org', true],
    [`org_${BODY}`, 'prod', false],
    [`org_${BODY}x`, 'org', false],
    [`org_${BODY.slice(1)}`, 'org', false],
    [`org_${BODY.slice(1)}-`, 'org', false],
    [`org_${BODY.slice(1)}\n`, 'org', false],
    [`org_${BODY.slice(1)}é`, 'org', false],
    [`ORG_${BODY}`, 'org', false],
    [`kpc_${BODY}`, 'kp', false],
    [` org_${BODY}`, 'org', false],
    ['', 'org', false],
  ];
  for (const [value, prefix, expected] of cases) {
    it(`${JSON.stringify(value)} as ${prefix}: ${expected}`, () => assert.equal(isId(value, prefix), expected));
  }
});

describe('idPrefixOf', () => {
  const cases: [string, string | null][] = [
    [`src_${BODY}`, 'src'],
    ['src_', 'src'],
    ['org_short', 'org'],
    ['kp_x', 'kp'],
    ['kpc_x', 'kpc'],
    ['rel_x_y', 'rel'],
    ['org', null],
    ['orgs_x', null],
    ['_x', null],
    ['Org_x', null],
    ['prd_x', null],
    ['acme-cli', null],
    ['constructor_x', null],
  ];
  for (const [value, expected] of cases) {
    it(`${value}: ${expected}`, () => assert.equal(idPrefixOf(value), expected));
  }
});

describe('toProductId', () => {
  const cases: [string, string][] = [
    [`prd_${BODY}`, `prod_${BODY}`],
    [`prod_${BODY}`, `prod_${BODY}`],
    ['prd_short', 'prod_short'],
    ['prd-cli', 'prd-cli'],
    ['cli', 'cli'],
  ];
  for (const [value, expected] of cases) {
    it(`${value}: ${expected}`, () => assert.equal(toProductId(value), expected));
  }
});

describe('releaseIdOf', () => {
  const cases: [string, string | null][] = [
    [`rel_${BODY}`, `rel_${BODY}`],
    [`rel_${BODY}-acme-cli-2-0`, `rel_${BODY}`],
    [`rel_${BODY}-`, `rel_${BODY}`],
    [`rel_${BODY}-Ünï\ncode/..`, `rel_${BODY}`],
    [`rel_${BODY}x`, null],
    [`rel_${BODY}_x`, null],
    [`rel_${BODY.slice(1)}`, null],
    [`rel_${BODY.slice(1)}-text`, null],
    [`src_${BODY}`, null],
    ['', null],
  ];
  for (const [segment, expected] of cases) {
    it(`${JSON.stringify(segment)}: ${expected}`, () => assert.equal(releaseIdOf(segment), expected));
  }
});

it('lists each prefix once', () => {
  assert.equal(new Set(ID_PREFIXES).size, ID_PREFIXES.length);
});
