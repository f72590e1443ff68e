// The webhook pages of an account: every form, its refusals, and keys that are shown once.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { fanOut } from '../../src/webhooks/delivery/fan-out.ts';
import { type Account, signUp } from '../support/accounts.ts';
import type { Answer } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { postReleases, releaseRow } from '../support/factories.ts';
import { browse } from '../support/forms.ts';
import { type Service, startService } from '../support/service.ts';
import { HOOK_URL, logAttempt, openWorld, SLACK_URL, setRow, type World } from '../webhooks/fixture.ts';

const KEY = /^[0-9a-f]{64}$/;

forEachEngine('pages of webhooks', (engine) => {
  let world: World;
  let service: Service;
  let kim: Account;
  let browser: ReturnType<typeof browse>;
  let path: string;
  let id: string;
  before(async () => {
    world = await openWorld(engine);
    service = await startService(world.app);
    kim = await signUp(service);
    browser = browse(service, { cookies: kim.cookieHeader });
  });

  const list = async () => (await kim.cookie.get('/v1/me/webhooks')).body.subscriptions;
  const record = async () => (await kim.cookie.get(`/v1/me/webhooks/${id}`)).body;
  const keysOn = ({ text }: Answer) => {
    const $ = load(text);
    return $('.once output')
      .map((_, output) => $(output).text())
      .get();
  };

  it('refuse with 422, keep what was typed, and place each error', async () => {
    const page = await browser.get('/account/webhooks');
    assert.deepEqual([page.status, page.headers.get('cache-control')], [200, 'private, no-store']);
    assert.equal(load(page.text)('meta[name=robots]').attr('content'), 'noindex, nofollow');
    const offered = load(page.text)('datalist#orgs option');
    const { items } = (await service.anonymous.get('/v1/orgs')).body;
    assert.deepEqual(
      offered.map((_, option) => [[option.attribs.value, load(option).text()]]).get(),
      items.map(({ slug, name }: { slug: string; name: string }) => [slug, name]),
    );
    assert.match(load(page.text)('#orgSlug-h').text(), new RegExp(`type to choose from ${items.length}\\.`));
    const cases: [fill: Record<string, string>, field: string, words: RegExp][] = [
      [{ url: '', scope: 'follows' }, 'url', /needed/],
      [{ url: 'https://inside.example/x', scope: 'follows' }, 'url', /not public/],
      [{ url: HOOK_URL, scope: 'org' }, 'orgSlug', /needed/],
      [{ url: HOOK_URL, scope: 'org', orgSlug: 'no-such-org' }, 'orgSlug', /not known here/],
      [{ url: HOOK_URL, scope: 'follows', format: 'slack' }, 'url', /hooks\.slack\.com or hooks\.slack-gov\.com/],
    ];
    for (const [fill, field, words] of cases) {
      const refused = await browser.submit(page, { ...fill, description: 'for <me>' }, 'webhook');
      const $ = load(refused.text);
      assert.deepEqual(
        [refused.status, refused.headers.get('cache-control')],
        [422, 'private, no-store'],
        refused.text,
      );
      const error = $(`#${field}-e`);
      assert.match(error.text(), words);
      assert.ok($(`#${field}`).attr('aria-describedby')?.split(' ').includes(`${field}-e`));
      assert.equal($('#errors').is('[role=alert][tabindex=-1][autofocus]'), true);
      assert.equal($('#errors a').attr('href'), `#${field}`);
      assert.deepEqual([$('#url').attr('value'), $('#description').attr('value')], [fill.url, 'for <me>']);
      assert.equal($('[name=scope][checked]').attr('value'), fill.scope);
    }
    assert.deepEqual(await list(), []);
    const foreign = await browser.submit(page, { csrf: 'made.up', url: HOOK_URL }, 'webhook');
    assert.equal(foreign.status, 403);
  });

  it('read the filter back as a sentence, with how much it would have been', async () => {
    await postReleases(
      world.ctx,
      world.loose.id,
      [
        releaseRow('3.0.0', { breaking: 'major', publishedAt: '2026-02-20T00:00:00.000Z' }),
        releaseRow('2.0.1', {
          breaking: 'none',
          content: '- Escapes names (CVE-2026-1234)',
          publishedAt: '2026-02-21T00:00:00.000Z',
        }),
        releaseRow('2.0.2', { breaking: 'none', importance: 1, publishedAt: '2026-02-22T00:00:00.000Z' }),
        releaseRow('1.0.0', { breaking: 'major', publishedAt: '2025-02-22T00:00:00.000Z' }),
      ],
      { silent: true },
    );
    const page = await browser.get('/account/webhooks');
    const fill = { url: '', scope: 'org', orgSlug: world.org.slug, breaks: 'true', security: 'true', preview: 'true' };
    const shown = await browser.submit(page, fill, 'webhook');
    assert.equal(shown.status, 200);
    const $ = load(shown.text);
    assert.equal(
      $('.readback').text().trim(),
      `You get: releases of ${world.org.name} that break or fix a security problem: 2 releases in the last 30 days. A release that is judged later is sent then, once.`,
    );
    assert.deepEqual(
      ['breaks', 'mayBreak', 'security'].map((name) => $(`[name=${name}]`).attr('checked') !== undefined),
      [true, false, true],
    );
    assert.deepEqual(await list(), []);
  });

  it('show the key once, and make nothing when the form is sent again', async () => {
    const page = await browser.get('/account/webhooks');
    // A field of another subject may be out of sight with what was typed into it.
    const chosen = { url: HOOK_URL, scope: 'org', orgSlug: world.org.slug, productSlug: world.product.slug };
    const fill = { ...chosen, stackName: 'left-over' };
    const made = await browser.submit(page, fill, 'webhook');
    assert.deepEqual([made.status, made.headers.get('cache-control')], [200, 'private, no-store']);
    const [standard = '', plain = ''] = keysOn(made);
    assert.match(standard, /^whsec_/);
    assert.match(plain, KEY);
    assert.equal(load(made.text)('main').attr('data-page'), 'webhook');
    assert.match(load(made.text)('[role=status]').text(), /test is on its way/);

    const [row, ...more] = await list();
    assert.deepEqual([row.orgSlug, row.productSlug, more.length], [world.org.slug, world.product.slug, 0]);
    const again = await browser.submit(page, fill, 'webhook');
    assert.deepEqual([again.status, keysOn(again)], [200, []]);
    assert.match(load(again.text)('[role=status]').text(), /already created/);
    assert.equal((await list()).length, 1);
    assert.equal((await browser.submit(page, { ...fill, once: 'x' }, 'webhook')).status, 403);

    id = row.id;
    path = `/account/webhooks/${id}`;
    const detail = await browser.get(path);
    assert.deepEqual(keysOn(detail), []);
    assert.doesNotMatch(detail.text, new RegExp(plain));
    const stranger = await signUp(service);
    assert.equal((await stranger.cookie.get(path)).status, 404);
    assert.equal((await service.anonymous.get(path)).status, 303);
    assert.match(load((await browser.get('/account')).text)('main').text(), /1 webhook of 1 delivered nothing yet/);
  });

  it('pause, resume, edit and rotate', async () => {
    const act = async (name: string, fill: Record<string, string> = {}, at = '') =>
      browser.submit(await browser.get(`${path}${at}`), fill, name);
    const paused = await act('pause');
    assert.equal(paused.headers.get('location'), `${service.origin}${path}?done=paused`);
    assert.equal((await record()).disabledReason, 'paused by owner');
    const shown = load((await browser.get(`${path}?done=paused`)).text);
    assert.match(shown('[role=status]').text(), /Paused/);
    assert.equal(shown('[data-form=pause], [data-form=replay-range]').length, 0);
    await act('resume');
    assert.equal((await record()).enabled, true);

    const page = await browser.get(path);
    const refused = await browser.submit(page, { url: 'http://hooks.example/' }, 'edit');
    assert.equal(refused.status, 422);
    assert.match(load(refused.text)('.reveal[open] #url-e').text(), /must begin with https/);
    await browser.submit(
      page,
      { description: 'to the chat', productSlug: '', excludePrereleases: 'true', mayBreak: 'true', minImportance: '4' },
      'edit',
    );
    const { minBreaking, minImportance, security } = await record();
    assert.deepEqual([minBreaking, minImportance, security], ['minor', 4, false]);
    assert.match((await browser.get(path)).text, /that break or may break or are at least 4 of 5 in importance/);
    const cleared = await kim.cookie.patch(`/v1/me/webhooks/${id}`, { minBreaking: null, minImportance: null });
    assert.equal(cleared.status, 200);
    const { description, productSlug, excludePrereleases } = await record();
    assert.deepEqual([description, productSlug, excludePrereleases], ['to the chat', null, true]);

    const before = await browser.get(path);
    const rotated = await browser.submit(before, {}, 'rotate');
    assert.deepEqual([rotated.status, keysOn(rotated).length], [200, 2]);
    assert.match(rotated.text, /old key signs beside it until/);
    const again = await browser.submit(before, {}, 'rotate');
    assert.equal(again.headers.get('location'), `${service.origin}${path}?done=repeated`);
    assert.equal((await record()).secretVersion, 2);

    await act('edit', { format: 'slack', url: SLACK_URL });
    assert.equal((await record()).format, 'slack');
    assert.equal(load((await browser.get(path)).text)('[data-form=rotate]').length, 0);
    const back = await act('edit', { format: 'json', url: HOOK_URL });
    assert.deepEqual([back.status, keysOn(back).length], [200, 2]);
  });

  it('show the last 15 attempts in words, and only those that failed', async () => {
    const { ctx, clock, source } = world;
    clock.move(1000);
    await postReleases(ctx, source.id, [releaseRow('9.9.0', { title: 'Calm <b>seas</b>' })], { announce: true });
    await fanOut(ctx);
    const delivery = await ctx.store.read
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('subscription_id', '=', id)
      .where('event_seq', '>', 0)
      .executeTakeFirstOrThrow();
    const common = { subscription_id: id, event_id: delivery.event_id, delivery_id: delivery.id };
    const next = new Date(clock().getTime() + 60_000).toISOString();
    for (let attempt = 1; attempt <= 17; attempt += 1) {
      clock.move(1000);
      await logAttempt(ctx, {
        ...common,
        attempt,
        ...(attempt % 2 === 0 && {
          outcome: 'retry',
          http_status: 502,
          error_message: 'Bad <Gateway>',
          latency_ms: 2200,
          next_attempt_at: next,
        }),
      });
    }
    const $ = load((await browser.get(path)).text);
    assert.equal($('tbody tr').length, 15);
    const first = $('tbody tr').first();
    assert.match(first.text(), /Delivered.*Calm <b>seas<\/b> 9\.9\.0.*200.*12 ms.*17/s);
    const failed = load((await browser.get(`${path}?failed=true`)).text);
    assert.equal(failed('tbody tr').length, 8);
    assert.match(failed('tbody tr').first().text(), /Failed, will retry.*502.*2\.2 s.*16.*Bad <Gateway>.*next at/s);
    assert.equal(failed('.segmented [aria-current]').text(), 'Failed only');
  });

  it('replay one row or a range, test, and delete', async () => {
    const { ctx, clock } = world;
    const waiting = async () => {
      const rows = await ctx.store.read
        .selectFrom('webhook_deliveries')
        .select('replay')
        .where('subscription_id', '=', id)
        .where('replay', '>', 0)
        .execute();
      return rows.length;
    };
    clock.move(60_000);
    const page = await browser.get(path);
    const one = await browser.submit(page, {}, 'replay');
    assert.equal(one.headers.get('location'), `${service.origin}${path}?done=replayed`);
    assert.equal(await waiting(), 1);
    const wrong = await browser.submit(page, { since: 'when the moon rose' }, 'replay-range');
    const $ = load(wrong.text);
    assert.deepEqual([wrong.status, $('#since').attr('value')], [422, 'when the moon rose']);
    assert.equal($('#since-e').length, 1);
    const range = await browser.submit(page, { since: '7d', only: 'all' }, 'replay-range');
    assert.match(load(range.text)('[role=status]').text(), /1 event on the way again/);
    assert.equal(await waiting(), 2);

    const codes: number[] = [];
    for (let i = 0; i < 6; i += 1) codes.push((await browser.submit(page, {}, 'test')).status);
    assert.deepEqual(codes.slice(-2), [303, 429].slice(-codes.slice(-2).length));
    await setRow(ctx, id, {
      enabled: 0,
      disabled_reason: 'auto-disabled after 10 consecutive lost events',
    });
    const overview = load((await browser.get('/account')).text);
    assert.match(overview('main').text(), /Needs attention.*hooks\.example.*Switched off after 10/s);
    assert.match(load((await browser.get('/following')).text)('main').text(), /1 needs attention/);
    const gone = await browser.submit(await browser.get(path), {}, 'delete');
    assert.equal(gone.headers.get('location'), `${service.origin}/account/webhooks?done=deleted`);
    assert.deepEqual(await list(), []);
    assert.equal((await browser.get(path)).status, 404);
  });
});
