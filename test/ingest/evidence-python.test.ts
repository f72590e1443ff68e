// Packages of a Python index, compared by the service from the question to the stored result.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { type Context, transact } from '../../src/context.ts';
import type { Ecosystem } from '../../src/domain/ecosystems/index.ts';
import { compareVersions } from '../../src/packages/evidence/evidence-of-ranges.ts';
import { storeListing } from '../../src/packages/listings/store-listing.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { type PypiIndex, startPypi } from '../support/pypi-index.ts';
import { as, publishSteps, READER } from './evidence-world.ts';
import { startRegistry, storeRegistry } from './npm-registry.ts';

async function storeIndex(ctx: Context, pypi: PypiIndex, name: string) {
  const document = pypi.versions(name);
  assert.equal(document.kind, 'package');
  if (document.kind !== 'package') return;
  const { latest, repository, homepage, versions } = document;
  const followed = { next_read_at: '2030-01-01T00:00:00.000Z', wanted_at: '2026-01-01T00:00:00.000Z' };
  await transact(ctx, async (ctx) => {
    await storeListing(ctx, {
      ecosystem: 'pypi',
      spelling: name,
      registry: null,
      latest,
      repository,
      homepage,
      versions,
    });
    await ctx.tx.updateTable('package_states').set(followed).where('ecosystem', '=', 'pypi').execute();
  });
}

forEachEngine('evidence of Python packages', (engine) => {
  it('is ordered, compared and told beside an npm package of the same name', async (t: TestContext) => {
    const [pypi, npm] = [await startPypi(t), await startRegistry(t)];
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock, env: { ...npm.env, ...pypi.env } });
    pypi.publish('lamp', '1.0.0', { 'lamp/__init__.py': 'def on(): pass\ndef off(): pass\n' });
    pypi.publish('lamp', '2.0.0', { 'lamp/__init__.py': 'def on(): pass\n' });
    publishSteps(npm, 'lamp', { '1.0.0': ['a'], '2.0.0': ['a'] });
    await storeIndex(ctx, pypi, 'lamp');
    await storeRegistry(ctx, npm, 'lamp');
    const ask = (ecosystem: Ecosystem) =>
      compareVersions(as(ctx, READER), { ecosystem, name: 'lamp', from: '1.0.0', to: '2.0.0' });

    assert.deepEqual([(await ask('pypi')).status, (await ask('npm')).status], ['pending', 'pending']);
    await createWorker(ctx, { tasks: createFetching() }).drain();
    const [python, declared] = [await ask('pypi'), await ask('npm')];
    assert.deepEqual([python.status, declared.status, declared.findings], ['compared', 'compared', []]);
    assert.deepEqual(
      python.findings.map(({ text }) => text),
      ['`off` can no longer be imported from `lamp`'],
    );
    assert.deepEqual(
      pypi.seen.filter((path) => path.endsWith('.whl')),
      ['/files/lamp-1.0.0-py3-none-any.whl', '/files/lamp-2.0.0-py3-none-any.whl'],
    );
  });
});
