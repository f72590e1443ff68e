import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EntityReference, parseReference, parseReleaseReference } from './references.ts';

const ID = 'abcdefghijABCDEFGHIJ0';

describe('a product or source', () => {
  const cases: [entity: 'product' | 'source', text: string, reference: EntityReference][] = [
    ['source', `src_${ID}`, { by: 'id', id: `src_${ID}` }],
    ['product', `prod_${ID}`, { by: 'id', id: `prod_${ID}` }],
    ['product', `prd_${ID}`, { by: 'id', id: `prod_${ID}` }],
    ['source', 'acme/cli', { by: 'path', org: 'acme', slug: 'cli' }],
    ['source', ' /acme.example/cli/ ', { by: 'path', org: 'acme.example', slug: 'cli' }],
    ['product', 'cli', { by: 'slug', slug: 'cli' }],
  ];
  for (const [entity, text, reference] of cases) {
    it(`${entity} ${text}`, () => assert.deepEqual(parseReference(entity, text), reference));
  }
  for (const text of ['', '/', 'a/b/c', 'a//b']) {
    it(`refuses "${text}"`, () => assert.throws(() => parseReference('source', text), /must be org\/slug/));
  }
});

describe('a release', () => {
  const accepted = [
    `rel_${ID}`,
    `rel_${ID}-some-title`,
    `https://registry.example/release/rel_${ID}`,
    `https://registry.example/release/rel_${ID}-some-title.md?x=1#y`,
    `/release/rel_${ID}.json`,
  ];
  for (const text of accepted) it(text, () => assert.equal(parseReleaseReference(text), `rel_${ID}`));
  for (const text of ['1.2.3', 'https://registry.example/acme', 'rel_short']) {
    it(`${text} is none`, () => assert.equal(parseReleaseReference(text), null));
  }
});
