import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { App } from '../../src/app.ts';
import { type Context, transact } from '../../src/context.ts';
import type { ReleaseInput } from '../../src/contract/release-input.ts';
import { createCollection } from '../../src/entities/collections/write.ts';
import { addMember } from '../../src/entities/collections/write-members.ts';
import { updateOrg } from '../../src/entities/orgs/update.ts';
import { storeChangelogFile } from '../../src/releases/changelog-files/store-file.ts';
import { suppressRelease } from '../../src/releases/write/suppress.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine, type TestEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases } from '../support/factories.ts';
import { startService } from '../support/service.ts';

const START = '2026-03-01T12:00:00.000Z';
const OFF = { REGISTRY_EMBEDDER: 'off' };

function note(version: string, content: string, more: Partial<ReleaseInput> = {}): ReleaseInput {
  const url = `https://notes.example/${version}/${content.length}`;
  return { title: version, version, content, url, publishedAt: '2026-02-01T00:00:00.000Z', ...more };
}

async function storeFile(ctx: Context, sourceId: string, content: string): Promise<void> {
  const place = { path: 'CHANGELOG.md', url: 'https://code.example/c', rawUrl: 'https://code.example/r' };
  await transact(ctx, (inner) => storeChangelogFile(inner, { sourceId, ...place, content, canonical: true }));
}

async function open(engine: TestEngine, options: Parameters<TestEngine['openTestApp']>[0] = {}) {
  const app: App = await engine.openTestApp({ clock: movableClock(START), env: OFF, ...options });
  const service = await startService(app);
  const get = async (query: string, headers = {}) => service.anonymous.get(`/v1/search?${query}`, headers);
  return { app, ctx: as(app.ctx, 'admin'), service, get };
}

