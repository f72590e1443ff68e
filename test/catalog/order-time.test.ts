// Undated releases in feeds: announced ones are ordered by their event, imported ones come last, and no date window
// contains either.
import assert from 'node:assert/strict';
import { before, it, mock } from 'node:test';
import { load } from 'cheerio';
import type { Context } from '../../src/context.ts';
import { signUp } from '../support/accounts.ts';
import { as } from '../support/callers.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');

forEachEngine('order time of releases', (engine) => {
  let service: Service;
  let admin: Context;
  holdTime(NOON);
  const clock = () => new Date();
  const move = (milliseconds: number) => mock.timers.setTime(Date.now() + milliseconds);
  before(async () => {
    mock.timers.setTime(NOON);
    const app = await engine.openTestApp();
    admin = as(app.ctx, 'admin');
    service = await startService(app);
  });

  const undated = (version: string) => releaseRow(version, { publishedAt: undefined, title: `Walrus ${version}` });
  const dated = (version: string, publishedAt: string) =>
    releaseRow(version, { publishedAt, title: `Walrus ${version}` });
  const post = (sourceId: string, rows: ReturnType<typeof releaseRow>[], silent = false) =>
    service.root.post(`/v1/sources/${sourceId}/releases/batch`, { releases: rows, silent });

  // The undated one is announced a day after 1.0.0 and a day before 3.0.0; 0.1.0 was imported without an announcement.
  async function history() {
    const org = await createOrg(admin);
    const source = await createSource(admin, { orgId: org.id });
    const start = clock().getTime();
    const at = (days: number) => new Date(start + days * DAY_MS).toISOString();
    await post(source.id, [undated('0.1.0'), dated('1.0.0', at(0))], true);
    move(DAY_MS);
    const announced = await post(source.id, [undated('2.0.0')]);
    assert.deepEqual([announced.status, announced.body.announced], [200, 1], announced.text);
    move(DAY_MS);
    await post(source.id, [dated('3.0.0', at(2))]);
    return { org, source, at, announcedId: announced.body.insertedIds[0] as string };
  }
  const versions = (body: { releases?: { version: string }[]; items?: { version: string }[] }) =>
    (body.releases ?? body.items ?? []).map(({ version }) => version);

  it('is the date, or the moment of the announcement, in every feed and page by page', async () => {
    const { org, source, at, announcedId } = await history();
    const expected = ['3.0.0', '2.0.0', '1.0.0', '0.1.0'];
    for (const feed of [`/v1/orgs/${org.slug}/releases`, `/v1/sources/${source.id}`]) {
      const found: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { body } = await service.anonymous.get(`${feed}?limit=1${page}`);
        found.push(...versions(body));
        cursor = body.pagination.nextCursor;
      }
      assert.deepEqual(found, expected, feed);
      assert.deepEqual(versions((await service.anonymous.get(`${feed}?limit=3`)).body), expected.slice(0, 3));
    }
    const found = [];
    for (let cursor = ''; ; ) {
      const { body } = await service.anonymous.get(`/v1/orgs/${org.slug}/releases?q=walrus&limit=1${cursor}`);
      found.push(...versions(body));
      if (body.pagination.nextCursor === null) break;
      cursor = `&cursor=${body.pagination.nextCursor}`;
    }
    assert.deepEqual(found, expected);
    const { body } = await service.anonymous.get(`/v1/releases/${announcedId}`);
    assert.deepEqual([body.publishedAt, body.fetchedAt], [null, at(1)]);
  });

  async function walked(path: string): Promise<string[]> {
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await service.anonymous.get(`${path}${cursor}`);
      found.push(...versions(body));
      if (body.pagination.nextCursor === null) return found;
      cursor = `&cursor=${body.pagination.nextCursor}`;
    }
  }

  it('of the same moment leaves the order to the versions, and so does none', async () => {
    const org = await createOrg(admin);
    const source = await createSource(admin, { orgId: org.id });
    const at = '2026-11-01T00:00:00.000Z';
    // In two batches and out of order, as imports and later fetches bring them.
    await post(source.id, [dated('1.9.0', at), dated('1.10.0-rc.1', at), undated('0.2.0'), undated('0.10.0')], true);
    move(DAY_MS);
    await post(source.id, [dated('1.2.0', at), dated('1.10.0', at), undated('0.9.1'), undated('0.1.0')], true);
    const expected = ['1.10.0', '1.10.0-rc.1', '1.9.0', '1.2.0', '0.10.0', '0.9.1', '0.2.0', '0.1.0'];
    const stable = expected.filter((version) => !version.includes('rc'));

    for (const feed of [`/v1/orgs/${org.slug}/releases`, `/v1/sources/${source.id}`]) {
      for (const limit of [1, 3, 100]) {
        const all = `${feed}?limit=${limit}&include_prereleases=true`;
        assert.deepEqual(await walked(all), expected, all);
        assert.deepEqual(await walked(`${feed}?limit=${limit}&q=walrus`), stable, `${feed} by words`);
      }
    }
    const feed = load((await service.anonymous.get(`/${org.slug}/${source.slug}.atom`)).text, { xml: true });
    const titles = feed('entry > title')
      .toArray()
      .map((title) => feed(title).text());
    assert.deepEqual(
      titles.map((title) => /\d+\.\d+\.\d+/.exec(title)?.[0]),
      stable,
    );
    const page = (await service.anonymous.get(`/${org.slug}/${source.slug}`)).text;
    const places = stable.map((version) => page.indexOf(`Walrus ${version}`));
    assert.deepEqual(
      places.toSorted((a, b) => a - b),
      places,
    );
    assert.ok((places[0] ?? -1) > 0);
  });

  it('of a cursor from before repeats what shares its moment and leaves nothing out', async () => {
    const org = await createOrg(admin);
    const source = await createSource(admin, { orgId: org.id });
    const at = '2026-11-01T00:00:00.000Z';
    await post(source.id, [dated('1.0.0', at), dated('1.1.0', at), undated('0.1.0')], true);
    const feed = `/v1/sources/${source.id}/releases`;
    const [first] = (await service.anonymous.get(`${feed}?limit=1`)).body.releases;
    const old = Buffer.from(JSON.stringify({ v: 1, k: [at, first.fetchedAt, first.id] })).toString('base64url');

    assert.deepEqual(await walked(`${feed}?cursor=${old}`), ['1.1.0', '1.0.0', '0.1.0']);
  });

  it('is none for many, and a common word finds them by version all the same', async () => {
    const org = await createOrg(admin);
    const source = await createSource(admin, { orgId: org.id });
    const rows = Array.from({ length: 1_100 }, (_, index) => undated(`1.${(index * 7) % 1_100}.0`));
    for (let start = 0; start < rows.length; start += 100) await post(source.id, rows.slice(start, start + 100), true);

    const found = await walked(`/v1/orgs/${org.slug}/releases?limit=100&q=walrus`);

    assert.deepEqual(
      found,
      Array.from({ length: 1_100 }, (_, index) => `1.${1_099 - index}.0`),
    );
  });

  it('is in no window and in no figure', async () => {
    const { org, source, at } = await history();
    const windows = [`since=${at(0)}`, `until=${at(5)}`, `since=${at(1)}&until=${at(1)}`];
    const inWindow = [];
    for (const window of windows) {
      for (const q of ['', '&q=walrus']) {
        inWindow.push(versions((await service.anonymous.get(`/v1/orgs/${org.slug}/releases?${window}${q}`)).body));
      }
    }
    const both = ['3.0.0', '1.0.0'];
    assert.deepEqual(inWindow, [both, both, both, both, [], []]);
    const item = (await service.anonymous.get(`/v1/sources/${source.id}`)).body;
    assert.equal(item.latestDate, at(2));
    const activity = (await service.anonymous.get(`/v1/sources/${source.id}/activity`)).body;
    assert.doesNotMatch(JSON.stringify(activity), /2\.0\.0/);
    const days = await admin.store.read
      .selectFrom('release_days')
      .select(['day', 'count'])
      .where('source_id', '=', source.id)
      .orderBy('day')
      .execute();
    assert.deepEqual(
      days.map(({ day, count }) => [day, Number(count)]),
      [
        [at(0).slice(0, 10), 1],
        [at(2).slice(0, 10), 1],
      ],
    );
  });

  it('follows a date that is given or taken away', async () => {
    const { org, at, announcedId } = await history();
    const order = async () => versions((await service.anonymous.get(`/v1/orgs/${org.slug}/releases`)).body);
    await service.root.patch(`/v1/releases/${announcedId}`, { publishedAt: at(-3) });
    assert.deepEqual(await order(), ['3.0.0', '1.0.0', '2.0.0', '0.1.0']);
    await service.root.patch(`/v1/releases/${announcedId}`, { title: 'Another walrus' });
    assert.deepEqual(await order(), ['3.0.0', '1.0.0', '2.0.0', '0.1.0']);
    await service.root.patch(`/v1/releases/${announcedId}`, { publishedAt: null });
    assert.deepEqual(await order(), ['3.0.0', '2.0.0', '1.0.0', '0.1.0']);
    await service.root.patch(`/v1/releases/${announcedId}`, { title: 'The same walrus' });
    assert.deepEqual(await order(), ['3.0.0', '2.0.0', '1.0.0', '0.1.0']);
  });

  it('is found for releases that were stored before it was kept, by their events', async () => {
    const { org } = await history();
    await admin.store.transaction(async (tx) => {
      await tx.updateTable('releases').set({ feed_at: '' }).where('published_at', 'is', null).execute();
      await tx.deleteFrom('schema_migrations').where('name', '=', 'order-time').execute();
      await tx.schema.alterTable('feed_tokens').dropColumn('content_hash').execute();
      await tx.schema.alterTable('feed_tokens').dropColumn('modified_at').execute();
    }, 'catalog');

    await admin.store.migrate();

    const { body } = await service.anonymous.get(`/v1/orgs/${org.slug}/releases?limit=10&since=`);
    assert.deepEqual(versions(body), ['3.0.0', '2.0.0', '1.0.0', '0.1.0']);
  });

  it('orders the private Atom feed, which tells when it changed', async () => {
    const { org, source } = await history();
    const account = await signUp(service);
    await account.session.post('/v1/me/follows', { targetType: 'org', targetId: org.id });
    const { feedUrl } = (await account.session.post('/v1/me/feed/token')).body;
    const path = new URL(feedUrl).pathname;
    const read = (headers = {}) => service.anonymous.get(path, headers);
    const first = await read();
    const modified = first.headers.get('last-modified') ?? '';
    const $ = load(first.text, { xml: true });

    const order = $('entry > title')
      .map((_, title) => $(title).text().slice(-5))
      .get();
    assert.deepEqual(order, ['3.0.0', '2.0.0', '1.0.0', '0.1.0']);
    assert.equal(modified, clock().toUTCString());
    move(DAY_MS);
    const unchanged = await read({ 'If-Modified-Since': modified });
    assert.deepEqual([unchanged.status, unchanged.text], [304, '']);
    assert.equal(unchanged.headers.get('last-modified'), modified);
    assert.equal((await read({ 'If-Modified-Since': modified, 'If-None-Match': '"other"' })).status, 200);
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
    assert.equal((await read({ 'If-Modified-Since': earlier })).status, 200);
    assert.equal((await read({ 'If-Modified-Since': 'some day' })).status, 200);

    await postReleases(admin, source.id, [releaseRow('4.0.0', { publishedAt: clock().toISOString() })]);
    const changed = await read({ 'If-Modified-Since': modified });
    const later = changed.headers.get('last-modified') ?? '';
    assert.equal(changed.status, 200);
    assert.ok(Date.parse(later) > Date.parse(modified));
    await account.session.delete(`/v1/me/follows/org/${org.id}`);
    const left = await read({ 'If-Modified-Since': later });
    assert.equal(left.status, 200, 'an entry less is a change, too, also within the same second');
    assert.ok(Date.parse(left.headers.get('last-modified') ?? '') > Date.parse(later));
  });
});
