import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine, type TestEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import { resolveSource } from '../../entities/resolve.ts';
import { updateSource } from '../../entities/sources/update.ts';
import { whatsChanged } from '../../packages/whats-changed/index.ts';
import type { Proof, ProvenRepository } from '../adapters/proofs.ts';
import { lookUp } from './look-up.ts';
import type { LookupContext, LookupPorts } from './run.ts';

const HOUR = 3_600_000;

forEachEngine('lookUp', (engine) => {
  it('indexed, then existing: a hidden source in a hidden org of the owner, silently, refreshed after a day', async () => {
    const { ctx, clock, host } = await world(engine);

    const first = await look(ctx, 'github:Acme/CLI');
    assert.deepEqual([first.status, first.releases?.length, first.relatedOrg], ['indexed', 2, null]);
    const { source } = first;
    assert.deepEqual(
      [source?.name, source?.isHidden, source?.discovery, source?.orgSlug],
      ['CLI', true, 'on_demand', 'acme'],
    );
    const org = await ctx.store.read.selectFrom('orgs').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([org.name, org.is_hidden, org.status, org.discovery], ['Acme', 1, 'tracked', 'on_demand']);
    assert.equal((await ctx.store.read.selectFrom('events').select('id').execute()).length, 0);

    const again = await look(as(ctx, null), 'acme/cli');
    assert.deepEqual(
      [again.status, again.source?.id, host.requested.length, host.refreshed],
      ['existing', source?.id, 1, []],
    );
    clock.move(25 * HOUR);
    assert.equal((await look(ctx, 'acme/cli')).status, 'existing');
    assert.deepEqual(host.refreshed, [source?.id]);

    // A second repository of the owner shares the org.
    assert.equal((await look(ctx, 'acme/web')).source?.orgId, org.id);
  });

  it('not_found is remembered for 24 hours', async () => {
    const { ctx, clock, host } = await world(engine);
    host.repository = async () => ({ verdict: 'refused', reason: 'gone' });
    for (let call = 0; call < 3; call += 1) {
      assert.deepEqual(await look(ctx, 'acme/none'), { status: 'not_found', relatedOrg: null });
    }
    assert.equal(host.requested.length, 1);
    clock.move(24 * HOUR);
    await look(ctx, 'acme/none');
    assert.equal(host.requested.length, 2);
    host.repository = async (name) => repository(name, { archived: true, items: [] });
    assert.equal((await look(ctx, 'acme/attic')).status, 'not_found');
    assert.equal((await ctx.store.read.selectFrom('sources').select('id').execute()).length, 0);
  });

  it('empty keeps a hidden source and is read again after 6 hours', async () => {
    const { ctx, clock, host } = await world(engine);
    host.releases = [];
    const empty = await look(ctx, 'acme/cli');
    assert.deepEqual([empty.status, empty.source?.name, 'releases' in empty], ['empty', 'CLI', false]);
    assert.deepEqual([(await look(ctx, 'acme/cli')).status, host.requested.length], ['empty', 1]);
    clock.move(6 * HOUR);
    host.releases = ['1.0.0'];
    const found = await look(ctx, 'acme/cli');
    assert.deepEqual([found.status, found.source?.id], ['indexed', empty.source?.id]);
  });

  it('deferred when the code host fails, before or after the source was made, and not remembered', async () => {
    const { ctx, host } = await world(engine);
    host.repository = async () => ({ verdict: 'unreachable', reason: 'throttled' });
    assert.deepEqual(await look(ctx, 'acme/cli'), { status: 'deferred', relatedOrg: null });
    host.repository = async (name) => repository(name);
    host.readable = false;
    const half = await look(ctx, 'acme/cli');
    assert.deepEqual([half.status, half.source?.name, half.releases], ['deferred', 'CLI', []]);
    host.readable = true;
    assert.equal((await look(ctx, 'acme/cli')).status, 'indexed');
  });

  it('deferred when it takes too long, and the run goes on', async () => {
    const { ctx, host } = await world(engine);
    const gate = Promise.withResolvers<void>();
    host.repository = async (name) => gate.promise.then(() => repository(name));
    host.patience = () => ({ over: Promise.resolve(), cancel: () => {} });
    assert.equal((await look(ctx, 'acme/cli')).status, 'deferred');
    host.patience = () => ({ over: new Promise(() => {}), cancel: () => {} });
    const joined = look(ctx, 'acme/cli');
    gate.resolve();
    assert.equal((await joined).status, 'indexed');
    assert.equal(host.requested.length, 1);
  });

  it('20 callers at once, on two processes: one source, one reading for each process at most', async () => {
    const database = await engine.openTestDatabase();
    const worlds = [await world(engine, { database }), await world(engine, { database })];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => look((worlds[index % 2] as World).ctx, 'acme/cli')),
    );

    assert.equal(new Set(answers.map(({ source }) => source?.id)).size, 1);
    assert.ok(answers.every(({ status }) => status === 'indexed' || status === 'existing'));
    const [first] = worlds;
    assert.equal((await first?.ctx.store.read.selectFrom('sources').select('id').execute())?.length, 1);
    assert.equal((await first?.ctx.store.read.selectFrom('releases').select('id').execute())?.length, 2);
    assert.ok(worlds.every(({ host }) => host.requested.length <= 1));
  });

  it('an operator who shows the source shows its org; one who hides a source is answered not_found', async () => {
    const { ctx } = await world(engine);
    const { source } = await look(ctx, 'acme/cli');
    await updateSource(as(ctx, 'write'), { src: source?.id ?? '' }, { isHidden: false });
    const shown = await look(as(ctx, null), 'acme/cli');
    assert.deepEqual(
      [shown.status, shown.relatedOrg?.org.slug, shown.relatedOrg?.sources.length],
      ['existing', 'acme', 1],
    );

    const org = await createOrg(ctx, { slug: 'other' });
    const hidden = { orgId: org.id, type: 'github' as const, url: 'https://github.com/other/x', isHidden: true };
    const secret = await createSource(ctx, hidden);
    await postReleases(ctx, secret.id, [releaseRow('1.0.0')]);
    assert.equal((await look(ctx, 'other/x')).status, 'not_found');
  });

  it('joins the related org: by a source of the owner, else by name; several are none', async () => {
    const { ctx } = await world(engine);
    const org = await createOrg(ctx, { slug: 'acme-inc', name: 'Acme Inc' });
    await createSource(ctx, { orgId: org.id, type: 'github', url: 'https://github.com/acme/web', slug: 'web' });
    const joined = await look(ctx, 'acme/cli');
    assert.deepEqual([joined.source?.orgId, joined.relatedOrg?.sources.map(({ slug }) => slug)], [org.id, ['web']]);

    const named = await createOrg(ctx, { slug: 'globex' });
    assert.equal((await look(ctx, 'Globex/a')).source?.orgId, named.id);
    await createOrg(ctx, { accounts: [{ platform: 'github', handle: 'Globex' }] });
    assert.equal((await look(ctx, 'globex/b')).relatedOrg, null);
    // The slug of the owner is taken, and `admin` is nobody's.
    assert.equal((await look(ctx, 'globex/b')).source?.orgSlug, 'globex-2');
    assert.equal((await look(ctx, 'admin/x')).source?.orgSlug, 'admin-2');
  });

  it('knows a repository by its former name', async () => {
    const { ctx, host } = await world(engine);
    host.repository = async () => repository('acme/new');
    const first = await look(ctx, 'acme/old');
    assert.deepEqual([first.status, first.source?.name], ['indexed', 'NEW']);
    const again = await look(ctx, 'acme/old');
    assert.deepEqual([again.status, again.source?.id], ['existing', first.source?.id]);
    const current = await look(ctx, 'acme/new');
    assert.deepEqual([current.status, current.source?.id], ['existing', first.source?.id]);
  });

  it('stops at the daily number of new sources', async () => {
    const { ctx, clock } = await world(engine, { env: { REGISTRY_LOOKUP_DAILY: '2' } });
    await look(ctx, 'acme/a');
    await look(ctx, 'acme/b');
    const stopped = await refused(look(ctx, 'acme/c'));
    assert.deepEqual([stopped?.code, stopped?.details], ['limit_exceeded', { limit: 2, scope: 'installation' }]);
    assert.equal((await look(ctx, 'acme/a')).status, 'existing');
    clock.move(24 * HOUR);
    assert.equal((await look(ctx, 'acme/c')).status, 'indexed');
  });

  it('is open to all, to writers or to nobody', async () => {
    const write = (await world(engine, { env: { REGISTRY_LOOKUPS: 'write' } })).ctx;
    assert.equal((await refused(look(as(write, null), 'acme/cli')))?.code, 'unauthorized');
    assert.equal((await refused(look(as(write, 'read'), 'acme/cli')))?.code, 'insufficient_scope');
    assert.equal((await look(as(write, 'write'), 'acme/cli')).status, 'indexed');
    const off = (await world(engine, { env: { REGISTRY_LOOKUPS: 'off' } })).ctx;
    assert.equal((await refused(look(as(off, 'admin'), 'acme/cli')))?.code, 'forbidden');
  });

  it('finds a package by its name: its repository is read, and the package map leads to it', async () => {
    const { ctx, host } = await world(engine);
    const first = await named(ctx, 'npm', 'Lamp');
    assert.deepEqual([first.status, first.source?.name, first.releases?.length], ['indexed', 'LAMP', 2]);
    assert.deepEqual([host.described, host.requested], [['Lamp'], ['acme/lamp']]);
    const [entry] = await ctx.store.read.selectFrom('packages').selectAll().execute();
    assert.deepEqual(
      [entry?.ecosystem, entry?.name, entry?.source_id, entry?.origin],
      ['npm', 'lamp', first.source?.id, 'ingest'],
    );
    const again = await named(as(ctx, null), 'npm', 'lamp');
    assert.deepEqual([again.status, again.source?.id, host.described.length], ['existing', first.source?.id, 1]);
    const answer = await whatsChanged(as(ctx, null), { package: 'lamp', ecosystem: 'npm', from: '1.0.0', to: '1.1.0' });
    assert.deepEqual([answer.status, answer.matchedBy, answer.total], ['resolved', 'package_map', 1]);
    // Another package of the repository is mapped without reading it again.
    assert.deepEqual([(await named(ctx, 'npm', '@acme/bulb')).status, host.requested.length], ['existing', 1]);
  });

  it('makes a source on the page of a package whose repository is unknown or cannot be read', async () => {
    const { ctx, host } = await world(engine);
    const described = [null, 'https://gitlab.com/acme/lamp', 'https://github.com/acme/gone'];
    host.repository = async () => ({ verdict: 'refused', reason: 'gone' });
    for (const [index, repository] of described.entries()) {
      host.describe = async () => ({ verdict: 'proven', repository });
      const { status, source, relatedOrg } = await named(ctx, 'npm', `JSON${index}`);
      assert.deepEqual([status, relatedOrg], ['indexed', null]);
      assert.deepEqual(
        [source?.type, source?.url, source?.name, source?.isHidden, source?.discovery],
        ['scrape', `https://www.npmjs.com/package/JSON${index}`, `JSON${index}`, true, 'on_demand'],
      );
    }
    host.describe = async () => ({ verdict: 'proven', repository: null });
    assert.equal((await named(ctx, 'pypi', 'Flask_Lamp')).source?.url, 'https://pypi.org/project/Flask_Lamp/');
    const names = await ctx.store.read.selectFrom('packages').select('name').orderBy('name').execute();
    assert.deepEqual(
      names.map(({ name }) => name),
      ['flask-lamp', 'json0', 'json1', 'json2'],
    );
  });

  it('reads the package where the code host is out of reach, and its repository when it comes back', async () => {
    const { ctx, clock, host } = await world(engine);
    host.repository = async () => ({ verdict: 'unreachable', reason: 'throttled', status: 403 });
    assert.deepEqual(await named(ctx, 'npm', 'lamp'), { status: 'deferred', relatedOrg: null });
    host.repository = async () => ({ verdict: 'unreachable', reason: 'unreachable', status: null });
    const first = await named(ctx, 'npm', 'lamp');
    assert.deepEqual([first.status, first.source?.type], ['indexed', 'scrape']);
    host.repository = async (name) => repository(name);
    assert.equal((await named(ctx, 'npm', 'lamp')).source?.type, 'scrape');
    clock.move(25 * HOUR);
    const later = await named(ctx, 'npm', 'lamp');
    assert.deepEqual([later.status, later.source?.type], ['indexed', 'github']);

    host.repository = async () => ({ verdict: 'unreachable', reason: 'unreachable', status: null });
    host.describe = async () => ({ verdict: 'proven', repository: 'https://github.com/acme/dark' });
    host.releases = [];
    for (let call = 0; call < 2; call += 1) assert.equal((await named(ctx, 'npm', '@acme/dark')).status, 'deferred');
  });

  it('remembers a package that is not there or has no notes, and nothing while a server does not answer', async () => {
    const { ctx, clock, host } = await world(engine);
    host.describe = async () => ({ verdict: 'refused', reason: 'not found' });
    for (let call = 0; call < 2; call += 1) assert.equal((await named(ctx, 'npm', 'none')).status, 'not_found');
    assert.equal(host.described.length, 1);
    host.describe = async () => ({ verdict: 'unreachable', reason: 'http 503' });
    for (let call = 0; call < 2; call += 1) assert.equal((await named(ctx, 'npm', 'slow')).status, 'deferred');
    assert.equal(host.described.length, 3);
    host.describe = async () => ({ verdict: 'proven', repository: null });
    host.releases = [];
    for (let call = 0; call < 2; call += 1) assert.equal((await named(ctx, 'npm', 'quiet')).status, 'empty');
    assert.equal(host.described.length, 4);
    clock.move(6 * HOUR);
    host.releases = ['1.0.0'];
    assert.equal((await named(ctx, 'npm', 'quiet')).status, 'indexed');
    assert.equal((await ctx.store.read.selectFrom('sources').select('id').execute()).length, 1);
  });

  it('reads the notes inside of a package whose repository has none', async () => {
    const { ctx, host } = await world(engine);
    host.releases = [];
    assert.equal((await named(ctx, 'npm', 'lamp')).status, 'empty');
    host.packed = ['1.0.0'];
    const { status, source } = await named(ctx, 'npm', 'lamp');
    assert.deepEqual([status, host.noted.length], ['indexed', 2]);
    assert.equal((await look(ctx, 'acme/lamp')).source?.id, source?.id);
  });

  it('counts new sources of packages in the daily number, and 20 callers make one', async () => {
    const { ctx, host } = await world(engine, { env: { REGISTRY_LOOKUP_DAILY: '1' } });
    host.describe = async () => ({ verdict: 'proven', repository: null });
    const answers = await Promise.all(Array.from({ length: 20 }, () => named(ctx, 'npm', 'lamp')));
    assert.equal(new Set(answers.map(({ source }) => source?.id)).size, 1);
    assert.equal((await refused(named(ctx, 'npm', 'bulb')))?.code, 'limit_exceeded');
  });

  it('tells nobody of a private package who is not admitted to its registry', async () => {
    const env = { REGISTRY_PACKAGE_REGISTRIES: '@acme=https://npm.acme.example' };
    const { ctx, host } = await world(engine, { env });
    host.describe = async () => ({ verdict: 'proven', repository: null });
    assert.deepEqual(await named(as(ctx, null), 'npm', '@acme/secret'), { status: 'not_found', relatedOrg: null });
    assert.deepEqual([host.described, await ctx.store.read.selectFrom('lookups').selectAll().execute()], [[], []]);

    const found = await named(as(ctx, 'read'), 'npm', '@acme/secret');
    assert.deepEqual([found.status, found.releases?.length], ['indexed', 2]);
    const again = await named(as(ctx, 'read'), 'npm', '@acme/secret');
    assert.deepEqual([again.status, again.source?.id], ['existing', found.source?.id]);
    // Those who know the id of its source are told nothing either.
    const src = found.source?.id ?? '';
    assert.equal((await refused(resolveSource(as(ctx, null), { src })))?.code, 'not_found');
    assert.deepEqual(await named(as(ctx, null), 'npm', '@acme/secret'), { status: 'not_found', relatedOrg: null });
  });

  it('refuses what is no name of a package', async () => {
    const { ctx } = await world(engine);
    const wrong: Record<string, unknown>[] = [
      { ecosystem: 'npm' },
      { package: 'lamp' },
      { ecosystem: 'cargo', package: 'lamp' },
      { ecosystem: 'npm', package: 7 },
      { ecosystem: 'npm', package: '' },
      { ecosystem: 'npm', package: '../lamp' },
      { ecosystem: 'npm', package: '@acme' },
      { ecosystem: 'npm', package: '@acme/lamp/more' },
      { ecosystem: 'npm', package: 'a b' },
      { ecosystem: 'npm', package: 'lamp\0' },
      { ecosystem: 'npm', package: 'l'.repeat(300) },
      { ecosystem: 'pypi', package: '@acme/lamp' },
      { ecosystem: 'pypi', package: 'lamp?x=1' },
      { ecosystem: 'npm', package: 'lamp', provider: 'github' },
      { ecosystem: 'npm', package: 'lamp', coordinate: 'acme/lamp' },
    ];
    for (const request of wrong) {
      assert.equal(
        (await refused(lookUp(ctx as LookupContext, request)))?.code,
        'bad_request',
        JSON.stringify(request),
      );
    }
  });

  it('refuses what is no coordinate', async () => {
    const { ctx } = await world(engine);
    for (const coordinate of ['acme', 'a/b/c', 'https://github.com/a/b', 'a b/c', '../..', '', 7, undefined]) {
      assert.equal(
        (await refused(lookUp(ctx as LookupContext, { provider: 'github', coordinate })))?.code,
        'bad_request',
      );
    }
    assert.equal(
      (await refused(lookUp(ctx as LookupContext, { provider: 'gitlab', coordinate: 'a/b' })))?.code,
      'bad_request',
    );
  });
});

