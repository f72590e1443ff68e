import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type OutsideWorld, startOutsideWorld } from '../../../test/support/outside-world.ts';
import {
  type NpmPackage,
  npmFull,
  npmPath,
  npmShort,
  npmUnpublished,
  pypiDocument,
  serveNpm,
} from '../../../test/support/package-documents.ts';
import { pooledTasks } from '../../threads/documents.ts';
import { REGISTRY_ADAPTERS } from './adapters.ts';
import type { ListingAnswer, PackageRequest } from './contract.ts';

const now = new Date('2026-03-01T00:00:00.000Z');
const days = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`1.${index}.0`, '2026-01-05']));

describe('adapters of package registries', () => {
  let world: OutsideWorld;
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());

  const ask = (ecosystem: 'npm' | 'pypi', spelling: string, more: Partial<PackageRequest> = {}) =>
    REGISTRY_ADAPTERS[ecosystem].listVersions(
      { fetch: world.fetch(), now },
      {
        registry: { ecosystem, scope: null, url: world.url, token: null },
        spelling,
        validators: null,
        dated: async () => new Set(),
        hasFacts: true,
        ...more,
      },
    );
  const listing = (answer: ListingAnswer) => {
    assert.equal(answer.kind, 'listing', JSON.stringify(answer));
    return answer.kind === 'listing' ? answer : assert.fail();
  };
  const failure = (answer: ListingAnswer) =>
    answer.kind === 'failure' ? [answer.outcome, answer.reason] : answer.kind;

  it('reads versions from the short document, and dates and the description from the full one', async () => {
    const one: NpmPackage = {
      name: 'JSONStream',
      versions: { '1.0.0': '2019-01-02', '1.1.0': '2026-01-05', '2.0.0-rc.1': '2026-02-01' },
      latest: '1.1.0',
      deprecated: { '1.0.0': 'Has a\nleak,   see <b>1.1.0</b>' },
    };
    serveNpm(world, one);
    const answer = listing(await ask('npm', 'JSONStream'));
    assert.deepEqual(
      answer.listing.versions.map(({ version, publishedAt, deprecated }) => [
        version,
        publishedAt?.slice(0, 10),
        deprecated,
      ]),
      [
        ['1.0.0', '2019-01-02', 'Has a leak, see <b>1.1.0</b>'],
        ['1.1.0', '2026-01-05', null],
        ['2.0.0-rc.1', '2026-02-01', null],
      ],
    );
    const { latest, repository, homepage, spelling } = answer.listing;
    assert.deepEqual(
      [latest, repository, homepage, spelling],
      ['1.1.0', 'https://github.com/acme/jsonstream', 'https://home.example/', 'JSONStream'],
    );
    assert.deepEqual(answer.listing.tags, { latest: '1.1.0', next: '1.1.0' });
    assert.match(answer.listing.versions[0]?.integrity ?? '', /^sha512-/);
    assert.equal(world.requested('/JSONStream').length, 2);

    assert.equal((await ask('npm', 'JSONStream', { validators: answer.validators })).kind, 'unchanged');
    assert.equal(world.requested('/JSONStream').length, 3);
    // Nothing new to date: the full document stays where it is.
    const dated = async () => new Set(Object.keys(one.versions));
    serveNpm(world, { ...one, deprecated: {} });
    const again = listing(await ask('npm', 'JSONStream', { validators: answer.validators, dated }));
    assert.deepEqual([again.described, again.listing.versions[0]?.deprecated], [false, null]);
    assert.deepEqual(again.listing.tags, answer.listing.tags);
    assert.equal(world.requested('/JSONStream').length, 4);
  });

  it('knows a document without an ETag by its text, and one form where the registry has no other', async () => {
    const body = JSON.stringify(npmFull({ name: 'plain', versions: { '1.0.0': '2026-01-05' } }));
    world.route('/plain', { body });
    const answer = listing(await ask('npm', 'plain'));
    assert.deepEqual([answer.described, world.requested('/plain').length], [true, 1]);
    assert.equal((await ask('npm', 'plain', { validators: answer.validators })).kind, 'unchanged');
  });

  it('reads a thousand versions of a scoped name, all of one day', async () => {
    serveNpm(world, { name: '@acme/forms', versions: days(1000) });
    const { versions } = listing(await ask('npm', '@acme/forms')).listing;
    assert.equal(versions.length, 1000);
    assert.deepEqual([...new Set(versions.map(({ publishedAt }) => publishedAt))], ['2026-01-05T08:00:00.000Z']);
    assert.equal(world.requested(npmPath('@acme/forms'))[0]?.path, '/@acme%2Fforms');
  });

  it('reads a document of 30 MB on a thread, and goes without dates above the limit', async () => {
    const big = { name: 'big', versions: days(20), readme: 'x'.repeat(30 * 1024 * 1024) };
    world.route('/big', ({ headers }) => ({
      body: JSON.stringify(String(headers.accept).includes('install') ? npmShort(big) : npmFull(big)),
    }));
    const before = pooledTasks();
    const answer = listing(await ask('npm', 'big'));
    assert.equal(
      answer.listing.versions.every(({ publishedAt }) => publishedAt !== null),
      true,
    );
    assert.ok(pooledTasks() > before);

    const huge = { ...big, name: 'huge', readme: `${big.readme}${'y'.repeat(4 * 1024 * 1024)}` };
    world.route('/huge', ({ headers }) => ({
      body: JSON.stringify(String(headers.accept).includes('install') ? npmShort(huge) : npmFull(huge)),
    }));
    const short = listing(await ask('npm', 'huge'));
    assert.equal(short.listing.versions.length, 20);
    assert.match(short.remark ?? '', /no dates .*more than 32 MB/);
  });

  it('names every failure, and takes none for a listing', async () => {
    world.route('/refused', { status: 401, body: '{}' });
    world.route('/forbidden', { status: 403, body: '{}' });
    world.route('/busy', { status: 429, headers: { 'Retry-After': '600' }, body: '' });
    world.route('/html', '<html><body>Sign in</body></html>');
    world.route('/broken', '{"name":"broken","versions":{"1.0.0":{"name"');
    world.route('/empty', JSON.stringify({ name: 'empty', 'dist-tags': {}, versions: {} }));
    world.route('/list', '[]');
    world.route('/other', JSON.stringify(npmFull({ name: 'another', versions: days(1) })));
    world.route('/down', { status: 503, headers: { 'Retry-After': '0' } });
    world.route('/error', { status: 500 });
    const cases: Record<string, [string, RegExp]> = {
      missing: ['not_found', /http 404/],
      refused: ['refused', /http 401/],
      forbidden: ['refused', /http 403/],
      busy: ['rate_limited', /http 429/],
      html: ['unreadable', /no JSON/],
      broken: ['unreadable', /no JSON/],
      empty: ['unreadable', /no version/],
      list: ['unreadable', /names no package/],
      other: ['unreadable', /another package/],
      error: ['unreachable', /http 500/],
    };
    for (const [name, [outcome, reason]] of Object.entries(cases)) {
      const [found, why] = failure(await ask('npm', name)) as [string, string];
      assert.equal(found, outcome, name);
      assert.match(why, reason, name);
    }
    const busy = await ask('npm', 'busy');
    assert.equal(busy.kind === 'failure' && busy.retryAt, '2026-03-01T00:10:00.000Z');
  });

  it('knows a package that its owner has taken back', async () => {
    world.route('/gone', ({ headers }) =>
      String(headers.accept).includes('install') ? { status: 404, body: '{}' } : JSON.stringify(npmUnpublished('gone')),
    );
    assert.equal((await ask('npm', 'gone')).kind, 'unpublished');
  });

  it('keeps hostile texts out: long versions, control characters, addresses that are none', async () => {
    const versions = {
      '1.0.0': { deprecated: 'x'.repeat(10_000), dist: { tarball: 'javascript:alert(1)', integrity: 'sha512-<b>' } },
      ['1'.repeat(500)]: {},
      '1\u0000': {},
      '': {},
      '2.0.0': 'nothing',
    };
    world.route(
      '/hostile',
      JSON.stringify({ name: 'hostile', versions, time: { '1.0.0': '9999-01-01' }, repository: { url: {} } }),
    );
    const { versions: read, repository } = listing(await ask('npm', 'hostile')).listing;
    assert.deepEqual(
      read.map((one) => [one.version, one.deprecated?.length, one.tarballUrl, one.integrity, one.publishedAt]),
      [
        ['1.0.0', 500, null, null, null],
        ['2.0.0', undefined, null, null, null],
      ],
    );
    assert.equal(repository, null);
  });

  it('sends a token to its own address, and not along a redirect', async () => {
    const elsewhere = await startOutsideWorld();
    try {
      serveNpm(elsewhere, { name: '@acme/moved', versions: days(1) });
      serveNpm(world, { name: '@acme/here', versions: days(1) });
      const path = npmPath('@acme/moved');
      world.route(path, { status: 302, headers: { Location: `${elsewhere.url}${path}` } });
      world.route(npmPath('@acme/inside'), { status: 301, headers: { Location: npmPath('@acme/here') } });
      const registry = { ecosystem: 'npm' as const, scope: '@acme', url: world.url, token: 'secret-token-1' };
      listing(await ask('npm', '@acme/here', { registry }));
      assert.equal(world.requested(npmPath('@acme/here'))[0]?.headers.authorization, 'Bearer secret-token-1');
      const sent = world.requested(npmPath('@acme/here')).length;
      const [outcome, reason] = failure(await ask('npm', '@acme/moved', { registry })) as [string, string];
      assert.deepEqual([outcome, /redirects are not followed/.test(reason)], ['refused', true]);
      assert.equal(elsewhere.requests.length, 0);
      assert.equal((failure(await ask('npm', '@acme/inside', { registry })) as string[])[0], 'refused');
      assert.equal(world.requested(npmPath('@acme/here')).length, sent);
      // Without a token a redirect is followed, so the test above would see a token that leaks.
      listing(await ask('npm', '@acme/moved'));
      assert.equal(elsewhere.requests[0]?.headers.authorization, undefined);
    } finally {
      await elsewhere.close();
    }
  });

  it('reads the Python index: files, yanked versions with their reason, the highest stable version', async () => {
    const document = pypiDocument('Py_Tool', {
      '0.9': { day: '2025-01-01' },
      '1.0': { day: '2026-01-02', yanked: 'Broken wheel' },
      '1.0.1': { files: 0 },
      '1.1': { day: '2026-01-10' },
      '2.0b1': { day: '2026-02-10' },
      '1.2': { day: '2026-02-20', yanked: null },
    });
    world.route('/pypi/py-tool/json', { headers: { ETag: '"1"' }, body: JSON.stringify(document) });
    const answer = listing(await ask('pypi', 'Py_Tool'));
    assert.deepEqual(
      answer.listing.versions.map((one) => [
        one.version,
        one.publishedAt?.slice(0, 10) ?? null,
        one.withdrawn,
        one.withdrawnReason,
      ]),
      [
        ['0.9', '2025-01-01', false, null],
        ['1.0', '2026-01-02', true, 'Broken wheel'],
        ['1.0.1', null, true, 'its files were deleted'],
        ['1.1', '2026-01-10', false, null],
        ['2.0b1', '2026-02-10', false, null],
        ['1.2', '2026-02-20', true, null],
      ],
    );
    const { latest, repository, homepage, versions } = answer.listing;
    assert.deepEqual([latest, repository, homepage], ['1.1', 'https://github.com/acme/py-tool', 'https://py.example/']);
    assert.match(versions[0]?.tarballUrl ?? '', /0\.9-1$/);
    assert.match(versions[0]?.integrity ?? '', /^sha256-/);
    assert.deepEqual(failure(await ask('pypi', 'absent')), ['not_found', 'http 404']);
    world.route('/pypi/none/json', JSON.stringify({ info: { name: 'none' }, releases: {} }));
    assert.deepEqual(failure(await ask('pypi', 'none')), ['unreadable', 'no version is listed']);
  });
});
