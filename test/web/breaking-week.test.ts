// /breaking and its weeks: minors and patches first, and nothing said of notes that nobody read.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { putPackage } from '../../src/entities/packages/put.ts';
import { compareVersions } from '../../src/packages/evidence/evidence-of-ranges.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { as, publishSteps, READER } from '../ingest/evidence-world.ts';
import { startRegistry, storeRegistry } from '../ingest/npm-registry.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startService } from '../support/service.ts';

forEachEngine('weeks of breaks', (engine) => {
  async function setUp(t: TestContext) {
    const registry = await startRegistry(t);
    const app = await engine.openTestApp({ env: registry.env, clock: movableClock('2026-02-11T12:00:00.000Z') });
    const { ctx } = app;
    publishSteps(registry, 'forms', {
      '1.0.0': ['open', 'close'],
      '1.0.1': ['open'],
      '2.0.0': ['open'],
      '2.0.1': ['open'],
    });
    const { id: sourceId } = await createSource(ctx, {});
    await putPackage(ctx, { ecosystem: 'npm', name: 'forms', sourceId });
    const release = (version: string, day: string, content: string) =>
      releaseRow(version, { publishedAt: `2026-02-${day}T00:00:00.000Z`, content });
    await postReleases(ctx, sourceId, [
      release('1.0.1', '03', '### Fixed\n\n- A window opens faster than before.'),
      release('2.0.0', '04', '### Breaking changes\n\n- `open` takes no name any more.'),
    ]);
    await storeRegistry(ctx, registry, 'forms');
    await compareVersions(as(ctx, READER), { ecosystem: 'npm', name: 'forms', from: '1.0.0', to: '1.0.1' });
    await createWorker(ctx, { tasks: createFetching() }).drain();
    const { url } = await startService(app);
    return { get: (path: string) => fetch(`${url}${path}`) };
  }

  it('tells by the dates of releases what packages prove and notes tell', async (t) => {
    const { get } = await setUp(t);
    const week = Object(await (await get('/breaking/2026-w06.json')).json());
    assert.deepEqual(
      week.items.map(({ version, step, answer, notes }: Record<string, string>) => [version, step, answer, notes]),
      [
        ['1.0.1', 'minor_or_patch', 'breaks', 'silent'],
        ['2.0.0', 'major', 'breaks', 'said'],
      ],
    );
    const page = await (await get('/breaking/2026-w06')).text();
    assert.ok(page.indexOf('Where the version number did not say so') < page.indexOf('Major versions'));
    assert.match(page, /The notes were read and do not say so/);
    assert.match(
      await (await get('/breaking/2026-w06.md')).text(),
      /## Minor and patch versions\n\n- forms \(npm\) 1\.0\.0 → 1\.0\.1: Breaks\./,
    );
    assert.match(await (await get('/breaking/2026-w06.atom')).text(), /<title type="text">forms 1\.0\.1: /);
  });

  it('a mirror dates nothing, this week is at the root, and what is no week or lies ahead is not found', async (t) => {
    const { get } = await setUp(t);
    assert.deepEqual(Object(await (await get('/breaking/2026-w01.json')).json()).items, []);
    const now = await get('/breaking');
    assert.deepEqual([now.status, /Nothing is known to have broken/.test(await now.text())], [200, true]);
    for (const slug of ['2026-w08', '2026-w54', 'x']) assert.equal((await get(`/breaking/${slug}`)).status, 404, slug);
  });
});
