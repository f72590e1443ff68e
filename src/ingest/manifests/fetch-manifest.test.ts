import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_INLINE_CHARS, pooledTasks } from '../../threads/documents.ts';
import { TaskTimeout } from '../../threads/task.ts';
import { type DomainAnswer, type Domains, startDomains } from './domains.fixture.ts';
import { fetchManifest, readManifest, stoppedReading } from './fetch-manifest.ts';

const PATH = '/.well-known/releases.json';
const FILE = JSON.stringify({ version: 2, name: 'Acme', releases: [{ github: 'acme/cli' }] });

describe('fetchManifest', () => {
  const hosts = ['acme.example', 'www.acme.example', 'other.example'];
  let domains: Domains;
  before(async () => {
    domains = await startDomains(hosts);
    domains.answer('www.acme.example', { body: FILE });
    domains.answer('other.example', { body: FILE });
  });
  after(() => domains.close());

  const moved = (location: string): DomainAnswer => ({ status: 301, headers: { location } });
  const cases: [string, DomainAnswer, string][] = [
    ['the file', { body: FILE }, 'ok'],
    ['the file with a byte order mark', { body: `\ufeff${FILE}` }, 'ok'],
    ['404', { status: 404 }, 'not_found'],
    ['410', { status: 410 }, 'not_found'],
    ['403', { status: 403 }, 'blocked'],
    ['451', { status: 451 }, 'blocked'],
    ['500', { status: 500 }, 'http_error'],
    ['429', { status: 429 }, 'http_error'],
    ['a closed connection', { reset: true }, 'network_error'],
    ['300 KiB', { body: ' '.repeat(300 * 1024) }, 'too_large'],
    ['a page', { body: '<html>' }, 'invalid_json'],
    ['another version', { body: '{"version":3}' }, 'invalid_schema'],
    ['a move to www', moved(`https://www.acme.example${PATH}`), 'ok'],
    ['a move to another path', moved('https://www.acme.example/releases.json'), 'http_error'],
    ['a move to another host', moved(`https://other.example${PATH}`), 'http_error'],
    ['a move without end', moved(`https://acme.example${PATH}`), 'http_error'],
  ];
  for (const [label, answer, result] of cases) {
    it(`${label}: ${result}`, async () => {
      domains.answer('acme.example', answer);
      const read = await fetchManifest({ fetch: domains.fetch, clock: () => new Date() }, { domain: 'acme.example' });
      assert.equal(read.result, result);
    });
  }

  it('a domain without an address: network_error; a denied one: blocked', async () => {
    const ctx = { fetch: domains.fetch, clock: () => new Date() };
    assert.equal((await fetchManifest(ctx, { domain: 'nobody.example' })).result, 'network_error');
    assert.equal((await fetchManifest(ctx, { domain: 'metadata.google.internal' })).result, 'blocked');
  });

  it('a long file is read on a thread, with the same result', async () => {
    const body = FILE + ' '.repeat(MAX_INLINE_CHARS);
    domains.answer('acme.example', { body });
    const before = pooledTasks();
    const read = await fetchManifest({ fetch: domains.fetch, clock: () => new Date() }, { domain: 'acme.example' });
    assert.equal(pooledTasks() - before, 1);
    assert.deepEqual(read, readManifest(new TextEncoder().encode(body)));
    assert.equal(read.result, 'ok');
  });

  it('a file that takes too long to read: invalid_schema, which says why', () => {
    assert.deepEqual(stoppedReading(new TaskTimeout(10_000)), {
      result: 'invalid_schema',
      issues: [{ pointer: '', reason: 'takes too much to read: not done within 10 s' }],
    });
    assert.throws(() => stoppedReading(new TypeError('no')), TypeError);
  });
});

describe('readManifest', () => {
  const file = (more: object) => new TextEncoder().encode(JSON.stringify({ version: 2, ...more }));
  const pointers = (more: object) => {
    const read = readManifest(file(more));
    return read.result === 'invalid_schema' ? read.issues.map(({ pointer }) => pointer) : read.result;
  };
  const cases: [string, object, unknown][] = [
    ['a locator without a place', { releases: [{ title: 'x' }] }, ['/releases/0']],
    [
      'two canonical locators',
      { releases: ['a/a', 'b/b'].map((github) => ({ github, canonical: true })) },
      ['/releases'],
    ],
    ['a key that no locator has', { releases: [{ github: 'a/a', colour: 'red' }] }, ['/releases/0']],
    ['a key that no product has', { products: [{ name: 'P', colour: 'red' }] }, ['/products/0']],
    ['a place without https', { releases: [{ feed: 'http://acme.example/feed' }] }, ['/releases/0/feed']],
    ['a locator of a product', { products: [{ name: 'P', releases: [{}] }] }, ['/products/0/releases/0']],
    [
      'a token that is too long',
      { registries: { r: { verification: 'x'.repeat(501) } } },
      ['/registries/r/verification'],
    ],
    ['a name with a slash', { registries: { 'a/b': { org: 'nonsense' } } }, ['/registries/a~1b/org']],
    ['an unknown key at the top', { colour: 'red' }, 'ok'],
    ['a product id of either spelling', { registries: { r: { product: 'prod_abc' } } }, 'ok'],
    ['another text as product id', { registries: { r: { product: 'abc' } } }, ['/registries/r/product']],
  ];
  for (const [label, more, expected] of cases) it(label, () => assert.deepEqual(pointers(more), expected));

  it('refuses bytes that are no UTF-8', () => {
    assert.equal(readManifest(Uint8Array.of(0x22, 0xff, 0x22)).result, 'invalid_json');
  });
});
