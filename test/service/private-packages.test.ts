// Packages of a private registry: seen by machine tokens and admitted accounts, and by nobody else in any way.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { putPackage } from '../../src/entities/packages/put.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { createPackageSource } from '../../src/ingest/lookups/create-source.ts';
import { reencryptRegistryTokens } from '../../src/ingest/registries/manage.ts';
import { exportRecords } from '../../src/ingest/transfer/export-records.ts';
import { listPublished } from '../insight/published.ts';
import { signUp } from '../support/accounts.ts';
import type { Client } from '../support/client.ts';
import { openDemoApp } from '../support/demo.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { connectModern } from '../support/mcp.ts';
import { startOutsideWorld } from '../support/outside-world.ts';
import { npmPath, serveNpm } from '../support/package-documents.ts';
import { publicReads } from '../support/public-answers.ts';
import { startService } from '../support/service.ts';
import { openStream } from '../webhooks/stream-client.ts';

const TOKEN = 'npm_SecretOfTheWalledRegistry4f2a';
const NAME = '@walled/ledger-forms';

forEachEngine('packages of a private registry', (engine) => {
  it('are shown to machine tokens and admitted accounts, and nowhere else', async (t) => {
    const world = await startOutsideWorld();
    t.after(() => world.close());
    const app = await openDemoApp(engine, {
      env: { REGISTRY_EGRESS_ALLOW: '127.0.0.0/8', REGISTRY_HOST_DELAY_MS: '0', REGISTRY_RATE_PUBLIC: '0' },
    });
    const service = await startService(app, { verifyAnswers: false });
    const { root, anonymous } = service;
    world.route(npmPath(NAME), ({ headers }) =>
      headers.authorization === `Bearer ${TOKEN}` ? served(NAME) : { status: 401, body: '{}' },
    );
    const served = (name: string) => {
      const document = {
        name,
        'dist-tags': { latest: '2.0.0' },
        versions: { '1.0.0': { deprecated: 'Walled words' }, '2.0.0': {} },
        time: { '1.0.0': '2026-01-01T00:00:00.000Z', '2.0.0': '2026-02-01T00:00:00.000Z' },
        repository: 'https://git.walled.example/forms',
      };
      return JSON.stringify(document);
    };
    const [inside, outside] = [await signUp(service), await signUp(service)];

    // Named without a token, the registry refuses, and the operator sees why.
    const put = (body: object) =>
      root.put('/v1/admin/package-registries', { scope: '@walled', url: world.url, ...body });
    assert.equal((await put({})).status, 200);
    const read = () => root.post('/v1/admin/packages/read', { ecosystem: 'npm', name: NAME });
    const refused = await read();
    assert.deepEqual([refused.body.outcome, refused.body.reason, refused.body.versions], ['refused', 'http 401', 0]);
    const stored = await put({ token: TOKEN, accounts: [inside.id] });
    const { hasToken, tokenHint, accounts, origin } = stored.body;
    assert.deepEqual([hasToken, tokenHint, accounts, origin], [true, '4f2a', [inside.id], 'operator']);
    assert.deepEqual([(await read()).body.outcome, (await read()).body.versions], ['listed', 2]);

    // A public source tells about it, as the map says.
    const source = (await anonymous.get('/v1/sources?limit=1')).body.items[0];
    await root.put('/v1/packages', { ecosystem: 'npm', name: NAME, sourceId: source.id });

    const asked = `ecosystem=npm&package=${encodeURIComponent(NAME)}&from=1.0.0&to=2.0.0`;
    const sees = async (client: Client) => {
      const listed = await client.get(`/v1/packages?name=${encodeURIComponent(NAME)}`);
      const looked = await client.get(`/v1/lookups/package?ecosystem=npm&name=${encodeURIComponent(NAME)}`);
      const changed = await client.get(`/v1/whats-changed?${asked}`);
      const pages = ['', '/versions', '/compare?from=1.0.0&to=2.0.0'].map((path) => `/v1/packages/npm/${NAME}${path}`);
      const statuses = await Promise.all(pages.map(async (path) => (await client.get(path)).status));
      return [
        listed.body.items.length,
        looked.status,
        changed.body.reasonDetail === 'not_mapped',
        ...new Set(statuses),
      ];
    };
    const { token } = (await root.post('/v1/tokens', { name: 'reader', scopes: ['read'] })).body;
    for (const client of [root, service.as(token), inside.cookie, (await inside.key()).client]) {
      assert.deepEqual(await sees(client), [1, 200, false, 200]);
    }
    const statuses = new Set<string>();
    for (const client of [anonymous, outside.cookie, (await outside.key()).client]) {
      assert.deepEqual(await sees(client), [0, 404, true, 404]);
      for (const ending of ['', '.json', '.md', '.atom', '/badge.svg']) {
        statuses.add(`${ending} ${(await client.get(`/packages/npm/${NAME}${ending}`)).status}`);
      }
    }

    // A name that nobody has ever heard of is answered the same.
    const unknown = new Set<string>();
    for (const ending of ['', '.json', '.md', '.atom', '/badge.svg']) {
      unknown.add(`${ending} ${(await anonymous.get(`/packages/npm/@nobody/nothing${ending}`)).status}`);
    }
    assert.deepEqual(statuses, unknown);

    // Everything else that anybody may read, asked with and without the name.
    const needles = /@walled|walled%2f|ledger-forms|Walled words|git\.walled/i;
    const words = encodeURIComponent(NAME);
    const pages = [
      ...['/', '/sitemap.xml', '/robots.txt', '/llms.txt', '/catalog', '/search?q=ledger-forms', '/feed.atom', '/v1'],
      `/v1/search?q=${words}`,
      '/v1/search?q=ledger-forms',
      `/search?q=${words}`,
      `/packages/npm/${NAME}`,
      `/packages/npm/${NAME}.json`,
      `/packages/npm/${NAME}.md`,
      `/packages/npm/${NAME}.atom`,
      `/v1/packages/npm/${NAME}`,
      `/v1/packages/npm/${NAME}/versions`,
      `/packages/npm/${NAME}/badge.svg`,
      `/v1/packages/npm/${words}`,
      `/v1/packages/npm/${words}/versions`,
      `/whats-changed?${asked}`,
      `/v1/whats-changed?${asked}`,
      `/${source.orgSlug}`,
      `/${source.orgSlug}/${source.slug}`,
      `/sources/${source.id}`,
    ];
    const reads = [...(await publicReads(anonymous)), ...pages];
    for (const [client, paths] of [
      [anonymous, reads],
      [outside.cookie, pages],
    ] as const) {
      for (const path of paths) {
        const { text } = await client.get(path);
        // An answer may repeat what was asked for, and tells nothing else.
        const told = text.replaceAll(NAME, '').replaceAll(words, '').replaceAll('ledger-forms', '');
        const isAsked = /walled|ledger/.test(path);
        assert.ok(!needles.test(isAsked ? told : text), path);
        assert.ok(!/"2\.0\.0".*Walled|Walled words/.test(text), path);
      }
    }
    const lines: string[] = [];
    await exportRecords(app.ctx, { write: async (line) => void lines.push(line) });
    assert.ok(!needles.test(lines.join('')));

    // The token is never told: not by any read of the operator, not by the audit log.
    const own = ROUTES.filter(
      ({ method, path }) => method === 'GET' && path.startsWith('/admin/') && !path.includes('{'),
    );
    for (const { path } of own) {
      const { text } = await root.get(`/v1${path}`);
      assert.ok(!text.includes(TOKEN), path);
    }
    const row = await app.ctx.store.read.selectFrom('package_registries').selectAll().executeTakeFirstOrThrow();
    assert.ok(!JSON.stringify(row).includes(TOKEN));
    const audit = await app.ctx.store.read.selectFrom('audit_log').selectAll().execute();
    assert.ok(!JSON.stringify(audit).includes(TOKEN));

    // Another address gets no token of this one.
    const other = await startOutsideWorld();
    t.after(() => other.close());
    serveNpm(other, { name: NAME, versions: { '9.0.0': '2026-01-05' } });
    assert.equal((await put({ url: other.url })).body.hasToken, false);
    assert.equal((await read()).body.versions, 1);
    assert.ok(other.requests.length > 0 && other.requests.every(({ headers }) => headers.authorization === undefined));

    // Removed, the registry takes with it what was learnt from it.
    assert.equal((await root.delete('/v1/admin/package-registries/%40walled')).status, 204);
    for (const table of ['package_states', 'package_versions', 'package_admissions', 'package_registries'] as const) {
      assert.deepEqual(await app.ctx.store.read.selectFrom(table).selectAll().execute(), [], table);
    }
  });

  it('are told to no stranger by agents, lookups, the live stream or webhooks', async (t) => {
    const app = await engine.openTestApp({
      env: {
        REGISTRY_PACKAGE_REGISTRIES: '@walled=https://npm.walled.example',
        REGISTRY_LOOKUPS: 'public',
        REGISTRY_RATE_PUBLIC: '0',
      },
    });
    const { ctx } = app;
    const service = await startService(app);
    const { id: orgId } = await createOrg(ctx);
    const open = await createSource(ctx, { orgId });
    await postReleases(ctx, open.id, [releaseRow('1.0.0'), releaseRow('2.0.0')], { silent: true });
    await putPackage(ctx, { ecosystem: 'npm', name: NAME, sourceId: open.id });
    await listPublished(ctx, NAME, ['1.0.0', { version: '2.0.0', deprecated: 'Walled words' }], {
      registry: '@walled',
    });
    const locks = '@walled/vault-locks';
    const asked = { ecosystem: 'npm', name: locks, spelling: locks } as const;
    const own = await createPackageSource(ctx, { ...asked, isPrivate: true });
    const outside = await signUp(service);
    const needles = /walled|ledger-forms|vault-locks/i;

    // Every tool, asked for the name of the package and for that of its source.
    const agent = await connectModern(service.url, { Authorization: `Bearer ${(await outside.key()).value}` });
    t.after(() => agent.close());
    for (const [name, source] of [
      [NAME, open.id],
      [locks, own.id],
    ] as const) {
      const said = [
        await agent.call('whats_changed', { package: name, ecosystem: 'npm', from: '1.0.0', to: '2.0.0' }),
        await agent.call('whats_changed', { package: name, from: '1.0.0', to: 'latest' }),
        await agent.call('search', { query: name }),
        await agent.call('search', { query: name.slice('@walled/'.length) }),
        await agent.call('get_source', { source }),
        await agent.call('latest_releases', {}),
        await agent.call('stats', {}),
      ];
      for (const { text, structured } of said) {
        const told = `${text} ${JSON.stringify(structured ?? null)}`
          .replaceAll(name, '')
          .replaceAll(name.slice('@walled/'.length), '');
        assert.doesNotMatch(told, needles);
      }
      const [mapped] = said;
      assert.deepEqual([mapped?.structured.status, mapped?.structured.evidence], ['unknown', undefined]);
    }

    // A lookup answers what it answers for a name that nobody has.
    for (const client of [service.anonymous, outside.cookie]) {
      for (const name of [NAME, locks, '@walled/nobody-has-it']) {
        const { status, body } = await client.post('/v1/lookups', { ecosystem: 'npm', package: name });
        assert.deepEqual([status, body], [200, { status: 'not_found', relatedOrg: null }], name);
      }
    }

    // Webhooks and the stream tell of events, and a private release makes none.
    const stream = await openStream(`${service.url}/v1/releases/stream`);
    t.after(() => stream.close());
    await stream.until((frames) => frames.some(({ event }) => event === 'ready'));
    await postReleases(ctx, own.id, [releaseRow('7.0.0', { title: 'Walled words' })]);
    await postReleases(ctx, open.id, [releaseRow('3.0.0')]);
    await stream.until(() => stream.seqs().length > 0);
    assert.doesNotMatch(JSON.stringify(stream.frames), needles);
    assert.doesNotMatch(JSON.stringify(await ctx.store.read.selectFrom('events').selectAll().execute()), needles);
  });

  it('keep their token when the secret is replaced, and lose nothing to a wrong request', async () => {
    const database = await engine.openTestDatabase();
    const app = await engine.openTestApp({ database });
    const { root } = await startService(app);
    const put = (body: object) => root.put('/v1/admin/package-registries', body);
    assert.equal((await put({ scope: '@acme', url: 'https://npm.acme.example/', token: TOKEN })).status, 200);
    for (const [body, path] of [
      [{ scope: 'acme', url: 'https://npm.acme.example' }, 'scope'],
      [{ scope: '@Acme', url: 'https://npm.acme.example' }, 'scope'],
      [{ scope: '@acme', url: 'http://127.0.0.1:4873' }, 'url'],
      [{ scope: '@acme', url: 'http://169.254.169.254/latest' }, 'url'],
      [{ scope: '@acme', url: 'ftp://npm.acme.example' }, 'url'],
      [{ scope: '@acme', url: 'https://npm.acme.example', token: 'two words' }, 'token'],
      [{ scope: '@acme', url: 'https://npm.acme.example', accounts: ['nobody@mail.example'] }, 'accounts'],
    ] as const) {
      const answer = await put(body);
      assert.deepEqual([answer.status, answer.body.error.details.issues[0].path], [400, path], JSON.stringify(body));
      assert.ok(!answer.text.includes(TOKEN));
    }
    const env = { REGISTRY_SECRET: '7a'.repeat(32), REGISTRY_SECRET_PREVIOUS: '5e'.repeat(32) };
    const next = await engine.openTestApp({ database, env });
    assert.deepEqual(await reencryptRegistryTokens(next.ctx), { moved: 1, unreadable: 0 });
    assert.deepEqual(await reencryptRegistryTokens(next.ctx), { moved: 0, unreadable: 0 });
    const later = await engine.openTestApp({ database, env: { REGISTRY_SECRET: '7a'.repeat(32) } });
    const { root: after } = await startService(later);
    const { items } = (await after.get('/v1/admin/package-registries')).body;
    const found = items.find(({ scope }: { scope: string | null }) => scope === '@acme');
    assert.deepEqual([found.hasToken, found.tokenHint, found.url], [true, '4f2a', 'https://npm.acme.example']);
  });
});
