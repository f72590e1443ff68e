import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { type Context, transact } from '../../src/context.ts';
import type { SearchFilter } from '../../src/domain/retrieval/retrievers.ts';
import { updateSource } from '../../src/entities/sources/update.ts';
import type { VectorKind, VectorSearch } from '../../src/ports.ts';
import { storeChangelogFile } from '../../src/releases/changelog-files/store-file.ts';
import { deleteRelease } from '../../src/releases/write/delete.ts';
import { patchRelease } from '../../src/releases/write/patch.ts';
import { suppressRelease } from '../../src/releases/write/suppress.ts';
import { searchRegistry } from '../../src/search/search.ts';
import { createEmbedding, type Embedding } from '../../src/search/vectors/embedding/pass.ts';
import { sweepVectors } from '../../src/search/vectors/embedding/sweep.ts';
import { movableClock } from '../support/clock.ts';
import { type EmbeddingsService, startEmbeddings } from '../support/embeddings.ts';
import { forEachEngine, type TestAppOptions } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const DAY = 86_400_000;
const ALL: SearchFilter = { includePrereleases: false, includeCoverage: false };
const BODY = 'This text stands here so that the body of the release is long enough to say something of its own. ';

async function embedAll(ctx: Context, embedding = createEmbedding()): Promise<void> {
  const { signal } = new AbortController();
  while (await embedding.pass(ctx, signal));
}

// The walk visits the kinds of entities one after another.
async function goRound(ctx: Context, embedding: Embedding): Promise<void> {
  for (let pass = 0; pass < 5; pass += 1) await embedAll(ctx, embedding);
}

async function ask(ctx: Context, text: string, more: Partial<VectorSearch> = {}) {
  return ctx.ports.vectors.search(ctx, { text, kind: 'release', filter: ALL, limit: 10, ...more });
}

// The first query opens the index; an open index receives every row.
async function opened(ctx: Context): Promise<void> {
  await ask(ctx, 'anything');
  await ctx.ports.vectors.follow(ctx);
}

const MAX_ATTEMPTS = 100;

// On a busy machine the service may give up waiting for a vector or for the index and say so; it is asked again then.
async function hits(ctx: Context, text: string, more: Partial<VectorSearch> = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask(ctx, text, more);
    if ('hits' in answer) return answer.hits;
    assert.ok(attempt < MAX_ATTEMPTS, JSON.stringify(answer));
  }
}

async function titles(ctx: Context, text: string, filter: Partial<SearchFilter> = {}, limit = 10): Promise<string[]> {
  const found = await hits(ctx, text, { filter: { ...ALL, ...filter }, limit });
  const rows = await ctx.store.read.selectFrom('releases').select(['id', 'seq', 'title']).execute();
  return found.map(({ ref, key }) => {
    const row = rows.find(({ id }) => id === ref);
    assert.equal(row?.seq, key);
    return row?.title ?? '';
  });
}

async function anyRelease(ctx: Context): Promise<string> {
  const { id } = await ctx.store.read.selectFrom('releases').select('id').orderBy('seq').executeTakeFirstOrThrow();
  return id;
}

function row(title: string, more: Parameters<typeof releaseRow>[1] = {}) {
  return releaseRow(title, { title, version: undefined, content: `${title}. ${BODY}`, ...more });
}

async function liveVectors(ctx: Context, kind: VectorKind): Promise<string[]> {
  const rows = await ctx.store.read
    .selectFrom('vectors')
    .select('ref')
    .where('kind', '=', kind)
    .where('deleted', '=', 0)
    .execute();
  return rows.map(({ ref }) => ref).sort();
}

