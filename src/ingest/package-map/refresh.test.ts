import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { type OutsideWorld, type SeenRequest, startOutsideWorld } from '../../../test/support/outside-world.ts';
import type { Context } from '../../context.ts';
import { blobHash } from '../../domain/changelog/files.ts';
import { putPackage } from '../../entities/packages/put.ts';
import { updateSource } from '../../entities/sources/update.ts';
import { toJson } from '../../store/json-text.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { MAX_INLINE_CHARS, pooledTasks } from '../../threads/documents.ts';
import { scheduleListings } from '../registries/due-packages.ts';
import { refreshPackageMap } from './refresh.ts';

const ROOT = '/repos/acme/engine';
const npm = (name: string, more: object = {}) => JSON.stringify({ name, ...more });

forEachEngine('the package map of a repository', (engine) => {
  let world: OutsideWorld;
  const files = new Map<string, string>();
  let truncated = false;

  before(async () => {
    world = await startOutsideWorld();
    world.route(`${ROOT}/git/trees/HEAD`, (request) => treeAnswer(request));
    world.route(`${ROOT}/contents/`, () =>
      JSON.stringify([...tree()].filter(({ path }) => !path.includes('/')).map((file) => ({ ...file, type: 'file' }))),
    );
  });
  after(() => world.close());
  beforeEach(() => {
    files.clear();
    truncated = false;
  });

  function tree() {
    return [...files].map(([path, text]) => ({
      path,
      type: 'blob',
      sha: blobHash(Buffer.from(text)),
      size: text.length,
    }));
  }

  function treeAnswer({ headers }: SeenRequest) {
    const body = JSON.stringify({ tree: tree(), truncated });
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    return headers['if-none-match'] === etag ? { status: 304, headers: { etag } } : { headers: { etag }, body };
  }

  function put(path: string, text: string) {
    files.set(path, text);
    world.route(`/acme/engine/HEAD/${path}`, () => files.get(path) ?? { status: 404 });
  }

  async function setUp() {
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock });
    const org = await createOrg(ctx);
    const repository = (name: string, more: Parameters<typeof createSource>[1] = {}) =>
      createSource(ctx, { orgId: org.id, type: 'github', url: `https://github.com/${name}`, ...more });
    const source = await repository('acme/engine');
    const refresh = async (id = source.id, coordinate = 'acme/engine') => {
      world.requests.length = 0;
      const row = await ctx.store.read.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      // Every repository of these tests has the same files.
      const requested: SourceRow = { ...row, github_coordinate: coordinate };
      return refreshPackageMap(ctx, world.context({ now: clock() }), requested);
    };
    return { ctx, clock, source, repository, refresh };
  }

  const map = async (ctx: Context) => {
    const rows = await ctx.store.read.selectFrom('packages').selectAll().orderBy('ecosystem').orderBy('name').execute();
    return rows.map(({ ecosystem, name, package_part }) => `${ecosystem} ${name} ${package_part ?? '-'}`);
  };
  const owner = async (ctx: Context, name: string) => {
    const row = await ctx.store.read
      .selectFrom('packages')
      .select('source_id')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.source_id ?? null;
  };
  const requested = () => world.requests.map(({ path }) => path.replace('/acme/engine/HEAD/', ''));

  it('reads a long manifest on a thread', async () => {
    const { ctx, refresh } = await setUp();
    put('package.json', npm('engine', { repository: 'acme/engine', junk: 'x'.repeat(MAX_INLINE_CHARS) }));
    const before = pooledTasks();
    assert.equal((await refresh()).outcome, 'success');
    // Its bytes and its text.
    assert.equal(pooledTasks() - before, 2);
    assert.deepEqual(await map(ctx), ['npm engine -']);
  });

  it('holds what its manifests and scoped tags name, under the prefix of their tags', async () => {
    const { ctx, source, refresh } = await setUp();
    const tags = ['@acme/core@1.0.0', 'cli-v1.0.0', 'packages/server/v1.0.0', '@acme/tagged@2.0.0', 'v3.0.0'];
    await postReleases(
      ctx,
      source.id,
      tags.map((tag) => releaseRow(tag)),
      { silent: true },
    );
    put('package.json', npm('acme-root', { private: true }));
    put('packages/core/package.json', npm('@acme/core'));
    put('packages/cli/package.json', npm('@acme/cli'));
    put('packages/server/package.json', npm('@acme/backend'));
    put('packages/plain/package.json', npm('plain'));
    put('py/pyproject.toml', '[project]\nname = "Acme_Py"');
    put('py/old/setup.cfg', '[metadata]\nname = acme.old\n');
    put('examples/demo/package.json', npm('demo'));
    put('node_modules/react/package.json', npm('react'));
    put('packages/broken/package.json', '{');
    put('README.md', '# Engine');

    const first = await refresh();
    const again = await refresh();

    assert.deepEqual([first.outcome, first.read, first.changed], ['success', 8, 7]);
    assert.deepEqual(await map(ctx), [
      'npm @acme/backend packages/server',
      'npm @acme/cli cli',
      'npm @acme/core @acme/core',
      'npm @acme/tagged @acme/tagged',
      'npm plain -',
      'pypi acme-old -',
      'pypi acme-py -',
    ]);
    assert.deepEqual([again.outcome, again.read, again.changed], ['no_change', 0, 0]);
    assert.deepEqual(requested(), [`${ROOT}/git/trees/HEAD?recursive=1`]);
  });

  it('asks the registry for a package as its manifest spells it', async () => {
    const { ctx, source, repository, refresh } = await setUp();
    const other = await repository('other/engine');
    put('package.json', npm('JSONFlow', { repository: 'acme/engine' }));
    await refresh();
    // Another repository spells a name that is not its own.
    put('package.json', npm('jsonFLOW'));
    await refresh(other.id, 'acme/other');
    await scheduleListings(ctx);

    assert.deepEqual(await map(ctx), ['npm jsonflow -']);
    assert.equal(await owner(ctx, 'jsonflow'), source.id);
    const states = await ctx.store.read
      .selectFrom('package_states')
      .select(['name', 'spelling', 'next_read_at'])
      .execute();
    assert.deepEqual(
      states.map(({ name, spelling, next_read_at }) => [name, spelling, next_read_at !== null]),
      [['jsonflow', 'JSONFlow', true]],
    );
  });

  it('reads only what has changed, and sees new tags without reading anything', async () => {
    const { ctx, source, refresh } = await setUp();
    put('packages/a/package.json', npm('a'));
    put('packages/b/package.json', npm('b'));
    await refresh();
    put('packages/b/package.json', npm('renamed'));

    const changed = await refresh();
    const seen = requested();
    await postReleases(ctx, source.id, [releaseRow('a-v1.0.0'), releaseRow('@s/new@1.0.0')], { silent: true });
    const tagged = await refresh();

    assert.deepEqual([changed.read, seen.slice(1)], [1, ['packages/b/package.json']]);
    assert.deepEqual([tagged.read, tagged.outcome, requested().length], [0, 'success', 1]);
    assert.deepEqual(await map(ctx), ['npm @s/new @s/new', 'npm a a', 'npm renamed -']);
  });

  it('loses an entry only to a complete tree', async () => {
    const { ctx, refresh } = await setUp();
    put('package.json', npm('root'));
    put('packages/a/package.json', npm('a'));
    await refresh();

    files.delete('packages/a/package.json');
    truncated = true;
    const cut = await refresh();
    const kept = await map(ctx);
    truncated = false;
    world.route(`/acme/engine/HEAD/package.json`, { status: 503 });
    files.set('package.json', npm('other'));
    const failed = await refresh();
    const half = await map(ctx);
    put('package.json', npm('other'));
    await refresh();

    assert.deepEqual([cut.outcome, kept], ['no_change', ['npm a -', 'npm root -']]);
    assert.deepEqual([failed.outcome, half], ['unreachable', ['npm a -', 'npm root -']]);
    assert.deepEqual(await map(ctx), ['npm other -']);
  });

  it('leaves the entries of operators alone', async () => {
    const { ctx, source, repository, refresh } = await setUp();
    const other = await repository('acme/other');
    await putPackage(ctx, { ecosystem: 'npm', name: 'mine', sourceId: other.id, packagePart: 'x' });
    await putPackage(ctx, { ecosystem: 'npm', name: 'kept', sourceId: source.id });
    await putPackage(ctx, { ecosystem: 'npm', name: 'imported', sourceId: source.id, origin: 'ingest' });
    put('package.json', npm('mine', { repository: 'acme/engine' }));

    truncated = true;
    await refresh();
    const before = await map(ctx);
    truncated = false;
    await refresh();

    assert.deepEqual(before, ['npm imported -', 'npm kept -', 'npm mine x']);
    assert.deepEqual(await map(ctx), ['npm kept -', 'npm mine x']);
    assert.equal(await owner(ctx, 'mine'), other.id);
  });

  it('gives a name to the better of two claims, and to the other when that one goes', async () => {
    const { ctx, clock, source, repository, refresh } = await setUp();
    clock.move(1000);
    const other = await repository('rival/engine');
    const set = (id: string, row: Partial<SourceRow>) =>
      ctx.store.transaction((tx) => tx.updateTable('sources').set(row).where('id', '=', id).execute(), 'catalog');
    const both = async () => {
      await refresh(other.id);
      await refresh(source.id);
      return (await owner(ctx, 'engine')) === source.id ? 'older' : 'younger';
    };
    put('package.json', npm('engine'));

    assert.equal(await both(), 'older');
    await set(other.id, { stars: 10 });
    assert.equal(await both(), 'younger');
    await set(other.id, { is_fork: 1 });
    assert.equal(await both(), 'older');
    put('package.json', npm('engine', { repository: { url: 'git://github.com/Rival/Engine.git' } }));
    await refresh(other.id, 'acme/engine');
    await set(other.id, { former_coordinates: toJson(['rival/engine']) });
    await ctx.store.transaction((tx) => tx.deleteFrom('package_claims').execute(), 'catalog');
    await ctx.store.transaction((tx) => tx.deleteFrom('source_validators').execute(), 'catalog');
    assert.equal(await both(), 'younger');
    await updateSource(ctx, { src: other.id }, { isHidden: true });
    assert.equal(await both(), 'older');
    await updateSource(ctx, { src: other.id }, { isHidden: false });
    assert.equal(await both(), 'younger');
    files.delete('package.json');
    await refresh(other.id);
    assert.equal(await owner(ctx, 'engine'), source.id);
  });

  it('reports why it failed', async () => {
    const { ctx, refresh } = await setUp();
    put('package.json', npm('a'));
    world.route('/acme/engine/HEAD/package.json', { status: 429, headers: { 'retry-after': '60' } });
    const limited = await refresh();
    world.route(`${ROOT}/git/trees/HEAD`, { status: 404 });
    world.route(`${ROOT}/contents/`, { status: 404 });
    const gone = await refresh();
    world.route(`${ROOT}/git/trees/HEAD`, (request) => treeAnswer(request));

    assert.deepEqual([limited.outcome, gone.outcome], ['throttled', 'gone']);
    assert.deepEqual(await map(ctx), []);
  });
});
