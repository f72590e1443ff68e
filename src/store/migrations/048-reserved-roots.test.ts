import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg } from '../../../test/support/factories.ts';
import { startService } from '../../../test/support/service.ts';

forEachEngine('migration 48, roots of pages', (engine) => {
  it('moves organizations that have their slugs, and former sub-pages lead there', async () => {
    const app = await engine.openTestApp();
    const ctx = as(app.ctx, 'write');
    const [one, two, taken] = [await createOrg(ctx), await createOrg(ctx), await createOrg(ctx)];
    await app.ctx.store.transaction(async (tx) => {
      const rename = (id: string, slug: string) => tx.updateTable('orgs').set({ slug }).where('id', '=', id).execute();
      await rename(one.id, 'ask');
      await rename(two.id, 'reports');
      await rename(taken.id, 'reports-org');
      await tx.deleteFrom('schema_migrations').where('number', '=', 48).execute();
    }, 'catalog');

    assert.deepEqual(await app.ctx.store.migrate(), ['reserved-roots']);

    const orgs = await app.ctx.store.read.selectFrom('orgs').select(['id', 'slug']).execute();
    const slugs = new Map(orgs.map(({ id, slug }) => [id, slug]));
    assert.equal(slugs.get(one.id), 'ask-org');
    assert.match(slugs.get(two.id) ?? '', /^reports-org-[a-z0-9]+$/);
    const service = await startService(app);
    const { status, headers } = await service.anonymous.get('/ask/overview', { Accept: 'text/html' });
    assert.deepEqual([status, headers.get('location')], [308, '/ask-org/overview']);
    const robots = (await service.anonymous.get('/robots.txt')).text;
    assert.match(robots, /^Disallow: \/ask$/m);
    assert.match(robots, /^Disallow: \/reports$/m);
  });
});
