// Packages looked up by their names through the real service: package registries, archives and the code host are servers
// on the loopback that answer as the real ones do.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it, type TestContext } from 'node:test';
import { entry, packed, tgz } from '../../src/domain/archive/archive.fixture.ts';
import { release, serveGithub } from '../../src/ingest/adapters/github/github.fixture.ts';
import { scheduleListings } from '../../src/ingest/registries/due-packages.ts';
import { exportRecords } from '../../src/ingest/transfer/export-records.ts';
import { runCommand } from '../../src/main.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine, type TestEngine } from '../support/engines.ts';
import { type OutsideWorld, startOutsideWorld } from '../support/outside-world.ts';
import { npmFull, npmPath, npmShort, pypiDocument } from '../support/package-documents.ts';
import { startService } from '../support/service.ts';

const NOTES = '# Changelog\n\n## 1.1.0 - 2026-02-01\n\n### Breaking\n\n- `open` is gone.\n\n## 1.0.0\n\n- First.\n';
const HOUR = 3_600_000;

forEachEngine('lookups by name', (engine) => {
  it('read the repository that the registry names, and answer upgrades by the name of the package', async (t) => {
    const { world, service } = await setUp(t, engine);
    serveGithub(world, { releases: [release(1), release(2)] });
    publish(world, { name: 'engine', files: { 'package.json': '{}' } });
    const { body } = await service.anonymous.post('/v1/lookups', { ecosystem: 'npm', package: 'engine' });
    assert.deepEqual(
      [body.status, body.source.type, body.source.url.toLowerCase(), body.releases.length],
      ['indexed', 'github', 'https://github.com/acme/engine', 2],
    );
    const question = '/v1/whats-changed?package=engine&ecosystem=npm&from=1.1.0&to=latest';
    const answer = await service.anonymous.get(question);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body.status, answer.body.matchedBy], ['resolved', 'package_map']);
  });

  it('read the notes inside of a package without a repository, and again with its next version', async (t) => {
    const { world, app, service, clock, work } = await setUp(t, engine);
    const without = { name: 'JSONLamp', repository: '' };
    const guide = '# Upgrading\n\n## Upgrading to 1.1.0\n\n- Replace `light()` with `shine()`.\n';
    publish(world, { ...without, files: { 'package.json': '{}', 'CHANGELOG.md': NOTES, 'UPGRADING.md': guide } });
    const { body } = await service.anonymous.post('/v1/lookups', { ecosystem: 'npm', package: 'JSONLamp' });
    assert.deepEqual(
      [body.status, body.source.type, body.source.url],
      ['indexed', 'scrape', 'https://www.npmjs.com/package/JSONLamp'],
    );
    assert.deepEqual(
      body.releases.map(({ version, url }: { version: string; url: string }) => [version, url]),
      [
        ['1.1.0', 'https://www.npmjs.com/package/JSONLamp/v/1.1.0'],
        ['1.0.0', 'https://www.npmjs.com/package/JSONLamp/v/1.0.0'],
      ],
    );
    const path = `/v1/sources/${body.source.id}`;
    const file = await service.anonymous.get(`${path}/changelog`);
    assert.deepEqual([file.body.path, file.body.content], ['CHANGELOG.md', NOTES]);
    assert.equal((await service.anonymous.get(path)).body.hasChangelogFile, true);
    const asked = await service.anonymous.get('/v1/whats-changed?package=JSONLamp&ecosystem=npm&from=1.0.0&to=1.1.0');
    assert.deepEqual([asked.body.status, asked.body.worst, asked.body.total], ['resolved', 'major', 1]);
    assert.ok(
      asked.body.steps.some(({ text }: { text: string }) => text.includes('Replace `light()` with `shine()`')),
      'steps of the guide inside of the package',
    );

    publish(world, { ...without, version: '1.2.0', files: { 'CHANGELOG.md': `## 1.2.0\n\n- New.\n\n${NOTES}` } });
    clock.move(25 * HOUR);
    await work();
    const again = await service.anonymous.post('/v1/lookups', { ecosystem: 'npm', package: 'JSONLamp' });
    assert.equal(again.body.status, 'existing');
    await work();
    const stored = await app.ctx.store.read.selectFrom('releases').select('version').orderBy('version').execute();
    assert.deepEqual(
      stored.map(({ version }) => version),
      ['1.0.0', '1.1.0', '1.2.0'],
    );
  });

  it('read the upgrade guide inside of a package that has no other notes', async (t) => {
    const { world, service } = await setUp(t, engine);
    const guide =
      '# Guide\n\n## Names\n\n`light()` has been renamed to `shine()`.\n\n## Node\n\nNode.js 20 is required.\n';
    const files = { 'package.json': '{}', 'docs/migrating-from-v1-to-v2.md': guide };
    publish(world, { name: 'guided', repository: '', version: '2.0.0', files });
    const { body } = await service.anonymous.post('/v1/lookups', { ecosystem: 'npm', package: 'guided' });
    assert.deepEqual(
      [body.status, body.releases.map(({ version }: { version: string }) => version)],
      ['indexed', ['2.0.0']],
    );
    const asked = await service.anonymous.get('/v1/whats-changed?package=guided&ecosystem=npm&from=1.0.0&to=2.0.0');
    assert.deepEqual([asked.body.worst, asked.body.judgement], ['major', 'breaks']);
    assert.deepEqual(
      asked.body.steps.map(({ kind, text }: { kind: string; text: string }) => [kind, text]),
      [
        ['rename', '`light()` has been renamed to `shine()`.'],
        ['runtime', 'Node: Node.js 20 is required.'],
      ],
    );

    publish(world, { name: 'unguided', repository: '', files: { 'UPGRADING.md': '# Upgrading\n\nIt is easy.\n' } });
    const other = await service.anonymous.post('/v1/lookups', { ecosystem: 'npm', package: 'unguided' });
    assert.deepEqual([other.body.releases ?? []], [[]]);
  });

  it('read the notes inside of a package whose repository is silent', async (t) => {
    const { world, service } = await setUp(t, engine);
    serveGithub(world, { releases: [] });
    world.route('/repos/acme/engine/tags', '[]');
    world.route('/repos/acme/engine/git/trees/HEAD', JSON.stringify({ sha: 'x', tree: [] }));
    publish(world, { name: 'engine', files: { 'CHANGELOG.md': NOTES } });
    const { body } = await service.anonymous.post('/v1/lookups', { ecosystem: 'npm', package: 'engine' });
    assert.deepEqual([body.status, body.source.type, body.releases.length], ['indexed', 'github', 2]);
    const file = await service.anonymous.get(`/v1/sources/${body.source.id}/changelog`);
    assert.equal(file.body.path, 'pkg:npm/engine/CHANGELOG.md');
  });

  it('read source archives of the Python index', async (t) => {
    const { world, service } = await setUp(t, engine);
    const bytes = packed(
      {
        'PKG-INFO': 'Name: py-lamp',
        'CHANGES.rst': 'Changes\n=======\n\n1.1 (2026-02-01)\n----------------\n\n- New.\n\n1.0\n---\n\n- First.\n',
      },
      'py_lamp-1.1',
    );
    const document = pypiDocument('Py_Lamp', { '1.0': {}, '1.1': {} });
    document.info.project_urls.Source = 'https://code.example/py-lamp';
    const sdist = document.releases['1.1'].find(({ packagetype }: { packagetype: string }) => packagetype === 'sdist');
    Object.assign(sdist, { url: `${world.url}/py_lamp-1.1.tar.gz` });
    sdist.digests.sha256 = createHash('sha256').update(bytes).digest('hex');
    world.route('/pypi/py-lamp/json', JSON.stringify(document));
    world.route('/py_lamp-1.1.tar.gz', { body: bytes });
    const { body } = await service.anonymous.post('/v1/lookups', { ecosystem: 'pypi', package: 'py.lamp' });
    assert.deepEqual(
      [body.status, body.source?.url, body.releases?.map(({ version }: { version: string }) => version)],
      ['indexed', 'https://pypi.org/project/py.lamp/', ['1.1', '1.0']],
    );
  });

  it('say that there is nothing: no package, no notes, an archive that is refused', async (t) => {
    const { world, service } = await setUp(t, engine);
    const lookUp = async (name: string) =>
      (await service.anonymous.post('/v1/lookups', { ecosystem: 'npm', package: name })).body.status;
    assert.equal(await lookUp('nobody'), 'not_found');
    publish(world, { name: 'quiet', repository: '', files: { 'package.json': '{}' } });
    assert.equal(await lookUp('quiet'), 'empty');
    const bomb = tgz([entry({ name: 'package/CHANGELOG.md', body: new Uint8Array(5_000_000) })]);
    publish(world, { name: 'bomb', repository: '', archive: bomb });
    publish(world, { name: 'forged', repository: '', files: { 'CHANGELOG.md': NOTES }, integrity: hashOf(bomb) });
    assert.deepEqual([await lookUp('bomb'), await lookUp('bomb'), await lookUp('forged')], ['empty', 'empty', 'empty']);
    assert.equal(world.requested('/bomb/-/bomb-1.1.0.tgz').length, 1);
    world.route('/broken', { status: 503 });
    assert.equal(await lookUp('broken'), 'deferred');
    const wrong = await service.anonymous.post('/v1/lookups', { ecosystem: 'npm', package: '../x' });
    assert.deepEqual([wrong.status, wrong.body.error.code], [400, 'bad_request']);
  });

  it('leave private packages to those who are admitted, and send the token to their registry alone', async (t) => {
    const registry = await startOutsideWorld();
    t.after(() => registry.close());
    const { world, service, app } = await setUp(t, engine);
    publish(registry, { name: '@acme/secret', repository: '', files: { 'CHANGELOG.md': NOTES } });
    const named = { scope: '@acme', url: registry.url, token: 'its-token' };
    assert.equal((await service.root.put('/v1/admin/package-registries', named)).status, 200);
    const body = { ecosystem: 'npm', package: '@acme/secret' };
    assert.deepEqual((await service.anonymous.post('/v1/lookups', body)).body, {
      status: 'not_found',
      relatedOrg: null,
    });
    assert.deepEqual([registry.requests.length, world.requests.length], [0, 0]);

    const found = await service.root.post('/v1/lookups', body);
    assert.deepEqual([found.body.status, found.body.releases.length], ['indexed', 2]);
    assert.equal(world.requests.length, 0, 'nobody else is told the name');
    const sent = registry.requests.map(({ path, headers }) => [path.endsWith('.tgz'), headers.authorization]);
    assert.deepEqual(sent.at(-1), [true, 'Bearer its-token']);
    const question = '/v1/whats-changed?package=@acme/secret&ecosystem=npm&from=1.0.0&to=1.1.0';
    const admitted = await service.root.get(question);
    assert.deepEqual([admitted.body.status, admitted.body.total], ['resolved', 1]);
    const { id, url } = found.body.source;
    assert.deepEqual([url, found.body.releases[0].url], [`${registry.url}/@acme/secret`, null]);
    const [first] = found.body.releases;
    for (const path of [
      question,
      `/v1/sources/${id}`,
      `/v1/sources/${id}/changelog`,
      `/v1/releases/${first.id}`,
      `/v1/lookups/package?ecosystem=npm&name=@acme/secret`,
      '/v1/search?q=secret',
      '/v1/search?q=gone',
      '/v1/releases/latest?limit=20',
      '/sitemap.xml',
    ]) {
      const { text } = await service.anonymous.get(path);
      assert.doesNotMatch(text.replaceAll(id, ''), /1\.1\.0 - |`open`|secret"?,"source/, path);
      assert.doesNotMatch(text, /npmjs\.com\/package\/@acme/, path);
    }
    assert.equal((await service.anonymous.get(question)).body.reason, 'not_tracked');
    const lines: string[] = [];
    await exportRecords(app.ctx, { write: async (line) => void lines.push(line) });
    assert.doesNotMatch(lines.join(''), /secret|`open`/);

    // Removed, the registry takes with it what was read from it.
    assert.equal((await service.root.delete('/v1/admin/package-registries/%40acme')).status, 204);
    for (const table of ['sources', 'releases', 'packages', 'changelog_files'] as const) {
      assert.deepEqual(await app.ctx.store.read.selectFrom(table).selectAll().execute(), [], table);
    }
  });

  it('are asked by the command line', async (t) => {
    const { world, service } = await setUp(t, engine);
    publish(world, { name: 'lamp', repository: '', files: { 'CHANGELOG.md': NOTES } });
    const run = async (...args: string[]) => {
      const lines: string[] = [];
      const terminal = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line) };
      const env = { REGISTRY_API_URL: service.url, NO_COLOR: '1' };
      const code = await runCommand({ args, env }, { ...terminal, isTTY: false });
      return { code, text: lines.join('\n') };
    };
    const found = await run('lookup', 'npm:lamp');
    assert.equal(found.code, 0);
    assert.match(found.text, /indexed: it was read just now[\s\S]*npmjs\.com\/package\/lamp[\s\S]*1\.1\.0/);
    const json = await run('lookup', 'npm:lamp', '--json');
    assert.equal(JSON.parse(json.text).status, 'existing');
    const missing = await run('lookup', 'npm:nobody');
    assert.equal(missing.code, 1);
    assert.match(missing.text, /not_found/);
  });
});

