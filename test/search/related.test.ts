import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { App } from '../../src/app.ts';
import { transact } from '../../src/context.ts';
import { relatedRoutes } from '../../src/http/routes/related.ts';
import { linkCoverage } from '../../src/releases/write/coverage.ts';
import { suppressRelease } from '../../src/releases/write/suppress.ts';
import { createEmbedding, type Embedding } from '../../src/search/vectors/embedding/pass.ts';
import type { Client } from '../support/client.ts';
import { type MovableClock, movableClock } from '../support/clock.ts';
import { type EmbeddingsService, startEmbeddings } from '../support/embeddings.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startService } from '../support/service.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const BODY =
  'Signing in works with a passkey or a hardware key on every device that people own, and administrators decide for whom, so that nobody has to remember another password again. '.repeat(
    2,
  );

function row(title: string, publishedAt: string | undefined, more: Parameters<typeof releaseRow>[1] = {}) {
  return releaseRow(title, { title, version: undefined, content: BODY, publishedAt, ...more });
}

interface Item {
  title: string;
  score: number;
}

forEachEngine('related items', (engine) => {
  let embeddings: EmbeddingsService;
  let app: App;
  let clock: MovableClock;
  let embedding: Embedding;
  let client: Client;
  let slugs: { acme: string; other: string };
  let ids: { anchor: string; mobile: string; other: string; alone: string; appAnchor: string };

  const drain = async () => {
    const { signal } = new AbortController();
    while (await embedding.pass(app.ctx, signal));
    await app.ctx.ports.vectors.follow(app.ctx);
  };
  const idOf = async (title: string) => {
    const found = await app.ctx.store.read
      .selectFrom('releases')
      .select('id')
      .where('title', '=', title)
      .executeTakeFirstOrThrow();
    return found.id;
  };

  before(async () => {
    embeddings = await startEmbeddings();
    clock = movableClock(NOW);
    app = await engine.openTestApp({ clock, env: embeddings.env });
    const { ctx } = app;
    const acme = await createOrg(ctx, { name: 'Acme' });
    const other = await createOrg(ctx, { name: 'Other' });
    const suite = await createProduct(ctx, acme.id, { name: 'Suite' });
    const web = await createSource(ctx, { orgId: acme.id, productId: suite.id, name: 'Web changelog' });
    const mobile = await createSource(ctx, { orgId: acme.id, name: 'Mobile changelog', slug: 'shared' });
    const foreign = await createSource(ctx, { orgId: other.id, name: 'Other changelog', slug: 'shared' });
    const store = await createSource(ctx, {
      orgId: other.id,
      type: 'appstore',
      url: 'https://apps.apple.com/us/app/x/id1',
    });
    const alone = await createSource(ctx, { name: 'Lonely changelog' });
    await postReleases(ctx, web.id, [
      row('Passkeys for everybody', '2026-03-01T00:00:00.000Z'),
      row('Passkeys for administrators', '2026-03-05T00:00:00.000Z', {
        media: [{ type: 'image', url: 'https://img.example/a.png', alt: 'A key' }],
      }),
    ]);
    await postReleases(ctx, mobile.id, [
      row('Passkeys in the mobile client', '2025-06-05T00:00:00.000Z'),
      row('Passkeys on every phone', '2026-03-09T00:00:00.000Z', { content: '' }),
    ]);
    await postReleases(ctx, foreign.id, [
      row('Passkeys at the other place', '2026-03-08T00:00:00.000Z'),
      row('Passkeys without a date', undefined),
      row('Passkeys of Acme, retold', '2026-03-02T00:00:00.000Z'),
    ]);
    await postReleases(ctx, store.id, [
      row('Passkeys in the app', '2026-03-09T00:00:00.000Z', { importance: 2 }),
      row('Passkeys launch in the app', '2026-03-07T00:00:00.000Z', { importance: 4 }),
    ]);
    await postReleases(ctx, alone.id, [row('Passkeys far from everybody', '2026-02-20T00:00:00.000Z')]);
    const anchor = await idOf('Passkeys for everybody');
    await linkCoverage(ctx, anchor, { coverageIds: [await idOf('Passkeys of Acme, retold')], decidedBy: 'human:test' });
    slugs = { acme: acme.slug, other: other.slug };
    ids = {
      anchor,
      mobile: mobile.id,
      other: foreign.id,
      alone: alone.id,
      appAnchor: await idOf('Passkeys launch in the app'),
    };
    client = (await startService(app, { routes: relatedRoutes })).anonymous;
    embedding = createEmbedding();
    assert.equal((await client.get(`/v1/related/releases?release=${anchor}`)).body.degradedReason, 'index_unavailable');
    await drain();
  });
  after(() => embeddings.close());

  const titles = (answer: { body: { items: Item[] } }) => answer.body.items.map(({ title }) => title);

  describe('releases', () => {
    it('near ones of everybody, the recent first, without the anchor and what retells it', async () => {
      const answer = await client.get(`/v1/related/releases?release=${ids.anchor}&limit=20`);

      assert.equal(answer.status, 200);
      assert.deepEqual([answer.body.scope, answer.body.degraded], ['global', false]);
      assert.deepEqual(titles(answer), [
        'Passkeys at the other place',
        'Passkeys launch in the app',
        'Passkeys for administrators',
        'Passkeys far from everybody',
        'Passkeys without a date',
        'Passkeys in the mobile client',
      ]);
      const scores = answer.body.items.map(({ score }: Item) => score);
      assert.ok(scores.every((score: number) => score > 0.35 && score <= 1.001));
    });

    it('says where each comes from', async () => {
      const { body } = await client.get(`/v1/related/releases?release=${ids.anchor}&limit=20`);
      const [first, third, second] = body.items;

      assert.deepEqual(first.source.orgSlug, slugs.other);
      assert.deepEqual(
        [second.source.productName, second.thumbnail],
        ['Suite', { url: 'https://img.example/a.png', alt: 'A key' }],
      );
      assert.equal(third.source.appStore.platform, 'ios');
      assert.equal(first.thumbnail, null);
      assert.match(first.webUrl, /\/release\/rel_/);
    });

    it('of the same org alone', async () => {
      const answer = await client.get(`/v1/related/releases?release=${ids.anchor}&scope=org`);

      assert.deepEqual(titles(answer), ['Passkeys for administrators', 'Passkeys in the mobile client']);
      const app = await client.get(`/v1/related/releases?release=${ids.appAnchor}&scope=org&limit=1`);
      assert.equal(app.body.items.length, 1);
    });

    it('without an org, in both spellings', async () => {
      for (const name of ['excludeOrgSlug', 'excludeOrg']) {
        const answer = await client.get(`/v1/related/releases?release=${ids.anchor}&${name}=${slugs.other}&limit=20`);
        assert.deepEqual(titles(answer), [
          'Passkeys for administrators',
          'Passkeys far from everybody',
          'Passkeys in the mobile client',
        ]);
      }
    });

    it('takes a decorated id, and may be kept by clients for five minutes', async () => {
      const answer = await client.get(`/v1/related/releases?release=${ids.anchor}-passkeys-for&limit=1`);

      assert.equal(answer.body.items.length, 1);
      assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=300, stale-while-revalidate=60/);
    });

    const refusals: [query: string, status: number, code: string][] = [
      ['', 400, 'bad_request'],
      ['release=', 400, 'bad_request'],
      ['release=nothing', 404, 'not_found'],
      ['release=rel_000000000000000000000', 404, 'not_found'],
    ];
    for (const [query, status, code] of refusals) {
      it(`${status} ${code}: ?${query}`, async () => {
        const answer = await client.get(`/v1/related/releases?${query}`);
        assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
      });
    }

    it('400 and 404 for what else is wrong', async () => {
      const scope = await client.get(`/v1/related/releases?release=${ids.anchor}&scope=galaxy`);
      assert.deepEqual([scope.status, scope.body.error.details.parameter], [400, 'scope']);
      const org = await client.get(`/v1/related/releases?release=${ids.anchor}&excludeOrg=nobody`);
      assert.deepEqual([org.status, org.body.error.details.parameter], [404, 'excludeOrgSlug']);
    });
  });

  describe('sources', () => {
    it('near ones of everybody, with their figures', async () => {
      const answer = await client.get(`/v1/related/sources?source=${ids.mobile}`);

      assert.equal(answer.body.degraded, false);
      assert.equal(answer.body.items.length, 4);
      const other = answer.body.items.find(({ id }: { id: string }) => id === ids.other);
      assert.deepEqual(
        [other.orgSlug, other.releaseCount, other.recentCount, other.latestDate, other.latestTitle],
        [slugs.other, 2, 1, '2026-03-08T00:00:00.000Z', 'Passkeys at the other place'],
      );
      // The source whose newest release is oldest comes last.
      assert.equal(answer.body.items.at(-1).id, ids.alone);
    });

    it('siblings, or everybody but an org', async () => {
      const siblings = await client.get(`/v1/related/sources?source=${ids.mobile}&scope=org`);
      assert.deepEqual(
        siblings.body.items.map(({ name }: { name: string }) => name),
        ['Web changelog'],
      );
      const foreign = await client.get(`/v1/related/sources?source=${ids.mobile}&excludeOrgSlug=${slugs.acme}&limit=1`);
      assert.equal(foreign.body.items.length, 1);
      assert.notEqual(foreign.body.items[0].orgSlug, slugs.acme);
    });

    it('a source without org has no siblings, and that is no fault', async () => {
      const { body } = await client.get(`/v1/related/sources?source=${ids.alone}&scope=org`);
      assert.deepEqual(body, { scope: 'org', items: [], degraded: false });
    });

    const refusals: [query: string, status: number, code: string][] = [
      ['', 400, 'bad_request'],
      ['source=nobody', 404, 'not_found'],
      ['source=src_000000000000000000000', 404, 'not_found'],
      ['source=shared', 409, 'ambiguous_slug'],
    ];
    for (const [query, status, code] of refusals) {
      it(`${status} ${code}: ?${query}`, async () => {
        const answer = await client.get(`/v1/related/sources?${query}`);
        assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
      });
    }
  });

  it('an anchor without a vector, and one that gets it later', async () => {
    const late = await createSource(app.ctx, { name: 'Late changelog' });
    await postReleases(app.ctx, late.id, [row('Passkeys, later', '2026-03-10T00:00:00.000Z')]);
    const id = await idOf('Passkeys, later');
    const [release, source] = [`/v1/related/releases?release=${id}`, `/v1/related/sources?source=${late.id}`];
    for (const path of [release, source]) {
      const { body, headers } = await client.get(path);
      const degraded = { degraded: true, degradedReason: 'anchor_not_embedded' };
      assert.deepEqual(body, { scope: 'global', items: [], ...degraded });
      assert.equal(headers.get('cache-control'), 'no-store');
    }
    // Another list was requested before, and is cached for five minutes.
    const kept = `/v1/related/releases?release=${ids.anchor}&limit=20`;
    const before = titles(await client.get(kept));
    await drain();

    assert.ok((await client.get(release)).body.items.length > 0);
    assert.equal((await client.get(source)).body.degraded, false);
    assert.deepEqual(titles(await client.get(kept)), before);
    clock.move(5 * 60_000);
    assert.ok(titles(await client.get(kept)).includes('Passkeys, later'));
  });

  it('what was hidden since is shown no more, although its neighbours are cached', async () => {
    const { ctx } = app;
    const releases = `/v1/related/releases?release=${ids.anchor}&limit=20`;
    const sources = `/v1/related/sources?source=${ids.mobile}&limit=20`;
    const before = (await client.get(releases)).body.items;
    const [gone] = before;
    await suppressRelease(ctx, gone.id, { suppressed: true });
    const after = (await client.get(releases)).body.items;
    assert.deepEqual(
      after.map(({ id }: { id: string }) => id),
      before.slice(1).map(({ id }: { id: string }) => id),
    );
    await suppressRelease(ctx, gone.id, { suppressed: false });

    const listed = async () => (await client.get(sources)).body.items.map(({ id }: { id: string }) => id);
    assert.ok((await listed()).includes(ids.other));
    await transact(ctx, ({ tx }) =>
      tx.updateTable('sources').set({ is_hidden: 1 }).where('id', '=', ids.other).execute(),
    );
    assert.ok(!(await listed()).includes(ids.other));
    await transact(ctx, ({ tx }) =>
      tx.updateTable('sources').set({ is_hidden: 0 }).where('id', '=', ids.other).execute(),
    );
    assert.ok((await listed()).includes(ids.other));
  });

  it('what has moved to another org since is no sibling any more', async () => {
    const { ctx } = app;
    const siblings = async (path: string) =>
      (await client.get(`/v1/related/${path}&scope=org&limit=20`)).body.items.map(({ id }: { id: string }) => id);
    const anchor = await idOf('Passkeys at the other place');
    const [releases, sources] = [`releases?release=${anchor}`, `sources?source=${ids.other}`];
    const before = { releases: await siblings(releases), sources: await siblings(sources) };
    const moved = await ctx.store.read
      .selectFrom('sources')
      .select(['id', 'org_id'])
      .where('id', 'in', before.sources)
      .executeTakeFirstOrThrow();
    const { id: elsewhere } = await createOrg(ctx, { name: 'Elsewhere' });
    const move = (org_id: string | null) =>
      transact(ctx, async ({ tx }) => {
        await tx.updateTable('sources').set({ org_id }).where('id', '=', moved.id).execute();
        await tx.updateTable('releases').set({ org_id }).where('source_id', '=', moved.id).execute();
      });
    const own = await ctx.store.read.selectFrom('releases').select('id').where('source_id', '=', moved.id).execute();
    const gone = new Set(own.map(({ id }) => id));
    assert.ok(before.releases.some((id: string) => gone.has(id)));

    await move(elsewhere);

    assert.deepEqual(
      await siblings(sources),
      before.sources.filter((id: string) => id !== moved.id),
    );
    assert.deepEqual(
      await siblings(releases),
      before.releases.filter((id: string) => !gone.has(id)),
    );
    await move(moved.org_id);
  });

  it('needs no embedder but the index', async () => {
    embeddings.health = 'down';
    const { body } = await client.get(`/v1/related/releases?release=${ids.anchor}&limit=7`);
    embeddings.health = 'well';
    assert.deepEqual([body.degraded, body.items.length], [false, 7]);
  });

  it('without embedder: no items, and a reason', async () => {
    const off = await engine.openTestApp({ clock });
    const source = await createSource(off.ctx);
    await postReleases(off.ctx, source.id, [row('Passkeys', '2026-03-10T00:00:00.000Z')]);
    const { id } = await off.ctx.store.read.selectFrom('releases').select('id').executeTakeFirstOrThrow();
    const { anonymous } = await startService(off, { routes: relatedRoutes });
    for (const path of [`releases?release=${id}`, `sources?source=${source.slug}`]) {
      assert.deepEqual((await anonymous.get(`/v1/related/${path}`)).body, {
        scope: 'global',
        items: [],
        degraded: true,
        degradedReason: 'not_configured',
      });
    }
  });
});
