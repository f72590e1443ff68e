// Which source and which of its packages a request means, row by row, over HTTP.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { transact } from '../../src/context.ts';
import { updateOrg } from '../../src/entities/orgs/update.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { setFormerNames } from '../../src/entities/sources/former-names.ts';
import { updateSource } from '../../src/entities/sources/update.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource } from '../support/factories.ts';
import { openUpgradeWorld, type UpgradeWorld, versionsOf } from './upgrade-world.ts';

const RANGE = { from: '1.0.0', to: '2.0.0' };

forEachEngine('the package of an upgrade', (engine) => {
  let world: UpgradeWorld;
  const ids: Record<string, string> = {};

  before(async () => {
    world = await openUpgradeWorld(engine);
    const { ctx, fill } = world;
    const put = async (slug: string, more: Parameters<UpgradeWorld['fill']>[1] = {}) => {
      const source = await fill(['1.0.0', '1.5.0', '2.0.0'], { slug, name: slug, type: 'github', ...more });
      ids[slug] = source.id;
      return source;
    };
    const engineSource = await put('engine', { url: 'https://github.com/Acme/Engine.js' });
    await put('hidden', { url: 'https://github.com/acme/hidden', isHidden: true });
    await put('looked-up', { url: 'https://github.com/acme/Looked_Up', isHidden: true, discovery: 'on_demand' });
    await put('gone-home', { url: 'https://github.com/acme/new-home' });
    const other = await createOrg(ctx, { slug: 'other-org' });
    ids.twin = (await put('shared', { orgId: other.id, url: 'https://other.example/shared' })).id;
    await put('shared', { url: 'https://github.com/acme/shared' });
    await transact(ctx, (inner) => setFormerNames(inner, ids['gone-home'] ?? '', ['acme/old-home']));
    await putPackage(ctx, { ecosystem: 'npm', name: '@Acme/Engine', sourceId: engineSource.id });
    await putPackage(ctx, { ecosystem: 'pypi', name: 'Acme_Engine', sourceId: engineSource.id });
    await putPackage(ctx, { ecosystem: 'npm', name: 'secret', sourceId: ids.hidden ?? '' });
    await putPackage(ctx, { ecosystem: 'npm', name: 'found-once', sourceId: ids['looked-up'] ?? '' });
  });

  type Row = [
    string,
    Record<string, string>,
    { matchedBy?: string; source?: string; detail?: string; reason?: string },
  ];
  const rows = (): Row[] => [
    ['an id', { package: ids.engine ?? '' }, { matchedBy: 'id', source: 'engine' }],
    [
      'an id of a source that a lookup made',
      { package: ids['looked-up'] ?? '' },
      { matchedBy: 'id', source: 'looked-up' },
    ],
    ['an id of a hidden source', { package: ids.hidden ?? '' }, { reason: 'not_tracked' }],
    ['an id that nobody has', { package: 'src_000000000000000000000' }, { reason: 'not_tracked' }],
    ['npm', { package: '@acme/engine', ecosystem: 'npm' }, { matchedBy: 'package_map', source: 'engine' }],
    ['npm in capitals', { package: '@ACME/engine', ecosystem: 'npm' }, { matchedBy: 'package_map', source: 'engine' }],
    ['pypi', { package: 'acme.engine', ecosystem: 'pypi' }, { matchedBy: 'package_map', source: 'engine' }],
    [
      'npm name that is a slug',
      { package: 'engine', ecosystem: 'npm' },
      { reason: 'not_tracked', detail: 'not_mapped' },
    ],
    ['npm name of pypi', { package: 'acme-engine', ecosystem: 'npm' }, { reason: 'not_tracked', detail: 'not_mapped' }],
    [
      'npm of a hidden source',
      { package: 'secret', ecosystem: 'npm' },
      { reason: 'not_tracked', detail: 'not_mapped' },
    ],
    [
      'npm of a package that a lookup has found',
      { package: 'found-once', ecosystem: 'npm' },
      { matchedBy: 'package_map', source: 'looked-up' },
    ],
    ['a coordinate', { package: 'acme/engine.js', ecosystem: 'github' }, { matchedBy: 'coordinate', source: 'engine' }],
    ['in any case', { package: 'ACME/Engine.js', ecosystem: 'github' }, { matchedBy: 'coordinate', source: 'engine' }],
    [
      'with its host',
      { package: 'github:acme/engine.js', ecosystem: 'github' },
      { matchedBy: 'coordinate', source: 'engine' },
    ],
    ['with its host alone', { package: 'github:acme/engine.js' }, { matchedBy: 'coordinate', source: 'engine' }],
    [
      'a former name',
      { package: 'acme/old-home', ecosystem: 'github' },
      { matchedBy: 'coordinate', source: 'gone-home' },
    ],
    [
      'a repository that was looked up',
      { package: 'acme/looked_up', ecosystem: 'github' },
      { matchedBy: 'coordinate', source: 'looked-up' },
    ],
    ['a hidden repository', { package: 'acme/hidden', ecosystem: 'github' }, { reason: 'not_tracked' }],
    ['no such repository', { package: 'acme/nothing', ecosystem: 'github' }, { reason: 'not_tracked' }],
    ['no repository at all', { package: 'a/b/c', ecosystem: 'github' }, { reason: 'not_tracked' }],
    ['a slug', { package: 'engine' }, { matchedBy: 'slug', source: 'engine' }],
    ['a slug under github', { package: 'engine', ecosystem: 'github' }, { matchedBy: 'slug', source: 'engine' }],
    ['a slug in capitals', { package: 'Engine' }, { reason: 'not_tracked' }],
    ['a slug of a hidden source', { package: 'hidden' }, { reason: 'not_tracked' }],
    ['a slug that a lookup made', { package: 'looked-up' }, { reason: 'not_tracked' }],
    ['a shared slug', { package: 'shared' }, { reason: 'ambiguous' }],
    ['a shared slug in one org', { package: 'shared', org: 'other-org' }, { matchedBy: 'slug', source: 'shared' }],
    ['a slug of another org', { package: 'engine', org: 'other-org' }, { reason: 'not_tracked' }],
    ['a bare coordinate', { package: 'acme/engine.js' }, { reason: 'not_tracked', detail: 'ecosystem_required' }],
    ['a scoped name of the map', { package: '@acme/engine' }, { matchedBy: 'package_map', source: 'engine' }],
    ['another bare scope', { package: '@acme/other' }, { reason: 'not_tracked', detail: 'ecosystem_required' }],
    ['a name of the map', { package: 'acme_engine' }, { matchedBy: 'package_map', source: 'engine' }],
    ['a name of a hidden source', { package: 'secret' }, { reason: 'not_tracked' }],
    ['org/source', { package: `${world.orgSlug}/engine` }, { matchedBy: 'slug', source: 'engine' }],
    ['org/source of a shared slug', { package: 'other-org/shared' }, { matchedBy: 'slug', source: 'shared' }],
    [
      'org/source that is hidden',
      { package: `${world.orgSlug}/hidden` },
      { reason: 'not_tracked', detail: 'ecosystem_required' },
    ],
  ];

  it('is found in the way of its kind', async () => {
    for (const [name, query, { matchedBy = null, source = null, reason, detail }] of rows()) {
      const { status, body } = await world.ask({ ...query, ...RANGE });

      assert.equal(status, 200, name);
      assert.equal(body.status, source === null ? 'unknown' : 'resolved', name);
      assert.deepEqual([body.matchedBy, body.source?.sourceSlug ?? null], [matchedBy, source], name);
      assert.deepEqual([body.reason, body.reasonDetail], [reason, detail], name);
      if (source !== null) assert.deepEqual(body.entries.length, 2, name);
      else {
        assert.deepEqual(
          [body.entries, body.total, body.count, body.truncated, body.worst],
          [[], 0, 0, false, null],
          name,
        );
        assert.ok(Array.isArray(body.suggestions) && body.hint.length > 0, name);
      }
    }
  });

  it('tells what else a name without ecosystem could mean, and from where it was read', async () => {
    const { ctx, fill, ask } = world;
    const bySlug = await fill(['1.0.0', '2.0.0'], { slug: 'twofold' });
    const byName = await fill(['10.0.0', '10.3.0'], { slug: 'twofold-js' });
    const python = await fill(['3.0.0', '3.1.0'], { slug: 'twofold-py' });
    await putPackage(ctx, { ecosystem: 'npm', name: 'twofold', sourceId: byName.id });
    await putPackage(ctx, { ecosystem: 'npm', name: 'double', sourceId: byName.id });
    await putPackage(ctx, { ecosystem: 'pypi', name: 'double', sourceId: python.id });
    await putPackage(ctx, { ecosystem: 'npm', name: 'gone-home', sourceId: ids['gone-home'] ?? '' });
    const answer = async (query: Record<string, string>) => (await ask({ from: '1.0.0', to: 'latest', ...query })).body;
    const { orgSlug } = world;

    const slug = await answer({ package: 'twofold' });
    assert.deepEqual([slug.matchedBy, slug.source.sourceId, slug.toVersion], ['slug', bySlug.id, '2.0.0']);
    assert.deepEqual(slug.alsoMatches, [{ ecosystem: 'npm', package: 'twofold', sourceSlug: 'twofold-js', orgSlug }]);
    const npm = await answer({ package: 'twofold', ecosystem: 'npm' });
    assert.deepEqual([npm.matchedBy, npm.source.sourceId, npm.alsoMatches], ['package_map', byName.id, undefined]);
    const both = await answer({ package: 'double' });
    assert.deepEqual([both.matchedBy, both.source.sourceId], ['package_map', byName.id]);
    assert.deepEqual(both.alsoMatches, [{ ecosystem: 'pypi', package: 'double', sourceSlug: 'twofold-py', orgSlug }]);
    assert.equal((await answer({ package: 'gone-home' })).alsoMatches, undefined, 'both mean the same source');
    await updateSource(ctx, { src: byName.id }, { isHidden: true });
    assert.equal((await answer({ package: 'twofold' })).alsoMatches, undefined, 'the other one is hidden');
  });

  it('names the repository that is spelled like org/source, and takes a name as people write it', async () => {
    const { ctx, orgSlug } = world;
    const named = await world.fill(['1.0.0', '2.0.0'], { slug: 'pair' });
    const repository = { type: 'github', url: `https://github.com/${orgSlug}/pair` } as const;
    const other = await world.fill(['1.0.0', '2.0.0'], { slug: 'pair-repository', ...repository });
    const answer = async (query: Record<string, string>) => (await world.ask({ ...query, ...RANGE })).body;

    const both = await answer({ package: `${orgSlug}/pair` });
    assert.equal(both.source.sourceId, named.id);
    const match = { ecosystem: 'github', package: `${orgSlug}/pair`, sourceSlug: 'pair-repository', orgSlug };
    assert.deepEqual(both.alsoMatches, [match]);
    for (const written of [repository.url, `git+${repository.url}.git`, `github:${orgSlug}/pair`]) {
      const { source, alsoMatches } = await answer({ package: written });
      assert.deepEqual([source.sourceId, alsoMatches], [other.id, undefined], written);
    }
    await putPackage(ctx, { ecosystem: 'npm', name: 'written', sourceId: named.id });
    for (const written of ['npm:written', 'written@1.2.3', 'npm:written@^1.0.0']) {
      assert.equal((await answer({ package: written })).source.sourceId, named.id, written);
    }
  });

  it('tells the candidates of a shared slug, and 404 for an org that nobody has', async () => {
    const shared = await world.ask({ package: 'shared', ...RANGE });
    const nobody = await world.ask({ package: 'shared', org: 'nobody', ...RANGE });

    assert.deepEqual(shared.body.candidates, [
      { orgSlug: world.orgSlug, sourceSlug: 'shared', id: ids.shared },
      { orgSlug: 'other-org', sourceSlug: 'shared', id: ids.twin },
    ]);
    assert.deepEqual([nobody.status, nobody.body.error.details.parameter], [404, 'org']);
  });

  it('describes the source as it stands', async () => {
    const { body, headers } = await world.ask({ package: 'engine', ...RANGE });
    const unlisted = await world.ask({ package: 'acme/looked_up', ecosystem: 'github', ...RANGE });

    assert.deepEqual(body.source, {
      sourceId: ids.engine,
      sourceSlug: 'engine',
      orgSlug: world.orgSlug,
      name: 'engine',
      type: 'github',
      url: 'https://github.com/Acme/Engine.js',
      latestVersion: '2.0.0',
      lastFetchedAt: null,
    });
    assert.equal(headers.get('cache-control'), 'public, max-age=60, stale-while-revalidate=30');
    assert.equal(unlisted.headers.get('cache-control'), 'private, no-store');
  });

  it('is one of several in its source', async () => {
    const { ctx, fill, ask } = world;
    const npm = (name: string, sourceId: string, packagePart?: string) =>
      putPackage(ctx, { ecosystem: 'npm', name, sourceId, packagePart });
    const bare = await fill(['1.1.0', 'cli-v1.2.0', '@many/core@1.3.0']);
    const parts = await fill(['@two/a@1.1.0', '@two/b@1.2.0'], { type: 'github', url: 'https://github.com/acme/two' });
    const named = await fill(['kit@1.1.0', 'kit-ui@1.2.0'], { type: 'github', url: 'https://github.com/acme/Kit' });
    const only = await fill(['solo-v1.1.0', 'solo-v1.2.0']);
    await npm('@many/core', bare.id);
    await npm('@many/cli', bare.id);
    await npm('many', bare.id);
    await npm('two-b', parts.id, '@two/b');
    const cases: [string, Record<string, string>, string[]][] = [
      ['the part that is named like the package', { package: '@many/core', ecosystem: 'npm' }, ['@many/core@1.3.0']],
      ['with another scope', { package: '@many/cli', ecosystem: 'npm' }, ['cli-v1.2.0']],
      ['releases without a part', { package: 'many', ecosystem: 'npm' }, ['1.1.0']],
      ['what the bounds name', { package: bare.slug, from: 'cli-v1.0.0', to: 'cli-v2.0.0' }, ['cli-v1.2.0']],
      ['what the map says', { package: 'two-b', ecosystem: 'npm' }, ['@two/b@1.2.0']],
      ['the part that is named like the repository', { package: named.slug }, ['kit@1.1.0']],
      ['the only part', { package: only.slug }, ['solo-v1.1.0', 'solo-v1.2.0']],
    ];
    for (const [name, query, versions] of cases) {
      assert.deepEqual(versionsOf(await ask({ ...RANGE, ...query })), versions, name);
    }

    const { body } = await ask({ package: parts.slug, ...RANGE });
    assert.deepEqual([body.status, body.reason, body.reasonDetail], ['unknown', 'not_tracked', 'package_required']);
    assert.deepEqual([body.packages, body.source.sourceId], [['@two/a', '@two/b'], parts.id]);
    assert.match(body.hint, /@two\/a@1\.0\.0/);
  });

  it('suggests packages with their ecosystem, the nearest first, and never what was asked for', async () => {
    const { ctx, ask, fill } = world;
    const suggested = async (name: string, more: Record<string, string> = {}) =>
      (await ask({ package: name, ...RANGE, ...more })).body.suggestions;
    const site = await fill(['1.0.0', '2.0.0'], { slug: 'brambles-of-acme', name: 'Works' });
    const plain = await fill(['1.0.0', '2.0.0'], { slug: 'brambling-kit' });
    for (const [name, sourceId] of [
      ['bramblekit', site.id],
      ['brambling-kit', plain.id],
    ] as const) {
      await putPackage(ctx, { ecosystem: 'npm', name, sourceId });
    }

    const npm = { ecosystem: 'npm' };
    for (const more of [npm, {}]) {
      assert.deepEqual(await suggested('bramblekt', more), ['npm:bramblekit', site.slug], JSON.stringify(more));
      assert.deepEqual((await suggested('npm:brambleki@1.0.0', more))[0], 'npm:bramblekit');
      assert.deepEqual(await suggested('bramblingkitt', more), ['brambling-kit']);
    }
    assert.deepEqual((await suggested('bramblekit', { ecosystem: 'pypi' }))[0], 'npm:bramblekit');
    assert.deepEqual(await suggested('brambling-kit', { ecosystem: 'pypi' }), ['npm:brambling-kit', 'brambling-kit']);
    for (const name of ['npm:bramblekit', 'brambling-kit']) {
      assert.equal((await ask({ package: name, ...RANGE })).body.status, 'resolved', name);
    }

    await updateSource(ctx, { src: site.id }, { isHidden: true });
    assert.deepEqual(await suggested('bramblekt', npm), []);
    await fill([], { slug: 'unread-bramble' });
    assert.deepEqual(await suggested('unread-bramble', npm), []);
  });

  it('suggests visible sources that are close, as they are now', async () => {
    const { ctx, ask } = world;
    const suggested = async (name: string, more: Record<string, string> = {}) =>
      (await ask({ package: name, ...RANGE, ...more })).body.suggestions;

    assert.deepEqual(await suggested('engin'), ['engine']);
    assert.deepEqual(await suggested('engine', { ecosystem: 'npm' }), ['npm:@acme/engine', 'engine']);
    assert.deepEqual(await suggested('acme/goin-home', { ecosystem: 'github' }), ['gone-home']);
    assert.deepEqual((await suggested('acme/engine.js'))[0], 'engine');
    assert.deepEqual(await suggested('hiden'), []);

    const fresh = await createSource(ctx, { orgId: world.orgId, slug: 'rocket-launcher', name: 'Rocket' });
    assert.deepEqual(await suggested('rocketlauncher'), ['rocket-launcher']);
    await updateSource(ctx, { src: fresh.id }, { slug: 'boat' });
    assert.deepEqual(await suggested('rocketlauncher'), []);
    const org = await createOrg(ctx, { slug: 'to-hide' });
    await createSource(ctx, { orgId: org.id, slug: 'submarine' });
    assert.deepEqual(await suggested('submarin'), ['submarine']);
    await updateOrg(ctx, { org: org.id, change: { isHidden: true } });
    assert.deepEqual(await suggested('submarin'), []);
  });
});