async function setUp(t: TestContext, engine: TestEngine, more: Record<string, string> = {}) {
  const world = await startOutsideWorld();
  t.after(() => world.close());
  const clock = movableClock('2026-03-01T12:00:00.000Z');
  const env = {
    REGISTRY_EGRESS_ALLOW: '127.0.0.0/8',
    REGISTRY_HOST_DELAY_MS: '0',
    REGISTRY_NPM_URL: world.url,
    REGISTRY_PYPI_URL: world.url,
    REGISTRY_GITHUB_API_URL: world.url,
    REGISTRY_GITHUB_RAW_URL: world.url,
    ...more,
  };
  const app = await engine.openTestApp({ clock, env });
  const service = await startService(app);
  const work = async () => {
    await scheduleListings(app.ctx);
    await createWorker(app.ctx, { tasks: createFetching() }).drain();
  };
  return { world, app, service, clock, work };
}

interface Published {
  name: string;
  version?: string;
  repository?: string;
  files?: Record<string, string>;
  archive?: Uint8Array;
  integrity?: string;
}

// Serves the documents of a package and the archive of its newest version.
function publish(world: OutsideWorld, { name, version = '1.1.0', repository, files = {}, ...given }: Published): void {
  const archive = given.archive ?? packed(files);
  const described = {
    name,
    versions: { '1.0.0': '2026-01-01', [version]: '2026-02-01' },
    origin: world.url,
    ...(repository === undefined ? {} : { repository: { type: 'git', url: repository } }),
  };
  const tarball = `${world.url}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
  const dist = { tarball, integrity: given.integrity ?? hashOf(archive) };
  world.route(npmPath(name), ({ headers }) => {
    const isShort = String(headers.accept).startsWith('application/vnd.npm.install-v1+json');
    const document = isShort ? npmShort(described) : npmFull(described);
    Object.assign(document.versions[version] ?? {}, { dist });
    return { body: JSON.stringify(document), headers: { 'content-type': 'application/json' } };
  });
  world.route(new URL(tarball).pathname, { body: archive });
}

function hashOf(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}
