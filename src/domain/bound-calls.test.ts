import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inputPlaces, pathPlace } from './bound-calls.ts';

const ID = 'x'.repeat(21);
const PARAMS = { org: 'acme', source: 'cli', product: 'app', src: `src_${ID}`, prod: `prod_${ID}`, rel: `rel_${ID}` };

it('a path names the innermost entry, and nothing where the whole registry is meant', () => {
  const cases: [path: string, named: string | null][] = [
    ['/orgs/{org}', 'org acme'],
    ['/orgs/{org}/overview', 'org acme'],
    ['/orgs/{org}/ignored-urls/{url}', 'org acme'],
    ['/orgs/{org}/sources/{source}/releases', 'source cli acme'],
    ['/orgs/{org}/products/{product}', 'product app acme'],
    ['/sources/{src}/releases/batch', `source src_${ID}`],
    ['/products/{prod}', `product prod_${ID}`],
    ['/releases/{rel}/suppress', `release rel_${ID}`],
    ['/releases/batch', null],
    ['/releases/{rel}/coverage', null],
    ['/orgs', null],
    ['/orgs/{org}/tags', null],
    ['/orgs/{org}/products/{product}/aliases/{domain}', null],
    ['/orgs/{org}/sync-well-known', null],
    ['/sources/{src}/restore', null],
    ['/collections/{col}/members/{org}', null],
    ['/packages/{pkg}', null],
    ['/admin/sources/{src}/accept', null],
  ];
  for (const [path, named] of cases) {
    const place = pathPlace(path, PARAMS);
    assert.equal(place && [place.type, place.name, place.org].filter(Boolean).join(' '), named, path);
  }
});

it('every id in the input counts, and what cannot be told is refused', () => {
  const source = { type: 'source', name: 'cli' } as const;
  const org = { type: 'org', name: 'acme' } as const;
  const cases: [
    place: typeof source | typeof org,
    input: { query?: unknown; body?: unknown },
    names: string[] | null,
  ][] = [
    [source, {}, ['cli']],
    [source, { body: { title: 'See rel_1', releases: [{ version: '1.0.0' }] } }, ['cli']],
    [source, { body: { orgId: `org_${ID}` } }, ['cli', `org_${ID}`]],
    [source, { body: { orgId: null } }, null],
    [source, { body: { orgSlug: 'other' } }, null],
    [source, { query: { source: 'other' } }, null],
    [source, { body: { deep: [{ releaseIds: [`rel_${ID}`] }] } }, ['cli', `rel_${ID}`]],
    [source, { body: { slug: 'other' } }, ['cli']],
    [org, { body: { slug: 'other' } }, null],
    [org, { body: { featured: true } }, null],
    [org, { body: { domain: 'other.example' } }, null],
    [org, { body: { description: 'Makes tools' } }, ['acme']],
  ];
  for (const [place, input, names] of cases) {
    const named = inputPlaces(place, input)?.map(({ name }) => name);
    assert.deepEqual(named ?? null, names, JSON.stringify(input));
  }
});
