// Lists that show nothing although something is known say what that is, and lead to where it is seen.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { type Context, now, transact } from '../../src/context.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';
import { Operator } from './operator-session.ts';

forEachEngine('pages that show nothing', (engine) => {
  let ctx: Context;
  let service: Service;
  before(async () => {
    const app = await engine.openTestApp();
    ctx = app.ctx;
    service = await startService(app);
  });
  const shown = async (path: string) => {
    const { status, text } = await service.anonymous.get(path, { Accept: 'text/html' });
    assert.equal(status, 200, path);
    const $ = load(text);
    const links = $('.empty a').toArray();
    return [$('.empty h2').first().text(), $('.empty p').first().text(), ...links.map((link) => $(link).attr('href'))];
  };

  it('an empty registry has no filters to clear', async () => {
    assert.deepEqual(await shown('/catalog'), ['Nothing here yet', 'No organization is known here.']);
    assert.match(String((await shown('/'))[1]), /holds no release/);
  });

  it('what is known is never called nothing, and no link leads to the same page', async () => {
    const org = await createOrg(ctx, { name: 'Acme', slug: 'acme' });
    assert.deepEqual((await shown('/catalog')).slice(1), [
      '1 organization is known here, without a release.',
      '/catalog?empty=1',
    ]);
    const source = await createSource(ctx, { orgId: org.id, slug: 'early', name: 'Early' });
    await postReleases(ctx, source.id, [
      releaseRow('1.0.0-rc.1', { publishedAt: '2026-02-01T00:00:00.000Z', prerelease: true }),
      releaseRow('1.0.0-rc.2', { publishedAt: '2026-02-02T00:00:00.000Z', prerelease: true }),
    ]);

    assert.deepEqual(await shown('/'), [
      'No dated release yet',
      '2 releases are known here, none of them final and with a date.',
      '/catalog',
    ]);
    assert.doesNotMatch(String((await shown('/live'))[1]), /holds no release/);
    assert.deepEqual(await shown('/acme/early'), [
      'No final release yet',
      '2 releases of Early are known, none of them final.',
      '/acme/early?include_prereleases=true',
    ]);
    assert.deepEqual((await shown('/acme/early?q=nowhere')).slice(2), ['/acme/early']);
  });

  it('a source that failed once is not stuck, and the page of stuck ones leads to it', async () => {
    const operator = new Operator(service);
    await operator.signIn(ROOT_KEY);
    const source = await createSource(ctx, { slug: 'failing', name: 'Failing' });
    await transact(ctx, async ({ tx }) => {
      await tx
        .updateTable('sources')
        .set({ last_outcome: 'unreachable', failing_since: now(ctx), consecutive_errors: 1, last_polled_at: now(ctx) })
        .where('id', '=', source.id)
        .execute();
    });
    const overview = load((await operator.get('/admin')).text);
    assert.match(overview('.statline').text(), /1\s*failing/);
    const stuck = load((await operator.get('/admin/stuck')).text);
    assert.match(stuck('.empty p').first().text(), /each of its last 3 attempts or more\. .*failed only lately/);
    assert.equal(stuck('.empty a').attr('href'), '/admin/sources?health=failing');
  });
});
