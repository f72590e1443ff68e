import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine, type TestEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { startOutsideWorld } from '../../../test/support/outside-world.ts';
import { transact } from '../../context.ts';
import { packed } from '../../domain/archive/archive.fixture.ts';
import { blobHash } from '../../domain/changelog/files.ts';
import { putPackage } from '../../entities/packages/put.ts';
import { storeListing } from '../../packages/listings/store-listing.ts';
import { listFiles } from '../../releases/changelog-files/read-slice.ts';
import { runJob } from '../jobs/jobs.ts';
import { scripted } from '../pipeline/scripted.fixture.ts';
import { claimKey } from '../queue/claim.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { ClaimedJob } from '../queue/job.ts';

const NOTES = '# Changelog\n\n## 1.1.0\n\n- Faster.\n\n## 1.0.0\n\n- First.\n';

forEachEngine('notes inside packages', (engine) => {
  it('are a changelog of a repository that has none, downloaded once for each newest version', async (t) => {
    const world = await worldOf(engine, t);
    world.serveTree([]);
    await world.publish('lamp', '1.1.0', { 'package.json': '{}', 'CHANGELOG.md': NOTES });

    await world.refresh();
    const [file] = await listFiles(world.ctx, world.sourceId);
    assert.deepEqual(
      [file?.path, file?.canonical, file?.url, file?.bytes],
      ['pkg:npm/lamp/CHANGELOG.md', 1, 'https://www.npmjs.com/package/lamp', NOTES.length],
    );
    assert.deepEqual(await world.waiting(), ['changelog', 'fetch']);
    await world.refresh();
    assert.equal(world.requested('/lamp-1.1.0.tgz').length, 1);

    await world.publish('lamp', '1.2.0', { 'HISTORY.md': `## 1.2.0\n\n- New.\n\n${NOTES}` });
    await world.refresh();
    assert.deepEqual(await world.paths(), ['pkg:npm/lamp/HISTORY.md']);
    // The next version comes without its notes.
    await world.publish('lamp', '1.3.0', { 'package.json': '{}' });
    await world.refresh();
    assert.deepEqual(await world.paths(), []);
  });

  it('come with the upgrade guides beside them, and without what no person reads', async (t) => {
    const world = await worldOf(engine, t);
    world.serveTree([]);
    await world.publish('lamp', '1.1.0', {
      'CHANGELOG.md': NOTES,
      'UPGRADING.md': '# Upgrading\n\n## To 1.1.0\n\n- Use `on()` instead of `light()`.\n',
      'node_modules/x/MIGRATION.md': '## 2.0.0\n\n- Of another package.\n',
      'docs/MIGRATION.md': `## 1.0.0\n\n${Array.from({ length: 200_000 }, (_, at) => (at * 7919) % 1_000_003).join(' ')}`,
    });
    await world.refresh();
    assert.deepEqual(await world.paths(), ['pkg:npm/lamp/CHANGELOG.md', 'pkg:npm/lamp/UPGRADING.md']);
    await world.publish('lamp', '1.2.0', { 'CHANGELOG.md': NOTES });
    await world.refresh();
    assert.deepEqual(await world.paths(), ['pkg:npm/lamp/CHANGELOG.md']);
  });

  it('give way to a file of the repository, and come back when it is gone', async (t) => {
    const world = await worldOf(engine, t);
    world.serveTree([]);
    await world.publish('lamp', '1.1.0', { 'CHANGELOG.md': NOTES });
    await world.refresh();
    world.serveTree(['CHANGELOG.md']);
    await world.refresh();
    assert.deepEqual(await world.paths(), ['CHANGELOG.md']);
    world.serveTree([]);
    await world.refresh();
    world.clock.move(25 * 3_600_000);
    await world.refresh();
    assert.deepEqual(await world.paths(), ['pkg:npm/lamp/CHANGELOG.md']);
  });

  it('stand in for a repository that is gone, not for one that only asks to wait', async (t) => {
    const world = await worldOf(engine, t);
    await world.publish('lamp', '1.1.0', { 'CHANGELOG.md': NOTES });
    world.route('/repos/acme/engine/git/trees/HEAD', {
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1772370000' },
    });
    await world.refresh();
    assert.deepEqual(await world.paths(), []);
    world.route('/repos/acme/engine/git/trees/HEAD', { status: 404 });
    world.clock.move(2 * 3_600_000);
    await world.refresh();
    assert.deepEqual(await world.paths(), ['pkg:npm/lamp/CHANGELOG.md']);
  });

  it('of packages that share a repository are kept apart, each under the name of its package', async (t) => {
    const world = await worldOf(engine, t);
    world.serveTree([]);
    await world.publish('lamp', '1.1.0', { 'CHANGELOG.md': NOTES });
    await world.publish('@acme/bulb', '1.0.0', { 'CHANGELOG.md': '## 1.0.0\n\n- Glows.\n' });
    await world.refresh();
    assert.deepEqual(await world.paths(), ['pkg:npm/@acme/bulb/CHANGELOG.md', 'pkg:npm/lamp/CHANGELOG.md']);
    const parts = await world.ctx.store.read.selectFrom('packages').select('package_part').orderBy('name').execute();
    assert.deepEqual(
      parts.map(({ package_part }) => package_part),
      ['@acme/bulb', 'lamp'],
    );
  });

  it('are not read from another archive than the listed one, nor from a private registry', async (t) => {
    const world = await worldOf(engine, t);
    world.serveTree([]);
    await world.publish('lamp', '1.1.0', { 'CHANGELOG.md': NOTES }, { integrity: hashOf(Buffer.from('another one')) });
    await world.publish('@acme/bulb', '1.0.0', { 'CHANGELOG.md': NOTES }, { registry: '@acme' });
    await world.refresh();
    assert.deepEqual(await world.paths(), []);
    assert.equal(world.requested('/lamp-1.1.0.tgz').length, 1);
    assert.equal(world.requested('/@acme/bulb-1.0.0.tgz').length, 0);
  });
});

