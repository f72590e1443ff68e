import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseReference, type Reference } from './references.ts';

const SERVER = 'https://registry.example';
const ID = '0123456789abcdefghijK';

describe('how things are named', () => {
  const cases: [text: string, reference: Reference][] = [
    ['acme', { by: 'slug', slug: 'acme' }],
    [' /acme/ ', { by: 'slug', slug: 'acme' }],
    ['acme/cli', { by: 'path', org: 'acme', slug: 'cli' }],
    ['acme/cli@1.2.0', { by: 'version', of: 'acme/cli', version: '1.2.0' }],
    ['npm:lamp', { by: 'package', ecosystem: 'npm', name: 'lamp' }],
    ['PyPI:lamp', { by: 'package', ecosystem: 'pypi', name: 'lamp' }],
    ['cargo:lamp', { by: 'slug', slug: 'cargo:lamp' }],
    ['npm:@acme/lamp', { by: 'package', ecosystem: 'npm', name: '@acme/lamp' }],
    ['npm:lamp@1.2.3', { by: 'version', of: 'npm:lamp', version: '1.2.3' }],
    ['@acme/lamp', { by: 'package', ecosystem: 'npm', name: '@acme/lamp' }],
    ['@acme/lamp@1.2.3', { by: 'version', of: 'npm:@acme/lamp', version: '1.2.3' }],
    ['cli@v2', { by: 'version', of: 'cli', version: 'v2' }],
    ['acme/mono@@acme/core@1.2.0', { by: 'version', of: 'acme/mono', version: '@acme/core@1.2.0' }],
    [`src_${ID}@1.2.0`, { by: 'version', of: `src_${ID}`, version: '1.2.0' }],
    ['acme.example', { by: 'domain', domain: 'acme.example', address: null }],
    [`org_${ID}`, { by: 'id', entity: 'org', id: `org_${ID}` }],
    [`prd_${ID}`, { by: 'id', entity: 'product', id: `prod_${ID}` }],
    [`rel_${ID}-with-words`, { by: 'id', entity: 'release', id: `rel_${ID}` }],
    ['src_short', { by: 'id', entity: 'source', id: 'src_short' }],
    [`https://other.example/release/rel_${ID}-x.md`, { by: 'id', entity: 'release', id: `rel_${ID}` }],
    [`${SERVER}/acme`, { by: 'slug', slug: 'acme' }],
    [`${SERVER}/acme/overview`, { by: 'slug', slug: 'acme' }],
    [`${SERVER}/acme/cli.json`, { by: 'path', org: 'acme', slug: 'cli' }],
    [`${SERVER}/acme/cli/changelog?offset=3#passage`, { by: 'path', org: 'acme', slug: 'cli' }],
    [`${SERVER}/acme/product/cli`, { by: 'path', org: 'acme', slug: 'cli' }],
    [`${SERVER}/collections/tools`, { by: 'collection', slug: 'tools' }],
    [`${SERVER}/sources/src_${ID}`, { by: 'id', entity: 'source', id: `src_${ID}` }],
    ['https://github.com/acme/cli.git', { by: 'repository', coordinate: 'acme/cli' }],
    ['https://www.acme.example/', { by: 'domain', domain: 'acme.example', address: null }],
    ['https://acme.example/blog/x', { by: 'domain', domain: 'acme.example', address: 'blog/x' }],
  ];
  for (const [text, reference] of cases) {
    it(text, () => {
      assert.deepEqual(parseReference(text, SERVER), reference);
    });
  }

  for (const text of ['', 'a//b', 'a/b/c']) {
    it(`nothing: "${text}"`, () => {
      assert.throws(() => parseReference(text, SERVER), /names nothing/);
    });
  }
});
