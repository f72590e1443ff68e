import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { deriveSlug, isReservedChildSlug, isReservedOrgSlug, isSlug } from './slugs.ts';

describe('isSlug', () => {
  const cases: [string, boolean, { min?: number; max?: number }?][] = [
    ['a', true],
    ['7', true],
    ['acme-cli-2', true],
    ['a'.repeat(80), true],
    ['a'.repeat(81), false],
    ['', false],
    ['-a', false],
    ['a-', false],
    ['a--b', false],
    ['Acme', false],
    ['a_b', false],
    ['a.b', false],
    ['a b', false],
    ['é', false],
    ['a\n', false],
    ['a', false, { min: 2, max: 64 }],
    ['ab', true, { min: 2, max: 64 }],
    ['a'.repeat(64), true, { min: 2, max: 64 }],
    ['a'.repeat(65), false, { min: 2, max: 64 }],
  ];
  for (const [text, expected, limits] of cases) {
    it(`${JSON.stringify(text)} ${JSON.stringify(limits ?? {})}: ${expected}`, () => {
      assert.equal(isSlug(text, limits), expected);
    });
  }

  it('answers at once on a long hostile text', () => {
    assert.equal(isSlug(`${'a-'.repeat(500_000)}_`, { max: 2_000_000 }), false);
  });
});

describe('deriveSlug', () => {
  const long = Array.from({ length: 20 }, () => 'words').join('-');
  const cases: [string, string | null, number?][] = [
    ['Acme CLI', 'acme-cli'],
    ['  Acme -- CLI!  ', 'acme-cli'],
    ['Café Zürich', 'cafe-zurich'],
    ['İstanbul', 'istanbul'],
    ['ﬁle ① Ｗｉｄｅ', 'file-1-wide'],
    ['@acme/cli.js', 'acme-cli-js'],
    ['snake_case', 'snake-case'],
    ['straße', 'stra-e'],
    ['日本語', null],
    ['!!!', null],
    ['', null],
    ['\u0301', null],
    [long, long.slice(0, 77)],
    [`${'a'.repeat(80)}-b`, 'a'.repeat(80)],
    [`b-${'a'.repeat(80)}`, 'b'],
    ['a'.repeat(100), 'a'.repeat(80)],
    ['one two three', 'one-two', 9],
    ['one two three', 'one-two', 7],
  ];
  for (const [text, expected, max] of cases) {
    it(`${JSON.stringify(text)}: ${expected}`, () => assert.equal(deriveSlug(text, max), expected));
  }

  it('yields a slug or nothing, and a slug derives itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.integer({ min: 1, max: 90 }), (text, max) => {
        const slug = deriveSlug(text, max);

        if (slug === null) return;
        assert.equal(isSlug(slug, { max }), true);
        assert.equal(deriveSlug(slug, max), slug);
      }),
    );
  });
});

describe('reserved slugs', () => {
  const cases: [slug: string, org: boolean, child: boolean][] = [
    ['404', true, false],
    ['v1', true, false],
    ['www', true, false],
    ['site-notice', true, false],
    ['whats-changed', true, false],
    ['feed', true, true],
    ['webhooks', true, true],
    ['fetch-log', false, true],
    ['heatmap', false, true],
    ['md', false, true],
    ['acme', false, false],
    ['v10', false, false],
    ['', false, false],
  ];
  for (const [slug, org, child] of cases) {
    it(`${JSON.stringify(slug)}: org ${org}, child ${child}`, () => {
      assert.equal(isReservedOrgSlug(slug), org);
      assert.equal(isReservedChildSlug(slug), child);
    });
  }
});
