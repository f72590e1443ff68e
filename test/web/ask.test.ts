// The one field: where it leads without script, what is told while one types, and what the home page shows beside it.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import type { Context } from '../../src/context.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { judgeShown } from '../../src/packages/shown-upgrades/judge.ts';
import { writeAsked } from '../../src/packages/whats-changed/note-asked.ts';
import { listPublished } from '../insight/published.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const NOW = '2026-03-31T12:00:00.000Z';
const publishedAt = '2026-03-01T09:00:00.000Z';

forEachEngine('the one field', (engine) => {
  let service: Service;
  let ctx: Context;
  let source: { id: string; slug: string };
  let org: { id: string; slug: string };
  before(async () => {
    const app = await engine.openTestApp({ clock: () => new Date(NOW), env: { REGISTRY_ASK: 'on' } });
    ctx = as(app.ctx, 'write');
    org = await createOrg(ctx);
    source = await createSource(ctx, { orgId: org.id, url: 'https://github.com/acme/lantern', type: 'github' });
    await postReleases(ctx, source.id, [
      releaseRow('1.0.0', { publishedAt }),
      releaseRow('2.0.0', {
        publishedAt,
        breaking: 'major',
        content: '### Breaking\n- `dim` is gone.',
        migrationNotes: '- Replace `dim` with `shade`.',
      }),
    ]);
    for (const name of ['lantern', 'lantern-kit'])
      await putPackage(ctx, { ecosystem: 'npm', name, sourceId: source.id });
    await listPublished(ctx, 'lantern', ['1.0.0', '2.0.0']);
    service = await startService(app);
  });

  it('leads to a package, an update, a source or the search', async () => {
    const update = (query: Record<string, string>) => `/whats-changed?${new URLSearchParams(query)}`;
    const table: [string, string][] = [
      ['lantern', '/packages/npm/lantern'],
      ['npm:lantern', '/packages/npm/lantern'],
      ['npm:nobody', '/packages/npm/nobody'],
      ['nobody', '/search?q=nobody'],
      ['lantern 1', update({ package: 'lantern', from: '1', to: 'latest', ecosystem: 'npm' })],
      ['lantern@1.0.0 2', update({ package: 'lantern', from: '1.0.0', to: '2', ecosystem: 'npm' })],
      ['nobody 1.2', update({ package: 'nobody', from: '1.2', to: 'latest' })],
      ['nobody 404', '/search?q=nobody+404'],
      ['acme/lantern', `/${org.slug}/${source.slug}`],
      ['https://github.com/acme/lantern', `/${org.slug}/${source.slug}`],
      ['acme/unknown', '/search?q=acme%2Funknown'],
      ['how to dim', '/search?q=how+to+dim'],
      ['//evil.example/x', '/search?q=%2F%2Fevil.example%2Fx'],
      ['', '/'],
    ];
    for (const [text, path] of table) {
      const { status, headers } = await service.anonymous.get(`/ask?${new URLSearchParams({ q: text })}`);
      assert.deepEqual([status, headers.get('location')], [303, path], text);
    }
    assert.equal(
      (await service.anonymous.get(`/ask?q=${'x'.repeat(900)}`)).headers.get('location'),
      `/search?q=${'x'.repeat(500)}`,
    );
  });

  it('tells packages and the sentence of the most likely question while one types, and orders nothing', async () => {
    const ask = async (q: string) => (await service.anonymous.get(`/v1/ask?${new URLSearchParams({ q })}`)).body;
    const named = await ask('lantern');
    assert.deepEqual(
      named.packages.map(({ name }: { name: string }) => name),
      ['lantern', 'lantern-kit'],
    );
    const { sentence, from, to, level, judgedBy } = named.upgrade;
    assert.deepEqual([from, to, level, judgedBy], ['1.0.0', '2.0.0', 'major', ['notes']]);
    assert.equal(sentence, 'lantern 1 → 2 breaks: Replace dim with shade');
    assert.deepEqual((await ask('lantern 1.0.0')).upgrade.sentence, sentence);
    assert.deepEqual((await ask('nob')).unread, { ecosystem: 'npm', name: 'nob', path: '/packages/npm/nob' });
    const words = await ask('how to dim');
    assert.deepEqual([words.upgrade, words.packages, words.unread], [null, [], null]);
    assert.deepEqual(await ctx.store.read.selectFrom('readings').select('id').execute(), []);
  });

  it('stands on the home page with a real answer, which hides with its source', async () => {
    const home = async () => load((await service.anonymous.get('/', { Accept: 'text/html' })).text);
    const first = await home();
    assert.deepEqual([first('form[data-form=ask]').attr('action'), first('.sample').length], ['/ask', 0]);
    assert.ok(first('#q').is('[autofocus]'));
    assert.equal(
      (await service.anonymous.get('/v1/whats-changed?package=lantern&ecosystem=npm&from=1.0.0&to=2.0.0')).status,
      200,
    );
    assert.equal(await writeAsked(ctx), 1);
    await judgeShown(ctx, new AbortController().signal);

    const $ = await home();
    assert.equal($('.sample .saying').text(), 'lantern 1 → 2 breaks: Replace dim with shade');
    assert.match($('.sample .proof').text(), /1 breaking of 1 version, all read/);
    assert.equal($('.asks b').first().text(), 'lantern 1.0.0');
    await service.root.patch(`/v1/sources/${source.id}`, { isHidden: true });
    assert.equal((await home())('.sample').length, 0);
    await service.root.patch(`/v1/sources/${source.id}`, { isHidden: false });
  });

  it('judges again what has changed, and nothing else', async () => {
    const stamps = async () =>
      (await ctx.store.read.selectFrom('shown_upgrades').select(['name', 'level', 'basis']).execute()).map(
        ({ name, level, basis }) => `${name} ${level} ${basis}`,
      );
    await judgeShown(ctx, new AbortController().signal);
    const before = await stamps();
    await judgeShown(ctx, new AbortController().signal);
    assert.deepEqual(await stamps(), before);
  });
});
