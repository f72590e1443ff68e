// Packages as the API and the pages tell them.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { putPackage } from '../../src/entities/packages/put.ts';
import { listKnownPackages } from '../../src/packages/details/list.ts';
import { forEachEngine } from '../support/engines.ts';
import { listPublished } from './published.ts';
import { followed } from './report-world.ts';
import { openUpgradeWorld, type Stored, type UpgradeWorld } from './upgrade-world.ts';

const FIXED = '### Fixed\n- Crash on start of the second window';
const BREAKING = '### Breaking\n- Removed `old()`, use `fresh()` instead.';
const STORED: Stored[] = [
  { version: '1.0.0', content: FIXED },
  { version: '1.1.0', content: FIXED, title: 'Faster <b>lookups</b>' },
  { version: '2.0.0', content: BREAKING, title: 'Timeouts have units' },
];

forEachEngine('packages', (engine) => {
  let world: UpgradeWorld;
  let sourceId: string;
  before(async () => {
    world = await openUpgradeWorld(engine, {
      env: { REGISTRY_PACKAGE_REGISTRIES: '@secret=https://npm.secret.example' },
    });
    const { ctx } = world;
    const source = await world.fill(STORED, { name: 'Tidewick' });
    sourceId = source.id;
    for (const name of ['tidewick', '@reef/tidewick', 'package.json', '@secret/tidewick']) {
      await putPackage(ctx, { ecosystem: 'npm', name, sourceId });
      await listPublished(
        ctx,
        name,
        [
          { version: '1.0.0', publishedAt: '2024-01-01T00:00:00.000Z' },
          '1.1.0',
          { version: '1.2.0', withdrawn: true },
          { version: '2.0.0', deprecated: 'move to "3.x"' },
          '3.0.0-rc.1',
        ],
        { latest: '2.0.0', registry: name.startsWith('@secret') ? '@secret' : null },
      );
    }
    await putPackage(ctx, { ecosystem: 'pypi', name: 'tidewick', sourceId });
    await listPublished(ctx, 'lonely', ['1.0.0', '1.0.1']);
  });
  const get = (path: string, headers: Record<string, string> = {}) => world.service.anonymous.get(path, headers);

  it('tells what is published, what has notes, and where they come from', async () => {
    const { status, body } = await get('/v1/packages/npm/tidewick');

    assert.equal(status, 200);
    const { checkedAt, source, ...rest } = body;
    assert.deepEqual(rest, {
      ecosystem: 'npm',
      name: 'tidewick',
      latest: '2.0.0',
      versions: { published: 5, noted: 3, withdrawn: 1 },
      deprecated: 'move to "3.x"',
      outcome: 'listed',
    });
    assert.deepEqual([source.sourceId, source.name, typeof checkedAt], [sourceId, 'Tidewick', 'string']);
  });

  it('lists all versions, highest first', async () => {
    const { body } = await get('/v1/packages/npm/tidewick/versions?limit=4');
    const rows = body.items.map(({ version, withdrawn, deprecated, releaseId, breaking }: Record<string, unknown>) => {
      return [version, withdrawn, deprecated, releaseId !== null, breaking];
    });
    assert.deepEqual(rows, [
      ['3.0.0-rc.1', false, null, false, null],
      ['2.0.0', false, 'move to "3.x"', true, 'major'],
      ['1.2.0', true, null, false, null],
      ['1.1.0', false, null, true, 'none'],
    ]);
    assert.deepEqual([body.pagination.totalItems, body.pagination.hasMore], [5, true]);
    const second = (await get('/v1/packages/npm/tidewick/versions?limit=4&page=2')).body;
    // The registry's time is not taken where a release has one.
    assert.deepEqual([second.items[0].version, second.items[0].publishedAt], ['1.0.0', '2025-01-01T00:00:00.000Z']);
  });

  it('takes the slash of a scoped name encoded or plain', async () => {
    for (const name of ['@reef/tidewick', '%40reef%2Ftidewick', '@reef%2ftidewick', '@Reef/Tidewick']) {
      const { status, body } = await get(`/v1/packages/npm/${name}`);
      assert.deepEqual([status, body.name], [200, '@reef/tidewick'], name);
      assert.equal((await get(`/v1/packages/npm/${name}/versions`)).body.items.length, 5, name);
    }
    for (const name of ['@reef/tidewick', '%40reef%2Ftidewick']) {
      const page = await get(`/packages/npm/${name}`);
      assert.deepEqual([page.status, page.text.includes('<h1>@reef/tidewick</h1>')], [200, true], name);
    }
    const moved = await get('/packages/npm/Tidewick');
    assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/packages/npm/tidewick']);
  });

  it('not found: a name that nobody knows, and an ecosystem that there is not', async () => {
    for (const path of ['npm/nobody', 'pypi/nobody', 'maven/tidewick', `npm/${'x'.repeat(300)}`, 'npm/@reef']) {
      for (const form of [`/v1/packages/${path}`, `/v1/packages/${path}/versions`, `/packages/${path}`]) {
        assert.equal((await get(form)).status, 404, form);
      }
    }
    assert.equal((await get('/v1/packages/npm/nobody')).body.error.code, 'not_found');
  });

  it('shows the stored versions of a package that was never listed', async () => {
    const { body } = await get('/v1/packages/pypi/tidewick');
    assert.deepEqual(
      [body.latest, body.versions, body.outcome, body.checkedAt],
      ['2.0.0', { published: null, noted: 3, withdrawn: 0 }, 'never_read', null],
    );
    const versions = (await get('/v1/packages/pypi/tidewick/versions')).body.items;
    assert.deepEqual(
      versions.map(({ version }: { version: string }) => version),
      ['2.0.0', '1.1.0', '1.0.0'],
    );
  });

  it('does not say that every version has notes before its registry was read', async () => {
    const read = async (show: string) => (await get(`/packages/pypi/tidewick?show=${show}`)).text;
    assert.match(await read('unnoted'), /PyPI has not been read yet, so whether other versions exist is not known/);
    assert.match(await read('withdrawn'), /whether a version was withdrawn is not known/);
    assert.doesNotMatch(await read('unnoted'), /has notes\./);
  });

  it('names a version by what it tells, and offers to read a package of which nothing is known', async () => {
    const { ctx } = world;
    const { id } = await world.fill([{ version: '4.0.0', content: FIXED, title: 'quietly 4.0.0: Reads the wind' }], {
      name: 'Quietly',
    });
    const bare = await world.fill([], { name: 'Barely' });
    await putPackage(ctx, { ecosystem: 'npm', name: 'quietly', sourceId: id });
    await putPackage(ctx, { ecosystem: 'npm', name: 'barely', sourceId: bare.id });
    const named = (await get('/packages/npm/quietly')).text;
    assert.match(named, /dir="auto">Reads the wind<\/a>/);
    const { text } = await get('/packages/npm/barely');
    assert.match(text, /No version is known.*<button[^>]*>Read barely now<\/button>/s);
    assert.doesNotMatch(text, /Without notes<\/a>/);
  });

  it('shows a package whose notes nobody tracks', async () => {
    const { body } = await get('/v1/packages/npm/lonely');
    assert.deepEqual([body.source, body.versions], [null, { published: 2, noted: 0, withdrawn: 0 }]);
    const page = await get('/packages/npm/lonely');
    assert.match(page.text, /nothing can be said about breaks/);
    assert.doesNotMatch(page.text, /No sign of a break/);
  });

  it('has a page with steps, versions, what is missing and what is deprecated', async () => {
    const { text } = await get('/packages/npm/tidewick');
    assert.match(text, /<h1>tidewick<\/h1>/);
    assert.match(text, /5 published: 3 with notes, 2 without, 1 withdrawn/);
    assert.match(text, /The latest version is deprecated on npm: “<span dir="auto">move to &quot;3\.x&quot;<\/span>”/);
    assert.match(text, /5 versions since 2025/);
    assert.match(
      text,
      /Does updating break me\?.*\/packages\/npm\/tidewick\/1\.1\.0-to-2\.0\.0.*Breaks.*2\.0\.0: Timeouts have units/s,
    );
    assert.match(text, /Faster &lt;b&gt;lookups/);
    assert.match(text, /name="type" value="package">.*name="id" value="npm:tidewick".*Follow/s);
    assert.match(text, /npm install tidewick@2\.0\.0/);
    assert.doesNotMatch(text, /3\.0\.0-rc/);
    assert.match(
      (await get('/packages/npm/tidewick?pre=1')).text,
      /<th scope="row"[^>]*><span class="version">.*rc\.1/,
    );
    const withdrawn = (await get('/packages/npm/tidewick?show=withdrawn')).text;
    assert.deepEqual([...withdrawn.matchAll(/class="gone-row"/g)].length, 1);
    assert.match((await get('/packages/npm/tidewick?show=unnoted&pre=1')).text, /its source does not tell of it/);
    assert.match((await get('/packages/npm/tidewick')).text, /Same name elsewhere: .*tidewick on PyPI/);
  });

  it('has the page as data', async () => {
    const json = await get('/packages/npm/@reef/tidewick.json');
    assert.deepEqual(json.body, (await get('/v1/packages/npm/@reef%2Ftidewick')).body);
    const md = await get('/packages/npm/tidewick.md');
    assert.match(md.headers.get('content-type') ?? '', /^text\/markdown/);
    assert.match(md.text, /\nlatest: "?2\.0\.0"?\npublished: 5\n.*- 2\.0\.0 \(2025-01-03, breaks, deprecated, rel_/s);
    assert.match(md.text, /- 1\.2\.0 \(no notes, withdrawn\)/);
    const atom = await get('/packages/npm/tidewick.atom');
    assert.match(atom.headers.get('content-type') ?? '', /^application\/atom\+xml/);
    assert.match(atom.text, /:package\/npm:tidewick<\/id>.*Timeouts have units/s);
    assert.doesNotMatch((await get('/packages/npm/lonely.atom')).text, /<entry>/);
    const breaking = await get('/packages/npm/tidewick.atom?breaking=major,minor');
    assert.equal([...breaking.text.matchAll(/<entry>/g)].length, 1);
  });

  it('a whole name wins over a suffix', async () => {
    const page = await get('/packages/npm/package.json', { Accept: 'text/html' });
    assert.deepEqual([page.status, page.text.includes('<h1>package.json</h1>')], [200, true]);
    const json = await get('/packages/npm/package.json', { Accept: 'application/json' });
    assert.deepEqual([json.status, json.body.name], [200, 'package.json']);
    assert.equal((await get('/packages/npm/package.json.json')).body.name, 'package.json');
    assert.equal((await get('/v1/packages/npm/package.json')).body.name, 'package.json');
    assert.equal((await get('/packages/npm/package.md')).status, 404);
  });

  it('has a badge with the newest version, and nothing from outside', async () => {
    for (const name of ['tidewick', '@reef/tidewick', '%40reef%2Ftidewick']) {
      const { status, text, headers } = await get(`/packages/npm/${name}/badge.svg`);
      assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8'], name);
      assert.match(headers.get('cache-control') ?? '', /max-age=3600/);
      assert.match(text, /^<svg .*>npm<\/text>.*>2\.0\.0<\/text>/);
      assert.doesNotMatch(text.replace('http://www.w3.org/2000/svg', ''), /https?:|@import|url\((?!#)/);
    }
    assert.equal((await get('/packages/npm/nobody/badge.svg')).status, 404);
  });

  it('has a badge that says whether an update breaks, with `from` read as a bound', async () => {
    const value = async (ecosystem: string, from: string) => {
      const { status, text } = await get(`/packages/${ecosystem}/tidewick/badge.svg?from=${encodeURIComponent(from)}`);
      assert.equal(status, 200, from);
      return /<title>(.*?)<\/title>/.exec(text)?.[1];
    };
    assert.equal(await value('npm', '1.0.0'), 'from 1.0.0: breaks');
    assert.equal(await value('npm', '^1.0.0'), 'from ^1.0.0: breaks');
    assert.equal(await value('npm', '2.0.0'), 'from 2.0.0: up to date');
    assert.equal(await value('pypi', 'v1.1.0'), 'from v1.1.0: breaks');
    assert.equal(await value('npm', '<b>'), 'from &lt;b&gt;: not known');
    assert.equal((await get('/packages/npm/nobody/badge.svg?from=1.0.0')).status, 404);
  });

  it('lists all packages by name', async () => {
    const { text } = await get('/packages');
    assert.match(text, /href="\/packages\/npm\/@reef\/tidewick".*href="\/packages\/npm\/lonely"/s);
    assert.match((await get('/packages?q=lone')).text, /1 package by name/);
    assert.match((await get('/packages?ecosystem=pypi')).text, /1 package by name/);
    assert.match((await get('/packages?q=nobody')).text, /Nothing matches these filters/);
  });

  it('is found by name, the exact one first, in API, page and sitemap', async () => {
    const { body } = await get('/v1/search?q=Tidewick');
    const names = body.packages.map((hit: { ecosystem: string; name: string }) => `${hit.ecosystem}:${hit.name}`);
    assert.deepEqual(names, ['npm:tidewick', 'pypi:tidewick']);
    assert.deepEqual(body.packages[0], {
      ecosystem: 'npm',
      name: 'tidewick',
      latest: '2.0.0',
      sourceSlug: body.packages[0].sourceSlug,
      orgSlug: world.orgSlug,
      isExact: true,
      webUrl: `${world.ctx.config.webUrl}/packages/npm/tidewick`,
    });
    assert.equal(body._meta.search.hitCounts.package, 2);
    const scoped = (await get('/v1/search?q=@reef/tide')).body.packages;
    assert.deepEqual(
      scoped.map(({ name, isExact }: { name: string; isExact: boolean }) => [name, isExact]),
      [['@reef/tidewick', false]],
    );
    assert.deepEqual((await get('/v1/search?q=@secret/tidewick')).body.packages, []);
    assert.deepEqual((await get(`/v1/search?q=tidewick&org=${world.orgSlug}`)).body.packages, []);
    const page = await get('/search?q=tidewick');
    assert.match(page.text, /<h2 class="sub-head">Packages<\/h2>.*href="\/packages\/npm\/tidewick"/s);
    assert.match(
      (await get('/v1/search?q=tidewick', { Accept: 'text/markdown' })).text,
      /## Packages\n\n- \[tidewick\]/,
    );
    assert.match((await get('/sitemap.xml')).text, /sitemap\/packages-1\.xml/);
    const sitemap = (await get('/sitemap/packages-1.xml')).text;
    assert.match(sitemap, /packages\/npm\/@reef\/tidewick</);
    assert.doesNotMatch(sitemap, /@secret/);
  });

  it('is linked from what changed', async () => {
    const asked = await get('/whats-changed?package=@reef/tidewick&ecosystem=npm&from=1.0.0&to=2.0.0');
    const { text } = await followed(world.service, asked);
    assert.match(text, /href="\/packages\/npm\/@reef\/tidewick"/);
    assert.match(text, /Published|no notes|1\.2\.0/);
  });

  it('says nothing of a private package to a stranger', async () => {
    const name = '@secret/tidewick';
    for (const path of ['', '/versions']) assert.equal((await get(`/v1/packages/npm/${name}${path}`)).status, 404);
    for (const path of ['', '.json', '.md', '.atom', '/badge.svg']) {
      assert.equal((await get(`/packages/npm/${name}${path}`)).status, 404, path);
    }
    assert.doesNotMatch((await get('/packages')).text, /@secret/);
    const seen = await world.service.root.get(`/v1/packages/npm/${name}`);
    assert.deepEqual([seen.status, seen.body.name], [200, name]);
    assert.match(seen.headers.get('cache-control') ?? '', /private/);
    const asked = await get(`/v1/whats-changed?package=${name}&ecosystem=npm&from=1.0.0&to=2.0.0`);
    assert.deepEqual([asked.body.reasonDetail, asked.body.history], ['not_mapped', undefined]);
  });

  it('names the newest stored version where no registry has listed the package, in lists as on its page', async () => {
    const { ctx } = world;
    const many = [
      { version: 'anvil@4.2.0', content: FIXED },
      { version: 'anvil@5.0.0-rc.1', content: FIXED },
      { version: 'bellows@9.0.0', content: FIXED },
    ];
    const { id: shared } = await world.fill(many, { name: 'Smithy' });
    await putPackage(ctx, { ecosystem: 'npm', name: 'anvil', sourceId: shared, packagePart: 'anvil' });
    await putPackage(ctx, { ecosystem: 'npm', name: 'bellows', sourceId: shared });
    for (const [ecosystem, name, latest] of [
      ['npm', 'anvil', '4.2.0'],
      ['npm', 'bellows', '9.0.0'],
      ['pypi', 'tidewick', '2.0.0'],
    ] as const) {
      const detail = (await get(`/v1/packages/${ecosystem}/${name}`)).body;
      const { packages } = (await get(`/v1/search?q=${name}`)).body;
      const hit = packages.find((one: Record<string, unknown>) => one.ecosystem === ecosystem && one.name === name);
      const listed = (await listKnownPackages(ctx, { q: name, ecosystem, page: 1, limit: 100 })).items;
      const own = listed.find((one) => one.name === name);
      assert.deepEqual([detail.latest, hit?.latest, own?.latest], [latest, latest, latest], name);
    }
  });

  it('says at a release, in lists and in feeds that its version was taken back, and when it is given back', async () => {
    const { ctx } = world;
    const { id, slug } = await world.fill([{ version: '1.0.0', content: FIXED }], { name: 'Yankwick' });
    await putPackage(ctx, { ecosystem: 'npm', name: 'yankwick', sourceId: id });
    const releaseId = (await get(`/v1/sources/${id}`)).body.releases[0].id;
    const told = async () => {
      const detail = await get(`/v1/releases/${releaseId}`);
      const [page, md] = [await get(`/release/${releaseId}`), await get(`/release/${releaseId}.md`)];
      const { orgSlug } = detail.body.source;
      const feed = await get(orgSlug ? `/${orgSlug}/${slug}.atom` : `/source/${slug}.atom`);
      const { releases } = (await get(`/v1/sources/${id}`)).body;
      return [
        detail.body.withdrawn,
        releases[0].withdrawn,
        /taken back at its package registry/.test(page.text),
        /^withdrawn: true$/m.test(md.text),
        /\(withdrawn\)<\/title>.*<category term="withdrawn"\/>/s.test(feed.text),
      ];
    };
    const kept = [undefined, undefined, false, false, false];
    for (const [versions, registry, expected] of [
      [[{ version: '1.0.0' }], null, kept],
      [[{ version: '1.0.0', withdrawn: true }], null, [true, true, true, true, true]],
      [[{ version: '1.0.0' }], null, kept],
      [[{ version: '1.0.0', withdrawn: true }], '@secret', kept],
    ] as const) {
      await listPublished(ctx, 'yankwick', versions, { registry });
      assert.deepEqual(await told(), expected, slug);
    }
  });

  it('tells no first year that a later version contradicts', async () => {
    const { ctx } = world;
    const dated = (version: string, year: number) => ({ version, publishedAt: `${year}-05-01T00:00:00.000Z` });
    await listPublished(ctx, 'mirrored', [dated('1.0.0', 2026), dated('1.1.0', 2021), dated('1.2.0', 2022)]);
    assert.match((await get('/packages/npm/mirrored')).text, /<span>3 versions<\/span>/);
  });
});