async function worldOf(engine: TestEngine, t: { after(end: () => Promise<void>): void }) {
  const world = await startOutsideWorld();
  t.after(() => world.close());
  const clock = movableClock('2026-03-01T12:00:00.000Z');
  const { ctx } = await engine.openTestApp({
    clock,
    env: {
      REGISTRY_HOST_DELAY_MS: '0',
      REGISTRY_GITHUB_API_URL: world.url,
      REGISTRY_GITHUB_RAW_URL: world.url,
      REGISTRY_EGRESS_ALLOW: '127.0.0.0/8',
    },
  });
  const { id } = await createSource(ctx, { type: 'github', url: 'https://github.com/acme/engine' });
  const key = `changelog:${id}`;
  return {
    ...world,
    ctx,
    clock,
    sourceId: id,
    serveTree(paths: readonly string[]) {
      const body = Buffer.from(NOTES);
      const tree = paths.map((path) => ({ path, type: 'blob', sha: blobHash(body), size: body.length }));
      world.route('/repos/acme/engine/git/trees/HEAD', { body: JSON.stringify({ sha: 'x', tree }) });
      for (const path of paths) world.route(`/acme/engine/HEAD/${path}`, { body });
    },
    async publish(
      name: string,
      version: string,
      files: Record<string, string>,
      { integrity, registry = null }: { integrity?: string; registry?: string | null } = {},
    ) {
      const bytes = packed(files);
      const path = `/${name}-${version}.tgz`;
      world.route(path, { body: bytes });
      const listed = { version, publishedAt: null, withdrawn: false, withdrawnReason: null, deprecated: null };
      const tarball = { tarballUrl: `${world.url}${path}`, integrity: integrity ?? hashOf(bytes) };
      const listing = { ecosystem: 'npm' as const, spelling: name, registry, latest: version };
      await putPackage(ctx, { ecosystem: 'npm', name, sourceId: id, packagePart: null, origin: 'ingest' }).catch(
        () => {},
      );
      await transact(ctx, (inner) =>
        storeListing(inner, { ...listing, repository: null, homepage: null, versions: [{ ...listed, ...tarball }] }),
      );
    },
    async refresh() {
      await transact(ctx, (inner) =>
        enqueue(inner, { key, kind: 'changelog', sourceId: id, host: 'x', payload: {}, dueAt: clock().toISOString() }),
      );
      const job = await claimKey(ctx, key);
      await runJob(ctx, job as ClaimedJob, { signal: new AbortController().signal, tools: scripted() });
    },
    async waiting() {
      const jobs = await ctx.store.read.selectFrom('jobs').select('kind').orderBy('kind').execute();
      return jobs.map(({ kind }) => kind);
    },
    async paths() {
      return (await listFiles(ctx, id)).map(({ path }) => path).sort();
    },
  };
}

function hashOf(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}