type World = Awaited<ReturnType<typeof world>>;

async function world(
  engine: TestEngine,
  options: { env?: Record<string, string>; database?: Record<string, string> } = {},
) {
  const clock = movableClock('2026-03-01T06:00:00.000Z');
  const app = await engine.openTestApp({ clock, ...options });
  const host = {
    requested: [] as string[],
    refreshed: [] as string[],
    described: [] as string[],
    noted: [] as string[],
    // Versions with notes inside of the package.
    packed: [] as string[],
    describe: async (_name: string): Promise<Proof<{ repository: string | null }>> => ({
      verdict: 'proven',
      repository: 'https://github.com/acme/lamp',
    }),
    releases: ['1.0.0', '1.1.0'],
    readable: true,
    repository: async (name: string): Promise<Proof<ProvenRepository>> => repository(name),
    patience: (): ReturnType<LookupPorts['patience']> => ({ over: new Promise<void>(() => {}), cancel: () => {} }),
  };
  const lookups: LookupPorts = {
    repository(coordinate) {
      host.requested.push(coordinate);
      return host.repository(coordinate);
    },
    async describe(_, asked) {
      host.described.push(asked.spelling);
      return host.describe(asked.spelling);
    },
    async notes(ctx, source) {
      host.noted.push(source.id);
      if (host.packed.length > 0)
        await postReleases(
          ctx,
          source.id,
          host.packed.map((version) => releaseRow(version)),
        );
    },
    async read(ctx, source) {
      if (!host.readable) return false;
      const rows = host.releases.map((version) =>
        releaseRow(version, { url: `${source.url}/releases/tag/${version}` }),
      );
      await postReleases(ctx, source.id, rows, { silent: true });
      const read = { last_fetched_at: ctx.clock().toISOString() };
      await ctx.store.transaction(
        (tx) => tx.updateTable('sources').set(read).where('id', '=', source.id).execute(),
        'catalog',
      );
      return true;
    },
    async refresh(_, source) {
      host.refreshed.push(source.id);
    },
    patience: () => host.patience(),
  };
  const ctx: LookupContext = { ...app.ctx, lookups };
  return { ctx, clock, host };
}

function look(ctx: Context, coordinate: string) {
  return lookUp(ctx as LookupContext, { provider: 'github', coordinate });
}

function named(ctx: Context, ecosystem: string, name: string) {
  return lookUp(ctx as LookupContext, { ecosystem, package: name });
}

function repository(name: string, more: Partial<ProvenRepository> = {}): Proof<ProvenRepository> {
  const [owner = '', repo = ''] = name.split('/');
  const fullName = `${owner.slice(0, 1).toUpperCase()}${owner.slice(1)}/${repo.toUpperCase()}`;
  const items = [{ title: '1', version: '1', url: null, publishedAt: null }];
  return { verdict: 'proven', fullName, homepage: null, ownerSite: null, archived: false, items, ...more };
}
