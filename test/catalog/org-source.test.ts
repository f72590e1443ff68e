// A source is taken by the name that lists print, `org/source`, wherever a source can be named.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { ANONYMOUS } from '../../src/contract/caller.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { createLocalApis } from '../../src/mcp/local-api.ts';
import { runTool } from '../../src/mcp/server.ts';
import { TOOLS } from '../../src/mcp/tools/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

forEachEngine('org/source', (engine) => {
  let service: Service;
  let id = '';
  let call: (name: string, args: Record<string, unknown>) => Promise<string>;

  before(async () => {
    const app = await engine.openTestApp();
    const { ctx } = app;
    service = await startService(app);
    const org = await createOrg(ctx, { slug: 'acme' });
    const other = await createOrg(ctx, { slug: 'other' });
    // The slug alone is ambiguous.
    const source = await createSource(ctx, { slug: 'cli', orgId: org.id });
    const twin = await createSource(ctx, { slug: 'cli', orgId: other.id });
    id = source.id;
    for (const one of [source, twin]) {
      const url = (version: string) => `https://releases.example/${one.id}/${version}`;
      const rows = ['1.0.0', '1.1.0'].map((version) => releaseRow(version, { title: 'Needle', url: url(version) }));
      await postReleases(ctx, one.id, rows, { silent: true });
    }
    await putPackage(ctx, { ecosystem: 'npm', name: 'acme-cli', sourceId: source.id });
    await putPackage(ctx, { ecosystem: 'npm', name: 'other-cli', sourceId: twin.id });
    const api = createLocalApis(ctx, ROUTES)(ANONYMOUS);
    call = async (name, args) => {
      const tool = TOOLS.find((one) => one.name === name);
      assert.ok(tool);
      return JSON.stringify(await runTool({ api, log: ctx.log }, tool, args));
    };
  });

  const PATHS = [
    '/v1/sources/acme%2Fcli',
    '/v1/sources/acme%2Fcli/releases',
    '/v1/releases/latest?source=acme/cli',
    '/v1/search?q=needle&source=acme/cli&mode=lexical',
    '/v1/packages?source=acme/cli',
    '/v1/whats-changed?package=acme/cli&from=1.0.0&to=latest',
  ];
  for (const path of PATHS) {
    it(path, async () => {
      const { status, text } = await service.anonymous.get(path);

      assert.equal(status, 200, text);
      assert.ok(text.includes(id), text);
      assert.ok(!text.includes('"orgSlug":"other"'), text);
    });
  }

  it('is not found, and its lists are empty, for a name that nobody has', async () => {
    assert.equal((await service.anonymous.get('/v1/sources/acme%2Fnothing')).status, 404);
    assert.equal((await service.anonymous.get('/v1/releases/latest?source=nobody/cli')).status, 404);
    assert.deepEqual((await service.anonymous.get('/v1/packages?source=nobody/cli')).body.items, []);
  });

  it('agents: get_source, latest_releases, whats_changed', async () => {
    assert.ok((await call('get_source', { source: 'acme/cli' })).includes(id));
    assert.ok((await call('latest_releases', { source: 'acme/cli' })).includes('acme/cli'));
    assert.ok((await call('whats_changed', { package: 'acme/cli', from: '1.0.0', to: 'latest' })).includes(id));
  });
});
