// Manifests, lookups, evaluation and the probe through the real service, with the outside world on the loopback.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { App } from '../../src/app.ts';
import { release, serveGithub, tag } from '../../src/ingest/adapters/github/github.fixture.ts';
import { runJob } from '../../src/ingest/jobs/jobs.ts';
import { type Domains, startDomains } from '../../src/ingest/manifests/domains.fixture.ts';
import { claim } from '../../src/ingest/queue/claim.ts';
import { runCommand } from '../../src/main.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { type OutsideWorld, startOutsideWorld } from '../support/outside-world.ts';
import { type Service, startService } from '../support/service.ts';

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>Acme news</title><link>https://acme.example/news</link>
  <item><title>Acme 2.0</title><link>https://acme.example/news/2</link><pubDate>Mon, 01 Apr 2024 00:00:00 GMT</pubDate>
  <description>Everything is faster now.</description></item></channel></rss>`;

let world: OutsideWorld;
let domains: Domains;

forEachEngine('the routes of manifests and lookups', (engine) => {
  before(async () => {
    world = await startOutsideWorld();
    domains = await startDomains(['acme.example', 'keyed.example']);
  });
  after(async () => {
    await world.close();
    await domains.close();
  });

  let app: App;
  let service: Service;
  let twinEnv: Record<string, string>;
  before(async () => {
    const guarded = world.fetch();
    const database = await engine.openTestDatabase();
    const env = { REGISTRY_GITHUB_API_URL: world.url, REGISTRY_GITHUB_RAW_URL: world.url, REGISTRY_GITHUB_TOKEN: 't' };
    // Two servers simulate the outside world: host names lead to one, the URL of the code host to the other.
    const fetch: typeof guarded = (request) =>
      (String(request.url).startsWith(world.url) ? guarded : domains.fetch)(request);
    twinEnv = { ...database, ...env };
    world.requests.length = 0;
    app = await engine.openTestApp({ fetch, database: twinEnv });
    service = await startService(app);
  });

  it('a manifest with a feed, synced, and one pass of a worker: its releases are listed', async () => {
    const releases = [{ feed: 'https://acme.example/log.xml' }];
    domains.manifest('acme.example', { version: 2, name: 'Acme', releases });
    domains.answer('acme.example', { body: FEED, headers: { 'content-type': 'application/rss+xml' } }, '/log.xml');
    const created = await service.root.post('/v1/orgs', { name: 'Acme', domain: 'acme.example' });
    const path = `/v1/orgs/${created.body.id}/sync-well-known`;

    const dry = await service.root.post(`${path}?dryRun=true`);
    assert.deepEqual([dry.status, dry.body.applied, dry.body.plan[0].action], [200, false, 'create']);
    const synced = await service.root.post(path);
    assert.deepEqual([synced.status, synced.body.applied, synced.body.result], [200, true, 'ok']);
    const job = await claim(app.ctx);
    assert.ok(job);
    await runJob(app.ctx, job, { signal: AbortSignal.timeout(60_000) });

    const listed = await service.anonymous.get(`/v1/orgs/${created.body.id}/releases`);
    assert.deepEqual(
      listed.body.releases.map((row: { title: string }) => row.title),
      ['Acme 2.0'],
    );
    assert.equal((await service.root.post(path)).body.result, 'unchanged');
  });

  it('a stub by dry run, asked for in the query: nothing is stored', async () => {
    domains.manifest('keyed.example', {
      version: 2,
      name: 'Keyed',
      releases: [{ feed: 'https://keyed.example/log.xml' }],
    });
    const path = '/v1/orgs/stub-from-domain';
    const dry = await service.root.post(`${path}?dryRun=true`, { domain: 'keyed.example' });
    assert.deepEqual([dry.body.created, dry.body.skippedReason], [false, 'dry_run']);
    assert.equal((await service.root.get('/v1/orgs/keyed')).status, 404);

    const made = await service.root.post(`${path}?dryRun=true`, { domain: 'keyed.example', dryRun: false });
    assert.equal(made.body.created, true);
    const plan = await service.root.post(`/v1/orgs/${made.body.org.id}/promote?dryRun=true`);
    assert.deepEqual([plan.status, plan.body.promoted], [200, false]);
    assert.equal((await service.root.get(`/v1/orgs/${made.body.org.id}`)).body.status, 'stub');
  });

  it('stub-from-domain and promote', async () => {
    const again = await service.root.post('/v1/orgs/stub-from-domain', { domain: 'acme.example' });
    assert.deepEqual([again.status, again.body], [200, { created: false, skippedReason: 'org_exists' }]);
    assert.equal((await service.anonymous.post('/v1/orgs/stub-from-domain', { domain: 'acme.example' })).status, 401);
    const promoted = await service.root.post('/v1/orgs/acme/promote', {});
    assert.deepEqual([promoted.status, promoted.body.alreadyTracked], [200, true]);
    assert.equal((await service.root.post('/v1/orgs/nobody/promote', {})).status, 404);
  });

  it('a lookup reads the repository, silently, and is answered from the store afterwards', async () => {
    serveGithub(world, { releases: [release(1), release(2)] });

    const first = await service.anonymous.post('/v1/lookups', { provider: 'github', coordinate: 'Acme/Engine' });
    assert.deepEqual([first.status, first.body.status, first.body.releases.length], [200, 'indexed', 2]);
    assert.equal((await app.ctx.store.read.selectFrom('events').select('id').execute()).length, 0);
    const second = await service.anonymous.post('/v1/lookups', { provider: 'github', coordinate: 'acme/engine' });
    assert.deepEqual([second.body.status, second.body.source.id], ['existing', first.body.source.id]);
    const detail = await service.anonymous.get(`/v1/sources/${first.body.source.id}`);
    assert.equal(detail.status, 200);
    const wrong = await service.anonymous.post('/v1/lookups', { provider: 'github', coordinate: 'nonsense' });
    assert.deepEqual([wrong.status, wrong.body.error.code], [400, 'bad_request']);
    const missing = await service.anonymous.post('/v1/lookups', { provider: 'github', coordinate: 'acme/none' });
    assert.deepEqual([missing.body.status, missing.body.relatedOrg.org.slug], ['not_found', 'acme']);
  });

  describe('a lookup of a large repository', () => {
    const drain = () => createWorker(app.ctx, { tasks: createFetching() }).drain();
    const stored = async (sourceId: string) =>
      (await app.ctx.store.read.selectFrom('releases').select('id').where('source_id', '=', sourceId).execute()).length;
    const serve = (name: string, kind: string, rows: object[], size: number) => {
      world.route(`/repos/acme/${name}`, JSON.stringify({ id: size, full_name: `acme/${name}` }));
      world.route(`/repos/acme/${name}/${kind}`, ({ path }) => {
        const page = Number(new URL(path, world.url).searchParams.get('page') ?? 1);
        const next = `<${world.url}/repos/acme/${name}/${kind}?per_page=100&page=${page + 1}>; rel="next"`;
        const headers: Record<string, string> = rows.length > page * size ? { link: next } : {};
        return { body: JSON.stringify(rows.slice((page - 1) * size, page * size)), headers };
      });
    };

    it('reads one page of releases in the call, and the others silently behind it', async () => {
      serve(
        'large',
        'releases',
        Array.from({ length: 130 }, (_, index) => release(130 - index)),
        10,
      );

      const { body } = await service.anonymous.post('/v1/lookups', { provider: 'github', coordinate: 'acme/large' });

      assert.deepEqual([body.status, body.releases.length], ['indexed', 10]);
      assert.equal(world.requested('/repos/acme/large/releases').length, 1);
      await drain();
      assert.equal(await stored(body.source.id), 130);
      assert.equal((await app.ctx.store.read.selectFrom('events').select('id').execute()).length, 0);
    });

    it('reads one page of tags, and all of them behind it', async () => {
      const tags = Array.from({ length: 25 }, (_, index) => tag(`v1.${index}.0`));
      serve('tagged', 'tags', tags, 10);
      world.route('/repos/acme/tagged/releases', '[]');

      const { body } = await service.anonymous.post('/v1/lookups', { provider: 'github', coordinate: 'acme/tagged' });

      assert.deepEqual([body.status, body.releases.length], ['indexed', 10]);
      assert.equal(world.requested('/repos/acme/tagged/tags').length, 1);
      await drain();
      assert.equal(await stored(body.source.id), 25);
    });

    it('finds the entries of one that has a changelog and nothing else', async () => {
      const tree = [{ path: 'CHANGELOG.md', type: 'blob', mode: '100644', sha: 'c1', size: 60 }];
      world.route('/repos/acme/noted', JSON.stringify({ id: 4242, full_name: 'acme/noted' }));
      for (const kind of ['releases', 'tags']) world.route(`/repos/acme/noted/${kind}`, '[]');
      world.route('/repos/acme/noted/git/trees/HEAD', JSON.stringify({ tree, truncated: false }));
      world.route(
        '/acme/noted/HEAD/CHANGELOG.md',
        '# Changelog\n\n## 1.1.0 - 2024-05-01\n\n- Two\n\n## 1.0.0\n\n- One\n',
      );

      const { body } = await service.anonymous.post('/v1/lookups', { provider: 'github', coordinate: 'acme/noted' });

      assert.deepEqual(
        [body.status, body.releases?.map((row: { version: string }) => row.version)],
        ['indexed', ['1.1.0', '1.0.0']],
      );
    });
  });

  it('20 lookups at once, by two processes: one reading, one source', async () => {
    const twin = await startService(await engine.openTestApp({ fetch: app.ctx.fetch, database: twinEnv }));
    world.route('/repos/acme/busy', JSON.stringify({ id: 88, full_name: 'acme/busy' }));
    world.route('/repos/acme/busy/releases', JSON.stringify([release(1)]));
    const body = { provider: 'github', coordinate: 'acme/busy' };

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? twin : service).root.post('/v1/lookups', body)),
    );

    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
    assert.equal(new Set(answers.map((answer) => answer.body.source.id)).size, 1);
    assert.deepEqual(new Set(answers.map((answer) => answer.body.releases.length)), new Set([1]));
    assert.equal(world.requested('/repos/acme/busy/releases').length, 1);
  });

  it('under an idempotency key the outside is asked once, and the answer is repeated', async () => {
    world.route('/repos/acme/keyed', JSON.stringify({ id: 99, full_name: 'acme/keyed' }));
    world.route('/repos/acme/keyed/releases', JSON.stringify([release(1)]));
    domains.manifest('keyed.example', { version: 2, name: 'Keyed', releases: [{ feed: 'https://keyed.example/f' }] });
    const probed = (await service.root.post('/v1/sources', { name: 'P', url: 'https://github.com/acme/tree' })).body.id;
    world.route('/repos/acme/tree/git/trees/HEAD', JSON.stringify({ tree: [], truncated: false }));
    const calls: [path: string, body: object][] = [
      ['/v1/lookups', { provider: 'github', coordinate: 'acme/keyed' }],
      ['/v1/orgs/stub-from-domain', { domain: 'keyed.example' }],
      ['/v1/orgs/keyed/sync-well-known', {}],
      ['/v1/orgs/keyed/promote', {}],
      [`/v1/sources/${probed}/changelog/probe`, {}],
    ];
    for (const [index, [path, body]] of calls.entries()) {
      const key = { 'Idempotency-Key': `outside-0123456789-${index}` };

      const first = await service.root.post(path, body, key);
      const requested = [world.requests.length, domains.requested.length];
      const again = await service.root.post(path, body, key);

      assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body], path);
      assert.equal(again.headers.get('idempotency-replayed'), 'true', path);
      assert.deepEqual([world.requests.length, domains.requested.length], requested, path);
    }
  });

  it('the probe names the changelog files of a repository', async () => {
    const blob = (path: string) => ({ path, type: 'blob', mode: '100644', sha: path, size: 1 });
    const files = ['CHANGELOG.md', 'packages/a/CHANGELOG.md', 'README.md'];
    world.route('/repos/acme/probe/git/trees/HEAD', JSON.stringify({ tree: files.map(blob), truncated: false }));
    const source = { name: 'Probe', url: 'https://github.com/acme/probe' };
    const { id } = (await service.root.post('/v1/sources', source)).body;

    const found = await service.root.post(`/v1/sources/${id}/changelog/probe`);
    assert.deepEqual(found.body.paths, [
      { path: 'CHANGELOG.md', origin: 'root', exists: true },
      { path: 'packages/a/CHANGELOG.md', origin: 'workspace', exists: true },
    ]);
    await service.root.patch(`/v1/sources/${id}/metadata`, { changelogPaths: ['docs/NEWS.md', 'README.md'] });
    const named = await service.root.post(`/v1/sources/${id}/changelog/probe`);
    assert.deepEqual(named.body.paths, [
      { path: 'docs/NEWS.md', origin: 'override', exists: false },
      { path: 'README.md', origin: 'override', exists: true },
    ]);
    const page = (await service.root.post('/v1/sources', { name: 'Page', url: 'https://acme.example/x' })).body;
    assert.equal((await service.root.post(`/v1/sources/${page.id}/changelog/probe`)).status, 400);
    const gone = (await service.root.post('/v1/sources', { name: 'Gone', url: 'https://github.com/acme/gone' })).body;
    const failed = await service.root.post(`/v1/sources/${gone.id}/changelog/probe`);
    assert.deepEqual([failed.status, failed.body.error.details.status], [502, 404]);
  });

  it('`registry source add` evaluates, asks and creates', async () => {
    domains.answer('acme.example', { body: FEED, headers: { 'content-type': 'application/rss+xml' } }, '/other.xml');
    const lines: string[] = [];
    const terminal = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line) };
    const run = (args: string[], env: Record<string, string> = { REGISTRY_API_KEY: ROOT_KEY }) =>
      runCommand({ args: ['source', ...args, '--server', service.url], env }, terminal);

    assert.equal(await run(['add', 'https://acme.example/other.xml', '--yes', '--name', 'Other']), 0);
    assert.match(lines.join('\n'), /method\tfeed .*\n(?:.*\n)*created other \(src_/);
    assert.equal(await run(['add', 'https://acme.example/nothing', '--yes']), 1);
    assert.equal(await run(['add', 'https://acme.example/other.xml', '--yes'], {}), 1);
    assert.equal(await run(['remove', 'x']), 2);
    const stored = await app.ctx.store.read.selectFrom('sources').selectAll().where('slug', '=', 'other').execute();
    assert.deepEqual(
      stored.map((row) => [row.type, row.feed_url, row.feed_type]),
      [['feed', 'https://acme.example/other.xml', 'rss']],
    );
  });
});