forEachEngine('GET /search', (engine) => {
  it('answers every section with all its keys', async () => {
    const { ctx, get } = await open(engine);
    const org = await createOrg(ctx, { name: 'Walrus', slug: 'walrus', domain: 'walrus.example', category: 'ai' });
    const product = await createProduct(ctx, org.id, { name: 'Walrus Tusk', slug: 'tusk', kind: 'tool' });
    const source = await createSource(ctx, {
      name: 'Walrus notes',
      slug: 'walrus-notes',
      orgId: org.id,
      productId: product.id,
      type: 'github',
      url: 'https://github.com/walrus/tusk',
    });
    await postReleases(ctx, source.id, [
      note('2.1.0', '### Added\n- The **walrus** operator (#12) now <b>sings</b> & swims', { title: 'Walrus sings' }),
    ]);
    await storeFile(ctx, source.id, '# Changelog\n\n## 2.0.0 - 2026-01-01\n\n- A walrus dives\n');
    await createCollection(ctx, { name: 'Sea', slug: 'sea' });
    await addMember(ctx, { collection: 'sea', entry: { orgId: org.id } });

    const { status, body, headers } = await get('q=walrus');

    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'public, max-age=30, stale-while-revalidate=30');
    assert.deepEqual(
      [body.orgs[0].slug, body.catalog.map((hit: { name: string }) => hit.name), body.sources[0].slug],
      ['walrus', ['Walrus notes', 'Walrus Tusk'], 'walrus-notes'],
    );
    assert.deepEqual(
      body.collections.map((hit: { slug: string; via: string }) => [hit.slug, hit.via]),
      [['sea', 'member']],
    );
    const [release] = body.releases;
    assert.equal(release.snippet, 'Added: The walrus operator (#12) now sings & swims');
    assert.deepEqual(
      release.highlights.map(([start, end]: [number, number]) => release.snippet.slice(start, end)),
      ['walrus'],
    );
    assert.deepEqual(release.titleHighlights, [[0, 6]]);
    assert.deepEqual([release.orgSlug, release.productSlug, release.content], ['walrus', 'tusk', undefined]);
    const [chunk] = body.chunks;
    assert.equal(chunk.snippet, '# Changelog\n\n## 2.0.0 - 2026-01-01\n\n- A walrus dives\n');
    assert.deepEqual(
      [chunk.filePath, chunk.offset, chunk.sectionOffset, chunk.version, chunk.releaseId, chunk.heading],
      ['CHANGELOG.md', 0, undefined, '2.0.0', null, 'Changelog'],
    );
    assert.deepEqual([release.rank, chunk.rank].toSorted(), [1, 2]);
    assert.deepEqual([release.matchedBy, chunk.matchedBy], ['words', 'words']);
    assert.deepEqual(
      [body.mode, body.degraded, body.degradedReason, body.lookup],
      ['hybrid', true, 'not_configured', null],
    );
    assert.deepEqual(body._meta.search, {
      mode: 'lexical',
      limit: 20,
      offset: 0,
      returned: 2,
      hitCap: false,
      hitCounts: { package: 0, org: 1, catalog: 2, source: 1, release: 1, chunk: 1, collection: 1 },
      listed: 2,
      listCap: false,
      lexicalHits: 2,
      degraded: true,
      ranking: 'full',
      tookMs: 0,
    });
  });

  it('lexical mode has the shape of full-text search alone', async () => {
    const { ctx, get, service } = await open(engine);
    const source = await createSource(ctx);
    await postReleases(ctx, source.id, [note('1.0.0', 'A heron')]);

    const { body } = await get('q=heron&mode=lexical');
    assert.deepEqual(
      [body.releases.length, body.chunks, body.mode, body.degraded, body._meta.search.degraded],
      [1, undefined, undefined, undefined, false],
    );
    const { body: alone } = await service.anonymous.get('/v1/search/releases?q=heron');
    assert.deepEqual(Object.keys(alone).toSorted(), [
      '_meta',
      'degraded',
      'degradedReason',
      'mode',
      'query',
      'releases',
    ]);
  });

  it('a chunk that tells of a release in the list is left out', async () => {
    const { ctx, get } = await open(engine);
    const source = await createSource(ctx, { type: 'github', url: 'https://github.com/a/b' });
    const bullets = (word: string) => `- ${word} heron one of many lines of this entry\n`.repeat(14);
    await storeFile(ctx, source.id, `## v1.1.0\n\n${bullets('New')}\n## v1.0.0\n\n${bullets('Old')}`);
    assert.equal((await get('q=heron')).body.chunks.length, 2);

    await postReleases(ctx, source.id, [note('1.1.0', 'A heron')]);

    const { body } = await get('q=heron');
    assert.deepEqual(
      body.chunks.map(({ version, releaseId }: { version: string; releaseId: string }) => [version, releaseId]),
      [['v1.0.0', null]].map(([version, id]) => [version?.replace('v', ''), id]),
    );
    assert.equal(body.releases.length, 1);
  });

  it('filters hold for releases and chunks, and say what they were', async () => {
    const { ctx, get } = await open(engine);
    const one = await createOrg(ctx, { slug: 'one', domain: 'one.example', category: 'ai' });
    const two = await createOrg(ctx, { slug: 'two', aliases: ['two.example'] });
    const product = await createProduct(ctx, two.id, { slug: 'pick', kind: 'sdk', aliases: ['pick.example'] });
    const first = await createSource(ctx, {
      slug: 'first',
      orgId: one.id,
      type: 'github',
      url: 'https://github.com/o/n',
    });
    const second = await createSource(ctx, { slug: 'second', orgId: two.id, productId: product.id, type: 'scrape' });
    await postReleases(ctx, first.id, [
      note('1.0.0', '### Breaking\n- The heron is removed', { publishedAt: '2026-01-01T00:00:00.000Z' }),
      note('1.1.0-beta.1', 'A heron, early', { publishedAt: '2026-01-10T00:00:00.000Z' }),
    ]);
    await postReleases(ctx, second.id, [note('3.0.1', '- Fixed the heron')]);
    await storeFile(ctx, first.id, '## 0.9.0\n\n- First heron\n');
    await createCollection(ctx, { name: 'Mixed', slug: 'mixed' });
    await addMember(ctx, { collection: 'mixed', entry: { orgId: one.id } });
    await addMember(ctx, { collection: 'mixed', entry: { productId: product.id } });
    await createCollection(ctx, { name: 'Nobody', slug: 'nobody' });

    const cases: [string, string[], number, object][] = [
      ['', ['3.0.1', '1.0.0'], 1, {}],
      ['org=one', ['1.0.0'], 1, { org: 'one', orgStatus: 'matched' }],
      ['org=two.example', ['3.0.1'], 0, { org: 'two.example', orgStatus: 'matched' }],
      ['org=gone', [], 0, { org: 'gone', orgStatus: 'not_found' }],
      [`product=${product.id}`, ['3.0.1'], 0, { productStatus: 'matched' }],
      ['org=two&product=pick', ['3.0.1'], 0, { product: 'pick', productStatus: 'matched' }],
      ['product=pick', [], 0, { productStatus: 'not_found' }],
      ['org=one&product=pick', [], 0, { orgStatus: 'matched', productStatus: 'not_found' }],
      ['source=first', ['1.0.0'], 1, { source: 'first', sourceStatus: 'matched' }],
      [`source=${second.id}`, ['3.0.1'], 0, { sourceStatus: 'matched' }],
      ['domain=one.example', ['1.0.0'], 1, { domainStatus: 'matched' }],
      ['domain=https://pick.example/x', ['3.0.1'], 0, { domainStatus: 'matched' }],
      ['domain=none.example', [], 0, { domainStatus: 'not_found' }],
      ['collection=mixed', ['3.0.1', '1.0.0'], 1, { collection: 'mixed', collectionStatus: 'matched' }],
      ['collection=mixed&org=one', ['1.0.0'], 1, { collectionStatus: 'matched' }],
      ['collection=nobody', [], 0, { collectionStatus: 'matched' }],
      ['collection=none', [], 0, { collectionStatus: 'not_found' }],
      ['category=ai', ['1.0.0'], 1, { category: 'ai' }],
      ['kind=sdk', ['3.0.1'], 0, {}],
      ['source_type=scrape', ['3.0.1'], 0, {}],
      ['exclude=scrape', ['1.0.0'], 1, {}],
      ['breaking=major', ['1.0.0'], 0, {}],
      ['minImportance=5', [], 0, {}],
      ['type=rollup', [], 0, {}],
      ['include_prereleases=true', ['3.0.1', '1.1.0-beta.1', '1.0.0'], 1, {}],
      ['since=2026-01-15', ['3.0.1'], 1, {}],
      ['until=2026-01-01', ['1.0.0'], 1, {}],
    ];
    for (const [filter, versions, chunks, echoes] of cases) {
      const { status, body } = await get(`q=heron&${filter}`);
      assert.equal(status, 200, `${filter} ${JSON.stringify(body.error)}`);
      const found = body.releases.map((hit: { version: string }) => hit.version);
      assert.deepEqual([found.toSorted(), body.chunks.length], [versions.toSorted(), chunks], filter);
      for (const [key, value] of Object.entries(echoes)) assert.equal(body[key], value, `${filter}: ${key}`);
    }
  });

  it('bad parameters are told by name', async () => {
    const { get } = await open(engine);
    const cases: [string, string][] = [
      ['', 'q'],
      ['q=%20%20', 'q'],
      [`q=${'x'.repeat(501)}`, 'q'],
      [`q=${'x'.repeat(10_000)}`, 'q'],
      ['q=x&mode=fast', 'mode'],
      ['q=x&mode=', 'mode'],
      ['q=x&category=none', 'category'],
      ['q=x&kind=none', 'kind'],
      ['q=x&breaking=major,none,odd', 'breaking'],
      ['q=x&minImportance=9', 'minImportance'],
      ['q=x&include_empty=yes', 'include_empty'],
      ['q=x&since=2026-02-30', 'since'],
      ['q=x&since=2026-02-02&until=2026-02-01', 'since'],
    ];
    for (const [query, parameter] of cases) {
      const { status, body } = await get(query);
      assert.deepEqual(
        [status, body.error?.code, body.error?.details.parameter],
        [400, 'bad_request', parameter],
        query,
      );
    }
  });

  it('limit and offset walk one list in every mode, and the cap is told', async () => {
    const { ctx, get } = await open(engine);
    const source = await createSource(ctx);
    const rows = Array.from({ length: 25 }, (_, index) =>
      note(`1.${index}.0`, 'A heron', { publishedAt: new Date(Date.UTC(2026, 0, 1 + index)).toISOString() }),
    );
    await postReleases(ctx, source.id, rows);
    for (const mode of ['lexical', 'semantic', 'hybrid']) {
      const whole = (await get(`q=heron&mode=${mode}&limit=100`)).body;
      assert.equal(whole._meta.search.hitCap, false);
      const walked: string[] = [];
      for (let offset = 0; offset < 30; offset += 10) {
        const { body } = await get(`q=heron&mode=${mode}&limit=10&offset=${offset}`);
        assert.equal(body._meta.search.hitCap, offset < 20);
        walked.push(...body.releases.map((hit: { id: string }) => hit.id));
        body.releases.forEach((hit: { rank: number }, index: number) => {
          assert.equal(hit.rank, offset + index + 1);
        });
      }
      assert.deepEqual(
        walked,
        whole.releases.map((hit: { id: string }) => hit.id),
      );
    }
    const { body } = await get('q=heron&limit=1000&offset=-3');
    assert.deepEqual([body._meta.search.limit, body._meta.search.offset], [100, 0]);
  });

  it('what is hidden, suppressed or dated ahead is not found, and nothing waits for an index', async () => {
    const { ctx, app, get } = await open(engine);
    const org = await createOrg(ctx, { slug: 'acme' });
    const source = await createSource(ctx, { orgId: org.id, type: 'github', url: 'https://github.com/a/c' });
    const { insertedIds } = await postReleases(ctx, source.id, [
      note('1.0.0', 'A heron'),
      note('1.1.0', 'A heron again'),
      note('2.0.0', 'A heron to come', { publishedAt: '2026-03-02T00:00:00.000Z' }),
    ]);
    await storeFile(ctx, source.id, '## 0.1.0\n\n- A heron\n');
    const count = async () => (await get('q=heron')).body._meta.search.hitCounts;
    assert.deepEqual([(await count()).release, (await count()).chunk], [2, 1]);

    await suppressRelease(ctx, String(insertedIds[0]), { suppressed: true, reason: 'wrong' });
    assert.equal((await count()).release, 1);
    await updateOrg(ctx, { org: org.id, change: { isHidden: true } });
    assert.deepEqual([(await count()).release, (await count()).chunk], [0, 0]);
    assert.ok(app);
  });

  it('a name answers the newest releases of who is called so, three before others have their turn', async () => {
    const { ctx, get } = await open(engine);
    const org = await createOrg(ctx, { name: 'Heron Labs', slug: 'heron-labs' });
    const mine = await createSource(ctx, { name: 'News', slug: 'news', orgId: org.id });
    const other = await createSource(ctx, { name: 'Elsewhere', slug: 'elsewhere' });
    const dated = (day: number) => ({ publishedAt: `2026-02-${String(day).padStart(2, '0')}T00:00:00.000Z` });
    await postReleases(
      ctx,
      mine.id,
      [1, 2, 3, 4, 5].map((day) => note(`1.${day}.0`, 'Nothing of note', dated(day))),
    );
    await postReleases(
      ctx,
      other.id,
      [6, 7, 8].map((day) => note(`9.${day}.0`, 'Works with Heron Labs now', dated(day))),
    );

    for (const text of ['heron labs', 'Heron']) {
      const { body } = await get(`q=${encodeURIComponent(text)}`);
      assert.equal(body.orgs?.[0].slug, 'heron-labs', JSON.stringify(body));
      assert.deepEqual(
        body.releases.map((hit: { version: string }) => hit.version),
        ['1.5.0', '1.4.0', '1.3.0', '9.8.0', '9.7.0', '9.6.0', '1.2.0', '1.1.0'],
        text,
      );
    }
    // No words match, in any mode that uses words.
    const { insertedIds } = await postReleases(ctx, other.id, [note('9.9.0', 'x')]);
    assert.equal(insertedIds.length, 1);
    for (const mode of ['lexical', 'hybrid', 'semantic']) {
      const { body } = await get(`q=elsewhere&mode=${mode}&org=`);
      assert.equal(body.releases[0].sourceSlug, 'elsewhere', mode);
    }
  });

  it('a repository that nobody tracks is a hint for a lookup', async () => {
    const { ctx, get } = await open(engine);
    await createSource(ctx, { type: 'github', url: 'https://github.com/Acme/Disk' });
    const cases: [string, object | null][] = [
      ['vercel/next.js', { provider: 'github', coordinate: 'vercel/next.js' }],
      ['github:Vercel/Next.js', { provider: 'github', coordinate: 'vercel/next.js' }],
      ['acme/disk', null],
      ['acme disk', null],
      ['a/b/c', null],
    ];
    for (const [q, hint] of cases) {
      assert.deepEqual((await get(`q=${encodeURIComponent(q)}`)).body.lookup, hint, q);
    }
  });

  it('include_content and include_empty', async () => {
    const { ctx, get } = await open(engine);
    await createOrg(ctx, { name: 'Heron', slug: 'heron' });
    const source = await createSource(ctx);
    await postReleases(ctx, source.id, [note('1.0.0', '**A heron**')]);

    const plain = (await get('q=heron')).body;
    assert.deepEqual([plain.orgs.length, plain.releases[0].content], [0, undefined]);
    const full = (await get('q=heron&include_empty=1&include_content=true')).body;
    assert.deepEqual([full.orgs.length, full.releases[0].content], [1, '**A heron**']);
  });

  it('markdown by negotiation', async () => {
    const { ctx, get } = await open(engine);
    const org = await createOrg(ctx, { name: 'Heron [x]', slug: 'heron' });
    const source = await createSource(ctx, { orgId: org.id, type: 'github', url: 'https://github.com/h/h' });
    await postReleases(ctx, source.id, [note('1.0.0', 'A heron', { title: 'The heron' })]);
    await storeFile(ctx, source.id, '## 0.1.0\n\n- A heron\n');

    const { text, headers } = await get('q=heron', { Accept: 'text/markdown' });
    assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.equal(headers.get('x-markdown-tokens'), String(Math.ceil(text.length / 4)));
    assert.match(text, /^---\nquery: heron\nmode: hybrid\ndegraded: true\npackages: 0\norgs: 1\n/);
    assert.match(text, /\n## Organizations\n\n- \[Heron \\\[x\\\]\]\(\/v1\/orgs\/heron\)\n/);
    assert.match(text, /\n## Releases\n\n- \[The heron\]\(http[^)]*\/release\/rel_[^)]*\): 1\.0\.0 · /);
    assert.match(
      text,
      /\n## Changelog chunks\n\n- \[0\.1\.0\]\(\/v1\/sources\/src_\w+\/changelog\?path=CHANGELOG\.md&offset=0\)/,
    );
  });
});
