// Follow buttons and the page of followed entities.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { putPackage } from '../../src/entities/packages/put.ts';
import { type Account, signUp } from '../support/accounts.ts';
import { as } from '../support/callers.ts';
import type { Answer } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { browse } from '../support/forms.ts';
import { type Service, startService } from '../support/service.ts';

const FOLLOW = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' };

forEachEngine('following on pages', (engine) => {
  let service: Service;
  let kim: Account;
  let org: { id: string; slug: string; name: string };
  let product: { id: string; slug: string; name: string };
  let productPath: string;
  before(async () => {
    const app = await engine.openTestApp();
    const admin = as(app.ctx, 'admin');
    org = await createOrg(admin, { name: 'Quayside', slug: 'quayside', featured: true });
    product = await createProduct(admin, org.id, { name: 'Tug' });
    productPath = `/${org.slug}/${product.slug}`;
    const source = await createSource(admin, { orgId: org.id, productId: product.id, name: 'Tug feed' });
    await putPackage(admin, { ecosystem: 'npm', name: '@quay/tug.js', sourceId: source.id });
    const at = new Date().toISOString();
    await postReleases(admin, source.id, [
      releaseRow('1.0.0', { title: 'First light', publishedAt: at }),
      releaseRow('2.0.0-rc.1', { title: 'Trial run', publishedAt: at, prerelease: true }),
    ]);
    service = await startService(app);
    kim = await signUp(service);
  });

  const open = () => browse(service, { cookies: kim.cookieHeader });
  const pressed = (page: Answer) => load(page.text)('.entity [data-form=follow] button').attr('aria-pressed');
  const follows = async () =>
    (await kim.cookie.get('/v1/me/follows')).body.follows.map((row: { name: string }) => row.name);

  it('send somebody who is not signed in to the sign-in, and back', async () => {
    const page = await service.anonymous.get(`/${org.slug}?range=30d`);
    const $ = load(page.text);
    assert.equal($('[data-form=follow] input[name=csrf]').length, 0, 'the page is the same for all');
    assert.equal(page.headers.get('cache-control'), 'public, max-age=60, stale-while-revalidate=300');
    const answer = await browse(service).submit(page, {}, 'follow');
    const back = `/follow/after-sign-in?${new URLSearchParams({ next: `/${org.slug}?range=30d` })}`;
    const login = `${service.origin}/login?${new URLSearchParams({ next: back })}`;
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, login]);
    const script = await service.anonymous.post('/follow', 'type=org', FOLLOW);
    assert.equal(script.status, 401);
  });

  it('follow what was asked for before signing in, once, and only by a form of this site', async () => {
    const lee = await signUp(service);
    const followed = async () =>
      (await lee.cookie.get('/v1/me/follows')).body.follows.map((row: { name: string }) => row.name);
    const page = await service.anonymous.get(`/${org.slug}`);
    const asked = await browse(service).submit(page, {}, 'follow');
    const [cookie = ''] = asked.headers.getSetCookie();
    assert.match(cookie, /^registry_follow=org\.\w+; Max-Age=3600; Path=\/follow; HttpOnly; SameSite=Lax$/);
    const onward = new URL(asked.headers.get('location') ?? '').searchParams.get('next') ?? '';
    const wish = cookie.split(';')[0];

    // A link alone follows nothing.
    await browse(service, { cookies: lee.cookieHeader }).get(onward);
    assert.deepEqual(await followed(), []);
    const done = await browse(service, { cookies: `${lee.cookieHeader}; ${wish}` }).get(onward);

    assert.deepEqual([done.status, done.headers.get('location')], [303, `${service.origin}/${org.slug}`]);
    assert.match(done.headers.getSetCookie().join(), /registry_follow=; Max-Age=0/);
    assert.deepEqual(await followed(), ['Quayside']);
    const foreign = await service.anonymous.post('/follow', `type=org&id=${org.id}&action=follow`, {
      'Content-Type': 'application/x-www-form-urlencoded',
      Accept: 'text/html',
      Origin: 'https://elsewhere.example',
    });
    assert.deepEqual([foreign.status, foreign.headers.getSetCookie()], [403, []]);
  });

  it('propose featured organizations to somebody who follows nothing', async () => {
    const page = await open().get('/following');
    assert.deepEqual([page.status, page.headers.get('cache-control')], [200, 'private, no-store']);
    const $ = load(page.text);
    assert.equal($('main').attr('data-page'), 'following');
    assert.match($('main').text(), /You follow nothing yet.*Quayside/s);
    assert.equal($('main [data-form=follow]').length, 1);
    assert.equal($('meta[name=robots]').attr('content'), 'noindex, nofollow');
    const elsewhere = await service.anonymous.get('/following?range=1y');
    assert.equal(
      elsewhere.headers.get('location'),
      `${service.origin}/login?${new URLSearchParams({ next: '/following?range=1y' })}`,
    );
  });

  it('follow, show it, and unfollow', async () => {
    const browser = open();
    const path = `/${org.slug}`;
    const before = await browser.get(path);
    assert.equal(pressed(before), undefined);
    const done = await browser.submit(before, {}, 'follow');
    assert.deepEqual([done.status, done.headers.get('location')], [303, `${service.origin}${path}`]);
    assert.deepEqual(await follows(), ['Quayside']);
    const after = await browser.get(path);
    assert.deepEqual([pressed(after), after.headers.get('cache-control')], ['true', 'private, no-store']);

    const covered = load((await browser.get(productPath)).text);
    assert.match(covered('[data-covered]').text(), /In your feed already: you follow Quayside/);

    const feed = load((await browser.get('/following')).text);
    assert.deepEqual(
      feed('[data-release-id] .row-title a')
        .map((_, link) => feed(link).text())
        .get(),
      ['First light'],
      'pre-releases are left out',
    );
    assert.match(feed('main').text(), /1 organization\./);
    const all = load((await browser.get('/following?include_prereleases=true')).text);
    assert.equal(all('[data-release-id]').length, 2);
    const filtered = load((await browser.get('/following?q=nothing-holds-this')).text);
    assert.match(filtered('.empty').text(), /Nothing matches these filters/);

    const list = await browser.get('/following');
    const gone = await browser.submit(list, {}, 'follow');
    assert.equal(gone.headers.get('location'), `${service.origin}/following`);
    assert.deepEqual(await follows(), []);
    assert.equal(load((await browser.get(productPath)).text)('[data-covered]').length, 0);
  });

  it('follow a package on its page, also when the wish came before the sign-in', async () => {
    const path = '/packages/npm/%40quay%2Ftug.js';
    const browser = open();
    const before = await browser.get(path);
    assert.equal(pressed(before), undefined);
    await browser.submit(before, {}, 'follow');
    assert.equal(pressed(await browser.get(path)), 'true');
    assert.deepEqual(await follows(), ['@quay/tug.js']);
    await browser.submit(await browser.get(path), {}, 'follow');
    assert.deepEqual(await follows(), []);

    const lee = await signUp(service);
    const asked = await browse(service).submit(await service.anonymous.get(path), {}, 'follow');
    const wish = asked.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const onward = new URL(asked.headers.get('location') ?? '').searchParams.get('next') ?? '';
    await browse(service, { cookies: `${lee.cookieHeader}; ${wish}` }).get(onward);
    const { body } = await lee.cookie.get('/v1/me/follows');
    assert.deepEqual(
      body.follows.map((row: { targetId: string }) => row.targetId),
      ['npm:@quay/tug.js'],
    );
    for (const odd of ['package.npm%3A%ZZ', 'package.', 'package.npm%3Ax%0A', 'package']) {
      const answer = await browse(service, { cookies: `${lee.cookieHeader}; registry_follow=${odd}` }).get(onward);
      assert.equal(answer.status, 303, odd);
    }
  });

  it('answer scripts in JSON, and take only forms that were drawn for the session', async () => {
    const page = load((await open().get(productPath)).text);
    const csrf = page('[data-form=follow] input[name=csrf]').attr('value') ?? '';
    const fields = { csrf, type: 'product', id: product.id, action: 'follow', next: '/' };
    const send = (change: Record<string, string>, headers = {}) =>
      kim.cookie.post('/follow', new URLSearchParams({ ...fields, ...change }).toString(), { ...FOLLOW, ...headers });

    assert.equal((await send({ csrf: 'made.up' })).status, 403);
    assert.equal((await send({}, { Origin: 'https://evil.example' })).status, 403);
    assert.equal((await send({ id: 'prod_nothing' })).status, 404);
    assert.equal((await send({ type: 'source' })).status, 400);
    assert.equal((await send({ action: 'both' })).status, 400);
    assert.deepEqual(await follows(), []);
    const done = await send({});
    assert.deepEqual([done.status, done.body], [200, { following: true }]);
    assert.deepEqual(await follows(), ['Tug']);
    assert.deepEqual((await send({ action: 'unfollow' })).body, { following: false });
    const away = await kim.cookie.post(
      '/follow',
      new URLSearchParams({ ...fields, next: '//evil.example' }).toString(),
      {
        'Content-Type': FOLLOW['Content-Type'],
      },
    );
    assert.equal(away.headers.get('location'), `${service.origin}/following`);
  });
});