forEachEngine('search by meaning', (engine) => {
  let service: EmbeddingsService;
  before(async () => {
    service = await startEmbeddings();
  });
  after(() => service.close());

  async function open(more: TestAppOptions = {}) {
    const clock = movableClock(NOW);
    const { env, ...rest } = more;
    const app = await engine.openTestApp({ clock, env: { ...service.env, ...env }, ...rest });
    return { ...app, clock };
  }

  it('says what it lacks, and warns once a minute', async () => {
    const off = await open({ env: { REGISTRY_EMBEDDER: 'off' } });
    assert.deepEqual(await ask(off.ctx, 'cache'), { degraded: 'not_configured' });
    assert.equal(off.ctx.ports.vectors.status().degraded, 'not_configured');

    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const { ctx, clock } = await open({ log });
    const warnings = () => lines.filter((line) => line.includes('degraded')).length;
    for (let count = 0; count < 3; count += 1) {
      assert.deepEqual(await ask(ctx, 'cache'), { degraded: 'index_unavailable' });
    }
    assert.equal(warnings(), 1);
    clock.move(60_000);
    await ask(ctx, 'cache');
    assert.equal(warnings(), 2);
    await ctx.ports.vectors.follow(ctx);
    assert.deepEqual(await ask(ctx, 'cache'), { degraded: 'index_empty' });
    assert.equal(ctx.ports.vectors.status().degraded, 'index_empty');
  });

  it('is left out while fewer than nine tenths have a vector', async () => {
    const { ctx } = await open();
    const source = await createSource(ctx);
    const some = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) =>
        row(`Passkeys for team ${from + at}`, { url: `https://a.example/${from + at}` }),
      );
    await postReleases(ctx, source.id, some(0, 18), { silent: true });
    const embedding = createEmbedding();
    await embedAll(ctx, embedding);
    await opened(ctx);
    assert.ok('hits' in (await ask(ctx, 'passkeys')));

    await postReleases(ctx, source.id, some(18, 2), { silent: true });
    await ctx.ports.vectors.follow(ctx);
    assert.ok('hits' in (await ask(ctx, 'passkeys')), 'nine tenths are enough');
    await postReleases(ctx, source.id, some(20, 1), { silent: true });
    await ctx.ports.vectors.follow(ctx);
    assert.deepEqual(await ask(ctx, 'passkeys'), { degraded: 'index_building' });
    const search = (mode: 'hybrid' | 'semantic') => searchRegistry(ctx, { q: 'passkeys', mode, limit: 20, offset: 0 });
    for (const mode of ['hybrid', 'semantic'] as const) {
      const { degraded, degradedReason, releases, _meta } = await search(mode);
      assert.deepEqual([degraded, degradedReason, _meta.search.mode], [true, 'index_building', 'lexical'], mode);
      assert.ok(releases.length > 0 && releases.every((hit) => hit.matchedBy === 'words'), mode);
    }
    // The neighbours of a stored vector are not lost to others.
    const [vector] = await Promise.all([
      ctx.ports.vectors.stored(ctx, { kind: 'release', ref: await anyRelease(ctx) }),
    ]);
    assert.ok('vector' in vector);
    assert.ok('hits' in (await ask(ctx, '', { text: undefined, vector: vector.vector })));

    await embedAll(ctx, embedding);
    await ctx.ports.vectors.follow(ctx);
    assert.equal((await search('hybrid')).degraded, false);

    const content = `## 1.0.0\n\n${'- A line of this entry\n'.repeat(400)}`;
    const file = { sourceId: source.id, path: 'CHANGELOG.md', url: 'https://c.example', rawUrl: 'https://c.example' };
    await transact(ctx, (inner) => storeChangelogFile(inner, { ...file, content, canonical: true }));
    await embedAll(ctx, embedding);
    await transact(ctx, (inner) =>
      storeChangelogFile(inner, { ...file, path: 'docs/CHANGES.md', content: `${content}x`, canonical: false }),
    );
    await ctx.ports.vectors.follow(ctx);
    assert.deepEqual(await ask(ctx, 'passkeys', { kind: 'chunk' }), { degraded: 'index_building' });
    assert.ok('hits' in (await ask(ctx, 'passkeys')));
  });

  it('never passes for complete while it is being built', async () => {
    const { ctx } = await open();
    const source = await createSource(ctx);
    // Four calls of the embedder, which leave four states to be seen.
    const rows = Array.from({ length: 230 }, (_, at) =>
      row(`Passkeys for team ${at}`, { url: `https://a.example/${at}` }),
    );
    await postReleases(ctx, source.id, rows, { silent: true });
    await opened(ctx);
    const embedding = createEmbedding();
    const { signal } = new AbortController();
    // What is missing after a search was missing while it ran: the embedder goes on meanwhile.
    const sample = async () => {
      const { degraded, releases } = await searchRegistry(ctx, {
        q: 'passkeys',
        mode: 'semantic',
        limit: 5,
        offset: 0,
      });
      const missing = rows.length - (await liveVectors(ctx, 'release')).length;
      return { missing, degraded, found: releases.length };
    };
    const samples = [await sample()];
    for (let more = true; more; samples.push(await sample())) {
      let passing = true;
      const pass = embedding.pass(ctx, signal).finally(() => {
        passing = false;
      });
      while (passing) samples.push(await sample());
      more = await pass;
    }

    const building = samples.filter(({ missing }) => missing > 0);
    assert.ok(new Set(building.map(({ missing }) => missing)).size > 3, 'several states of the index were seen');
    for (const seen of building) assert.deepEqual([seen.degraded, seen.found], [true, 5], `${seen.missing} missing`);
    assert.deepEqual(samples.at(-1), { missing: 0, degraded: false, found: 5 });
  });

  it('embeds equal texts once, at one time or later', async () => {
    const { ctx } = await open();
    const source = await createSource(ctx);
    const same = { content: `Retries of uploads are bounded. ${BODY}` };
    const before = service.texts.length;
    const embedded = () => service.texts.slice(before).filter((text) => text.startsWith('Retries of uploads')).length;
    const post = (...versions: string[]) =>
      postReleases(
        ctx,
        source.id,
        versions.map((version) => releaseRow(version, { ...same, title: version })),
      );

    const embedding = createEmbedding();
    await post('1.0.0', '1.0.1');
    await embedAll(ctx, embedding);
    assert.equal(embedded(), 1);
    await post('1.0.2');
    await embedAll(ctx, embedding);

    assert.equal(embedded(), 1);
    const rows = await ctx.store.read.selectFrom('vectors').select('data').where('kind', '=', 'release').execute();
    assert.equal(rows.length, 3);
    assert.deepEqual(rows[2]?.data, rows[0]?.data);
  });

  describe('releases', () => {
    let ctx: Context;
    let ids: { acme: string; other: string; org: string };
    before(async () => {
      ({ ctx } = await open());
      const org = await createOrg(ctx, { category: 'database' });
      const acme = await createSource(ctx, { orgId: org.id, kind: 'sdk' });
      const other = await createSource(ctx, { type: 'github', url: 'https://github.com/other/other' });
      await postReleases(ctx, acme.id, [
        row('Passkeys for everybody signing in', { publishedAt: '2026-03-01T00:00:00.000Z' }),
        row('Memory leak in connection pools', { publishedAt: '2025-03-01T00:00:00.000Z' }),
        row('Passkeys preview for testers', { prerelease: true, version: '2.0.0-beta.1' }),
      ]);
      await postReleases(ctx, other.id, [
        row('Passkeys removed from keyboards', { breaking: 'major', importance: 5, publishedAt: undefined }),
        row('Passkeys of the future', { publishedAt: '2027-01-01T00:00:00.000Z' }),
      ]);
      ids = { acme: acme.id, other: other.id, org: org.id };
      await embedAll(ctx);
      await opened(ctx);
    });

    const found = ['Passkeys for everybody signing in', 'Passkeys removed from keyboards'];
    const cases: [name: string, filter: () => Partial<SearchFilter>, expected: string[]][] = [
      ['nothing hidden, no pre-release, nothing of the future', () => ({}), found],
      ['one org', () => ({ orgIds: [ids.org] }), found.slice(0, 1)],
      ['one source', () => ({ sourceIds: [ids.other] }), found.slice(1)],
      ['two sources', () => ({ sourceIds: [ids.other, ids.acme] }), found],
      ['no source', () => ({ sourceIds: [] }), []],
      ['a category', () => ({ categories: ['database'] }), found.slice(0, 1)],
      ['a kind', () => ({ kinds: ['sdk'] }), found.slice(0, 1)],
      ['a source type', () => ({ sourceTypes: ['github'] }), found.slice(1)],
      ['without a source type', () => ({ excludedSourceTypes: ['github'] }), found.slice(0, 1)],
      ['a verdict', () => ({ breaking: ['major'] }), found.slice(1)],
      ['an importance', () => ({ minImportance: 5 }), found.slice(1)],
      ['a window', () => ({ since: '2026-01-01T00:00:00.000Z' }), found.slice(0, 1)],
      ['up to a day', () => ({ until: '2026-02-01T00:00:00.000Z' }), []],
      [
        'pre-releases too',
        () => ({ includePrereleases: true, orgIds: [ids.org] }),
        ['Passkeys preview for testers', found[0] ?? ''],
      ],
    ];
    for (const [name, filter, expected] of cases) {
      it(`are found by filter: ${name}`, async () => {
        const all = await titles(ctx, 'passkeys', filter());

        assert.deepEqual(all.filter((title) => title.startsWith('Passkeys')).sort(), [...expected].sort());
      });
    }

    it('come nearest first', async () => {
      assert.equal((await titles(ctx, 'leak of memory in pools'))[0], 'Memory leak in connection pools');
      assert.equal((await titles(ctx, 'passkeys for everybody'))[0], found[0]);
    });

    it('are embedded with each fact once, and without their versions', () => {
      const [text, ...more] = service.texts.filter((one) => one.startsWith('Passkeys preview for testers. This text'));
      assert.equal(text?.lastIndexOf('Passkeys preview'), 0);
      assert.ok(!text?.includes('2.0.0-beta.1'));
      assert.deepEqual(more, []);
    });

    it('a query is embedded once, however often it is asked', async () => {
      const before = service.calls;
      await Promise.all([ask(ctx, 'one and the same'), ask(ctx, 'one and the same', { kind: 'chunk' })]);
      await ask(ctx, 'one and the same');

      assert.equal(service.calls, before + 1);
    });

    it('sources, products and orgs have vectors, too', async () => {
      const found = await hits(ctx, 'passkeys', { kind: 'entity', entityType: 'source' });

      assert.deepEqual(found.map(({ ref }) => ref).sort(), [ids.acme, ids.other].sort());
    });
  });

  it('vectors follow what happens to their releases', async () => {
    const { ctx } = await open();
    // While one vector in ten or more is missing, the index says that it is being built; these keep it below that.
    const others = await createSource(ctx);
    const filling = Array.from({ length: 12 }, (_, at) => row(`Other notes ${at}`));
    await postReleases(ctx, others.id, filling, { silent: true });
    const source = await createSource(ctx);
    const found = (text: string) => titles(ctx, text, { sourceIds: [source.id] });
    await postReleases(ctx, source.id, [
      row('Alpha notes about sorting'),
      row('Beta notes about caching'),
      row('Gamma notes about logging'),
      row('Delta notes about routing'),
    ]);
    const stored = await ctx.store.read
      .selectFrom('releases')
      .select(['id', 'title'])
      .where('source_id', '=', source.id)
      .execute();
    const vectors = async () => {
      const live = await liveVectors(ctx, 'release');
      return live.filter((ref) => stored.some(({ id }) => id === ref));
    };
    const idOf = (word: string) => stored.find(({ title }) => title.startsWith(word))?.id ?? '';
    const embedding = createEmbedding();
    await embedAll(ctx, embedding);
    await opened(ctx);
    assert.equal((await vectors()).length, 4);

    await patchRelease(ctx, idOf('Alpha'), {
      content: `Elephants graze near rivers. ${BODY}`,
      title: 'Elephants graze',
    });
    await suppressRelease(ctx, idOf('Beta'), { suppressed: true });
    await deleteRelease(ctx, { id: idOf('Gamma') });
    // Before any vector moved, nothing hidden is returned.
    assert.deepEqual((await found('notes about caching and logging')).sort(), [
      'Delta notes about routing',
      'Elephants graze',
    ]);
    await embedAll(ctx, embedding);

    assert.deepEqual(await vectors(), [idOf('Alpha'), idOf('Delta')].sort());
    assert.equal((await found('elephants near rivers'))[0], 'Elephants graze');

    await suppressRelease(ctx, idOf('Beta'), { suppressed: false });
    await updateSource(ctx, { src: source.id }, { isHidden: true });
    await goRound(ctx, embedding);
    assert.deepEqual(await vectors(), []);
    assert.ok(!(await liveVectors(ctx, 'entity')).includes(source.id));

    await updateSource(ctx, { src: source.id }, { isHidden: false });
    await embedAll(ctx, embedding);
    assert.equal((await vectors()).length, 3);
  });

  it('chunks of changelog files are found, and go with their file', async () => {
    const { ctx } = await open();
    const [org, other] = [await createOrg(ctx), await createOrg(ctx)];
    const source = await createSource(ctx, { orgId: org.id });
    const entry = (version: string, word: string) =>
      `## ${version}\n\n${`- ${word} works as ${word} should\n`.repeat(30)}\n`;
    const store = (content: string) =>
      transact(ctx, (inner) =>
        storeChangelogFile(inner, {
          ...{ sourceId: source.id, path: 'CHANGELOG.md', content, canonical: true },
          ...{ url: 'https://code.example/CHANGELOG.md', rawUrl: 'https://code.example/raw/CHANGELOG.md' },
        }),
      );
    const versions = async (text: string, filter: Partial<SearchFilter> = {}) => {
      const found = await hits(ctx, text, { kind: 'chunk', filter: { ...ALL, ...filter } });
      const rows = await ctx.store.read.selectFrom('changelog_chunks').select(['seq', 'version']).execute();
      return found.map(({ key, ref }) => {
        assert.equal(ref, String(key));
        return rows.find(({ seq }) => seq === key)?.version;
      });
    };
    await store(`# Changelog\n\n${entry('2.0.0', 'walrus')}${entry('1.0.0', 'heron')}`);
    const embedding = createEmbedding();
    await embedAll(ctx, embedding);
    await opened(ctx);

    assert.equal((await versions('heron'))[0], '1.0.0');
    assert.equal((await versions('walrus'))[0], '2.0.0');
    assert.ok(service.texts.some((text) => text.startsWith('1.0.0 heron works as heron should')));
    assert.deepEqual(await versions('heron', { orgIds: [other.id] }), []);
    assert.equal((await versions('heron', { orgIds: [org.id] })).length, (await liveVectors(ctx, 'chunk')).length);

    const calls = service.texts.length;
    await store(`# Changelog\n\n${entry('3.0.0', 'otter')}${entry('1.0.0', 'heron')}`);
    await embedAll(ctx, embedding);
    assert.equal((await versions('otter'))[0], '3.0.0');
    assert.ok(!(await versions('walrus')).includes('2.0.0'));
    // Unchanged texts were not embedded again.
    assert.ok(!service.texts.slice(calls).some((text) => text.includes('heron')));

    await updateSource(ctx, { src: source.id }, { isHidden: true });
    assert.deepEqual(await versions('heron'), []);
  });

  it('what says nothing has no vector and is not looked at again', async () => {
    const { ctx } = await open();
    const source = await createSource(ctx);
    await postReleases(ctx, source.id, [
      releaseRow('1.0.1', { content: '' }),
      row('Something worth telling everybody'),
    ]);
    const embedding = createEmbedding();
    await embedAll(ctx, embedding);
    const calls = service.calls;

    assert.equal((await liveVectors(ctx, 'release')).length, 1);
    await embedAll(ctx, embedding);
    assert.equal(service.calls, calls);
    const left = await ctx.store.read.selectFrom('releases').select('id').where('embedded_at', 'is', null).execute();
    assert.deepEqual(left, []);
  });

  describe('what goes wrong', () => {
    it('an embedder that is down, slow or answers in another size: degraded, nothing lost, and well again by itself', async () => {
      const { ctx } = await open();
      const source = await createSource(ctx);
      await postReleases(ctx, source.id, [row('Rivers and lakes of the north')]);
      const embedding = createEmbedding();
      service.health = 'down';
      await embedAll(ctx, embedding);
      assert.deepEqual(await liveVectors(ctx, 'release'), []);
      service.health = 'well';
      await embedAll(ctx, embedding);
      assert.equal((await liveVectors(ctx, 'release')).length, 1);
      await opened(ctx);
      for (const health of ['down', 'slow', 'wrong size'] as const) {
        service.health = health;
        assert.deepEqual(await ask(ctx, `rivers ${health}`), { degraded: 'provider_error' }, health);
        service.health = 'well';
        await wellAgain(ctx, `rivers ${health}`);
      }
    });

    it('an index file that is damaged while nobody runs is built anew; a sound one serves with what was written since', async () => {
      const database = await engine.openTestDatabase();
      const first = await open({ database });
      const source = await createSource(first.ctx);
      await postReleases(first.ctx, source.id, [row('Harbours and ships')]);
      await embedAll(first.ctx);
      await opened(first.ctx);
      await first.close();
      const folder = join(database.REGISTRY_DATA_DIR ?? '', 'vectors');
      const names = (await readdir(folder)).filter((name) => name.startsWith('release-'));
      assert.equal(names.length, 1);
      await writeFile(join(folder, names[0] ?? ''), 'no index');

      const second = await open({ database });
      assert.deepEqual(await ask(second.ctx, 'ships'), { degraded: 'index_unavailable' });
      await second.ctx.ports.vectors.follow(second.ctx);
      assert.equal((await titles(second.ctx, 'ships in harbours'))[0], 'Harbours and ships');
      await second.close();

      const { ctx, clock } = await open({ database });
      clock.move(60_000);
      await postReleases(ctx, source.id, [row('Bridges and tunnels')]);
      await embedAll(ctx);
      await opened(ctx);
      assert.deepEqual(await titles(ctx, 'tunnels and bridges'), ['Bridges and tunnels', 'Harbours and ships']);
    });
  });

  it('two processes keep in step, do not do the same work, and one that was killed is succeeded', async () => {
    const database = await engine.openTestDatabase();
    const [a, b] = [await open({ database }), await open({ database })];
    const source = await createSource(a.ctx);
    await postReleases(a.ctx, source.id, [row('Forests of the east')]);
    const embedding = createEmbedding();
    await embedAll(a.ctx, embedding);
    await opened(b.ctx);
    assert.equal((await titles(b.ctx, 'forests')).length, 1);

    await postReleases(a.ctx, source.id, [row('Deserts of the west')]);
    await embedAll(a.ctx, embedding);
    await b.ctx.ports.vectors.follow(b.ctx);
    assert.equal((await titles(b.ctx, 'deserts of the west'))[0], 'Deserts of the west');

    const { signal } = new AbortController();
    await postReleases(
      a.ctx,
      source.id,
      Array.from({ length: 150 }, (_, index) => row(`Island number ${index} of the archipelago`)),
    );
    const [one, two] = [embedding, createEmbedding()];
    service.texts.length = 0;

    assert.equal(await one.pass(a.ctx, signal), true);
    assert.equal(await two.pass(b.ctx, signal), false);
    // The first process no longer exists; its lease has expired.
    b.clock.move(31_000);
    await embedAll(b.ctx, two);

    const islands = service.texts.filter((text) => text.startsWith('Island'));
    assert.equal(islands.length, 150);
    assert.equal(new Set(islands).size, 150);
    assert.equal((await liveVectors(b.ctx, 'release')).length, 152);
  });

  it('another embedder fills a space of its own, which comes into use when it has as much', async () => {
    const database = await engine.openTestDatabase();
    const first = await open({ database });
    const source = await createSource(first.ctx);
    await postReleases(first.ctx, source.id, [row('Valleys and hills'), row('Coasts and beaches')]);
    await embedAll(first.ctx);
    await first.close();

    const { ctx, clock } = await open({ database, env: { REGISTRY_EMBED_NAME: 'other-words' } });
    clock.move(60_000);
    await opened(ctx);
    assert.deepEqual(await ask(ctx, 'beaches'), { degraded: 'index_unavailable' });
    await embedAll(ctx);
    await ctx.ports.vectors.follow(ctx);
    assert.equal((await titles(ctx, 'beaches of the coasts'))[0], 'Coasts and beaches');
    assert.match(ctx.ports.vectors.status().space ?? '', /other-words/);

    // The old vectors are deleted; the numbers of entities stay.
    const keysOf = () =>
      ctx.store.read.selectFrom('vectors').select(['space', 'key', 'ref']).where('kind', '=', 'entity').execute();
    const keys = new Set((await keysOf()).map(({ key, ref }) => `${key} ${ref}`));
    while (await sweepVectors(ctx));
    const kept = await keysOf();
    assert.deepEqual([...new Set(kept.map(({ space }) => space))], [ctx.ports.vectors.status().space]);
    assert.deepEqual(new Set(kept.map(({ key, ref }) => `${key} ${ref}`)), keys);
  });

  it('a deletion is remembered for a month', async () => {
    const { ctx, clock } = await open();
    const source = await createSource(ctx);
    await postReleases(ctx, source.id, [row('Clouds and winds')]);
    const embedding = createEmbedding();
    await embedAll(ctx, embedding);
    await deleteRelease(ctx, { id: (await liveVectors(ctx, 'release'))[0] ?? '' });
    await embedAll(ctx, embedding);
    const count = async () =>
      (await ctx.store.read.selectFrom('vectors').select('key').where('kind', '=', 'release').execute()).length;

    clock.move(29 * DAY);
    await sweepVectors(ctx);
    assert.equal(await count(), 1);
    clock.move(2 * DAY);
    await sweepVectors(ctx);
    assert.equal(await count(), 0);
  });
});

async function wellAgain(ctx: Context, text: string): Promise<void> {
  assert.equal((await hits(ctx, text)).length, 1);
}
