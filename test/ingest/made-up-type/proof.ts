// Runs in a program that has the made-up type, and checks that everything works for it.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sourceOf } from '../../../src/cli/client/source-body.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startOutsideWorld } from '../../support/outside-world.ts';
import { startService } from '../../support/service.ts';
import { gopher } from './gopher.ts';

forEachEngine('a made-up source type', (engine) => {
  it('is validated, evaluated, created, fetched, filtered, exported and documented', async (t) => {
    const world = await startOutsideWorld();
    t.after(() => world.close());
    world.route('/log.gopher', '2.0.0 Tunnels\n1.0.0 Burrows\n');
    const app = await engine.openTestApp({ env: { REGISTRY_EGRESS_ALLOW: '127.0.0.1', REGISTRY_HOST_DELAY_MS: '0' } });
    const { root, anonymous } = await startService(app);
    await root.post('/v1/orgs', { name: 'Moles' });

    const refused = await root.post('/v1/sources', {
      name: 'x',
      orgSlug: 'moles',
      url: 'https://a.test/',
      type: 'mole',
    });
    const { body: found } = await root.get(`/v1/evaluate?url=${encodeURIComponent(`${world.url}/log.gopher`)}`);
    const created = await root.post('/v1/sources', sourceOf(found, { org: 'moles' }));
    const fetched = await root.post(`/v1/sources/${created.body.id}/fetch`, {});
    const { body: listed } = await anonymous.get('/v1/releases/latest?source_type=gopher');
    await root.post('/v1/sources', { name: 'Y', orgSlug: 'moles', url: 'https://b.test/y.gopher', type: 'gopher' });
    const { body: manifest } = await anonymous.get('/v1/orgs/moles/manifest');
    const { body: openapi } = await anonymous.get('/v1/openapi.json');

    assert.equal(refused.status, 400);
    assert.deepEqual([found.recommendedMethod, found.proposed.type], ['gopher', 'gopher']);
    assert.equal(created.status, 201);
    assert.deepEqual(JSON.parse(created.body.metadata), gopher.creation?.(found).metadata);
    assert.deepEqual([fetched.body.status, fetched.body.releasesInserted], ['success', 2]);
    const versions = (listed.releases as { version: string; source: { type: string } }[]).map(
      ({ version, source }) => `${source.type} ${version}`,
    );
    assert.deepEqual(versions.sort(), ['gopher 1.0.0', 'gopher 2.0.0']);
    const job = await app.ctx.store.read
      .selectFrom('jobs')
      .select('host')
      .where('kind', '=', 'fetch')
      .executeTakeFirst();
    assert.equal(job?.host, world.host);
    assert.match(JSON.stringify(manifest), /"url":"https:\/\/b.test\/y.gopher"/);
    assert.ok(openapi.components.schemas.SourceType.enum.includes('gopher'));
    // Versions of this type have no steps, so a second major version does not indicate a break.
    const row = await app.ctx.store.read
      .selectFrom('releases')
      .select('breaking')
      .where('version', '=', '2.0.0')
      .executeTakeFirst();
    assert.equal(row?.breaking, 'unknown');
  });
});
