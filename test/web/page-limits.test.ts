// Pages, feeds and suffix forms count for the same tiers as the API.
import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { load } from 'cheerio';
import { signUp } from '../support/accounts.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const QUOTA = 6;

forEachEngine('the limits of pages', (engine) => {
  const clock = movableClock('2026-11-20T12:00:00.000Z');
  const env = { REGISTRY_BASE_URL: 'https://registry.example', REGISTRY_RATE_PUBLIC: String(QUOTA) };
  let service: Service;
  beforeEach(async () => {
    const app = await engine.openTestApp({ clock, env });
    const org = await createOrg(app.ctx, { slug: 'acme', name: 'Acme' });
    const source = await createSource(app.ctx, { orgId: org.id, slug: 'widgets' });
    await postReleases(app.ctx, source.id, [releaseRow('1.0.0')]);
    service = await startService(app);
  });

  const open = (path: string, headers: Record<string, string> = {}) =>
    service.anonymous.get(path, { Accept: 'text/html', ...headers });
  const left = (headers: Headers) => /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? null;

  it('are those of the API, over all kinds of pages together', async () => {
    const paths = ['/catalog', '/acme', '/acme.json', '/acme.atom', '/search?q=widgets', '/v1/orgs'];
    const seen: (string | null)[] = [];
    for (const path of paths) seen.push(left((await open(path)).headers));
    assert.deepEqual(seen, ['5', '4', '3', '2', '1', '0']);

    const refused = await open('/tags');
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
    assert.match(refused.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(load(refused.text)('main').text(), /Try again in 60 seconds\./);
    for (const path of ['/search?q=other', '/acme/widgets', '/', '/login', '/live']) {
      assert.equal((await open(path)).status, 429, path);
    }
    for (const path of ['/acme.md', '/feed.atom', '/v1/orgs/acme']) {
      const data = await open(path);
      assert.deepEqual([data.status, data.body.error?.code], [429, 'rate_limited'], path);
    }
    clock.move(60_000);
    assert.equal((await open('/tags')).status, 200);
  });

  it('are not touched by a page from the byte cache', async () => {
    await open('/catalog');
    for (let i = 0; i < 3 * QUOTA; i += 1) {
      const again = await open('/catalog');
      assert.deepEqual([again.status, left(again.headers)], [200, null]);
    }
    assert.equal(left((await open('/acme')).headers), '4');
    for (let i = 0; i < QUOTA; i += 1) await open(`/catalog?q=${i}`);
    assert.equal((await open('/catalog?q=more')).status, 429);
    assert.equal((await open('/catalog')).status, 200, 'what is cached stays open');
  });

  it('are not touched by a page that the reader has already', async () => {
    const tag = (await open('/docs/feeds')).headers.get('etag') ?? '';
    clock.move(10 * 60_000);
    for (let i = 0; i < 2 * QUOTA; i += 1) {
      // The copy in the cache has expired each time, so the page is drawn anew and found to be the same.
      if (i % 3 === 0) clock.move(61_000);
      const unchanged = await open('/docs/feeds', { 'If-None-Match': tag });
      assert.deepEqual([unchanged.status, left(unchanged.headers)], [304, null]);
    }
    assert.equal(left((await open('/catalog')).headers), String(QUOTA - 1));
  });

  it('of a reader with a session are those of the account', async () => {
    const { cookieHeader } = await signUp(service);
    for (let i = 0; i < 2 * QUOTA; i += 1) {
      assert.equal((await open('/catalog', { Cookie: cookieHeader })).status, 200);
    }
    const { headers } = await open('/account', { Cookie: cookieHeader });
    assert.match(headers.get('ratelimit-policy') ?? '', /"account";q=300/);
    assert.equal((await open('/catalog')).status, 200);
  });

  it('do not count what a page is made of', async () => {
    for (let i = 0; i < 2 * QUOTA; i += 1) {
      for (const path of ['/favicon.svg', '/robots.txt', '/health']) {
        assert.equal((await open(path)).headers.get('ratelimit'), null, path);
      }
    }
    assert.equal((await open('/catalog')).status, 200);
  });
});
