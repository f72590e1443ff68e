// What a search says about itself: how each hit was found, which terms nothing contains, and what its numbers mean.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Context, type Ports, transact } from '../../src/context.ts';
import type { SearchAnswer, SearchMode } from '../../src/contract/search.ts';
import type { VectorAnswer, VectorHit } from '../../src/domain/retrieval/retrievers.ts';
import type { VectorSearch } from '../../src/ports.ts';
import { storeChangelogFile } from '../../src/releases/changelog-files/store-file.ts';
import { searchRegistry } from '../../src/search/search.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';

const START = '2026-03-01T12:00:00.000Z';

forEachEngine('the truth of a search', (engine) => {
  async function setUp() {
    let answer: (search: VectorSearch) => VectorAnswer = () => ({ hits: [] });
    const vectors: Ports['vectors'] = {
      search: async (_, search) => answer(search),
      stored: async () => ({ degraded: 'anchor_not_embedded' }),
      follow: async () => {},
      status: () => ({ space: 'hand', counts: { release: 1, chunk: 1, entity: 0 }, weight: 1 }),
      close: async () => {},
    };
    const clock = movableClock(START);
    const app = await engine.openTestApp({ clock, ports: { vectors } });
    const ctx = as(app.ctx, 'admin');
    const near = (hits: { release?: VectorHit[]; chunk?: VectorHit[] }) => {
      answer = ({ kind }) => ({ hits: kind === 'entity' ? [] : (hits[kind] ?? []) });
      clock.move(61_000);
    };
    const search = (q: string, mode: SearchMode = 'hybrid', more = {}): Promise<SearchAnswer> =>
      searchRegistry(app.ctx, { q, mode, limit: 20, offset: 0, ...more });
    return { ctx, near, search };
  }

  async function publish(ctx: Context, name: string, notes: Record<string, string>) {
    const org = await createOrg(ctx, { name: `${[...name].reverse().join('')} works` });
    const product = await createProduct(ctx, org.id, { name, slug: name });
    const url = `https://github.com/makers/${name}`;
    const source = await createSource(ctx, { orgId: org.id, productId: product.id, name, type: 'github', url });
    const rows = Object.entries(notes).map(([version, content], at) =>
      releaseRow(version, {
        title: `v${version}`,
        content,
        publishedAt: new Date(Date.UTC(2026, 0, 1 + at)).toISOString(),
      }),
    );
    await postReleases(ctx, source.id, rows, { silent: true });
    const stored = await ctx.store.read
      .selectFrom('releases')
      .select(['seq', 'id', 'version'])
      .where('source_id', '=', source.id)
      .execute();
    const hit = (version: string, cosine: number): VectorHit[] =>
      stored.filter((row) => row.version === version).map(({ seq, id }) => ({ key: seq, ref: id, cosine }));
    return { source, hit };
  }

  async function storeFile(ctx: Context, sourceId: string, content: string) {
    const file = { sourceId, path: 'CHANGELOG.md', url: 'https://c.example', rawUrl: 'https://c.example' };
    await transact(ctx, (inner) => storeChangelogFile(inner, { ...file, content, canonical: true }));
    const rows = await ctx.store.read.selectFrom('changelog_chunks').selectAll().orderBy('offset_chars').execute();
    return rows.map((row) => ({ ...row, hit: { key: row.seq, ref: String(row.seq), cosine: 0.9 } }));
  }

  const found = ({ releases }: SearchAnswer) => Object.fromEntries(releases.map((hit) => [hit.version, hit.matchedBy]));

  it('says of each hit how it was found, and how many the words found', async () => {
    const { ctx, near, search } = await setUp();
    const notes = { '1.0.0': 'A heron fishes', '1.1.0': 'Birds by the lake', '1.2.0': 'A heron sleeps' };
    const { hit } = await publish(ctx, 'reeds', notes);
    near({ release: [...hit('1.1.0', 0.7), ...hit('1.0.0', 0.6)] });

    const hybrid = await search('heron');
    assert.deepEqual(found(hybrid), { '1.0.0': 'both', '1.1.0': 'meaning', '1.2.0': 'words' });
    assert.deepEqual([hybrid._meta.search.lexicalHits, hybrid._meta.search.listed], [2, 3]);
    assert.equal(hybrid._meta.search.listCap, false);
    const lexical = await search('heron', 'lexical');
    assert.deepEqual(found(lexical), { '1.0.0': 'words', '1.2.0': 'words' });
    assert.equal(lexical._meta.search.lexicalHits, 2);
    const semantic = await search('heron', 'semantic');
    assert.deepEqual(found(semantic), { '1.1.0': 'meaning', '1.0.0': 'meaning' });
    assert.equal(semantic._meta.search.lexicalHits, 0);
    near({});
    assert.deepEqual(found(await search('sdeer works')), { '1.0.0': 'name', '1.1.0': 'name', '1.2.0': 'name' });
  });

  it('lists nothing that is far in meaning', async () => {
    const { ctx, near, search } = await setUp();
    const { hit } = await publish(ctx, 'reeds', { '1.0.0': 'A heron fishes', '1.1.0': 'Birds by the lake' });
    near({ release: [...hit('1.1.0', 0.4), ...hit('1.0.0', 0.05)] });

    const answer = await search('heron', 'semantic');
    assert.deepEqual(found(answer), { '1.1.0': 'meaning' });
    assert.deepEqual([answer._meta.search.lexicalHits, answer._meta.search.listed], [0, 1]);
  });

  it('words that nothing holds give no hits, and which they are is said', async () => {
    const { ctx, near, search } = await setUp();
    const { source, hit } = await publish(ctx, 'reeds', { '1.0.0': 'A heron fishes', '1.1.0': 'Birds by the lake' });
    await storeFile(ctx, source.id, `## 0.9.0\n\n${'- A bittern booms\n'.repeat(40)}`);
    near({ release: [...hit('1.1.0', 0.5), ...hit('1.0.0', 0.4)] });

    for (const mode of ['hybrid', 'lexical'] as const) {
      const { releases, _meta } = await search('xylophone zebra qqq', mode);
      const { lexicalHits, listed, unknownWords } = _meta.search;
      assert.deepEqual([releases, lexicalHits, listed], [[], 0, 0], mode);
      assert.deepEqual(unknownWords, ['xylophone', 'zebra', 'qqq'], mode);
    }
    // Meaning alone needs no words in common.
    assert.equal((await search('xylophone zebra qqq', 'semantic')).releases.length, 2);
    // A word that something holds, be it a section of a changelog, keeps meaning in.
    for (const q of ['xylophone zebra bird', 'xylophone zebra bittern']) {
      const { releases, _meta } = await search(q);
      assert.deepEqual(releases.map(({ version }) => version).sort(), ['1.0.0', '1.1.0'], q);
      assert.deepEqual(_meta.search.unknownWords, ['xylophone', 'zebra'], q);
    }
    assert.equal((await search('heron'))._meta.search.unknownWords, undefined);
  });

  it('what holds not the asked id is found by meaning alone, where meaning alone is asked', async () => {
    const { ctx, near, search } = await setUp();
    const notes = { '1.0.0': 'Fixes CVE-2023-26921 in the parser', '1.1.0': 'Security fix', '1.2.0': 'A fix' };
    const { hit } = await publish(ctx, 'reeds', notes);
    near({ release: [...hit('1.0.0', 0.62), ...hit('1.1.0', 0.41)] });

    for (const q of ['CVE-2023-26920', 'CVE-2023-26920 security fix']) {
      for (const [mode, hits] of [
        ['hybrid', {}],
        ['semantic', { '1.0.0': 'meaning' }],
      ] as const) {
        const answer = await search(q, mode);
        assert.deepEqual(found(answer), hits, `${q} ${mode}`);
        assert.equal(answer._meta.search.lexicalHits, 0, q);
      }
      const lexical = await search(q, 'lexical');
      assert.deepEqual([lexical.releases, lexical._meta.search.lexicalHits], [[], 0], q);
    }
    const known = await search('CVE-2023-26921 security fix');
    assert.deepEqual(found(known), { '1.0.0': 'both' });
    near({});
    const { releases, _meta } = await search('CVE-2023-26920');
    assert.deepEqual([releases, _meta.search.listed, _meta.search.lexicalHits], [[], 0, 0]);
  });

  it('a number occurs in what is found, and a name out of code that nothing holds silences nothing', async () => {
    const { ctx, near, search } = await setUp();
    const notes = { '1.0.0': 'We drop support for Node 16', '1.1.0': 'Old runtimes are gone', '1.2.0': 'A heron' };
    const { hit } = await publish(ctx, 'reeds', notes);
    near({ release: [...hit('1.1.0', 0.8), ...hit('1.0.0', 0.7)] });

    assert.deepEqual(found(await search('drop node 16')), { '1.0.0': 'both' });
    assert.deepEqual(found(await search('drop node 17')), {});
    assert.deepEqual(found(await search('dropOld_runtimes() gone')), { '1.1.0': 'both', '1.0.0': 'meaning' });
  });

  it('a number beside a name is its version, beside other words a word, never a version of others', async () => {
    const { ctx, near, search } = await setUp();
    await publish(ctx, 'react', {
      '19.0.0': 'Actions are stable',
      '19.1.0': 'Fixes',
      '18.3.0': 'Prepares for React 19, drops nothing',
    });
    const airbnb = await publish(ctx, 'eslint-config-airbnb', { '19.0.0': 'Works with React hooks' });
    await publish(ctx, 'tool', {
      '2.0.0': 'We drop support for Node 16.',
      '3.16.0': 'We drop a cache',
      '3.17.0': 'Drop the cache of 1.16.2, see #16',
      '4.0.0': 'Node 18 is needed, drop Node 16, 17',
    });
    near({ release: airbnb.hit('19.0.0', 0.9) });
    const versions = async (q: string, mode?: SearchMode) =>
      (await search(q, mode)).releases.map((hit) => `${hit.sourceName} ${hit.version}`).sort();

    for (const mode of ['lexical', 'hybrid'] as const) {
      assert.deepEqual(await versions('react 19', mode), ['react 19.0.0', 'react 19.1.0'], mode);
      assert.deepEqual(await versions('react v19', mode), ['react 19.0.0', 'react 19.1.0'], mode);
      assert.deepEqual(await versions('react version 19', mode), ['react 19.0.0', 'react 19.1.0'], mode);
    }
    assert.deepEqual(await versions('drop node 16', 'lexical'), ['tool 2.0.0', 'tool 4.0.0']);
    const alone = ['eslint-config-airbnb 19.0.0', 'react 18.3.0', 'react 19.0.0', 'react 19.1.0'];
    assert.deepEqual(await versions('19', 'lexical'), alone);
    assert.deepEqual(
      await versions('v19', 'lexical'),
      alone.filter((name) => !name.includes('18')),
    );
    assert.deepEqual(await versions('version 19', 'lexical'), alone);
    near({});
    assert.deepEqual(await versions('drop node 16'), ['tool 2.0.0', 'tool 4.0.0']);
    // None of its releases has a version that begins with 7, and no note has that number.
    const none = await search('react 7');
    assert.deepEqual([none.releases, none._meta.search.lexicalHits], [[], 0]);
  });

  it('a number beside a name without such a version is a word', async () => {
    const { ctx, search } = await setUp();
    await publish(ctx, 'react', { '2.17.0': 'Routes', '2.18.0': 'Routes with loaders' });
    await publish(ctx, 'eslint-plugin-jsx', { '9.1.0': 'Fixes', '6.10.0': 'Adds ESLint v9 support, for React 19 too' });
    await publish(ctx, 'eslint-plugin-tsx', { '4.0.0': 'Works with eslint 9' });
    await publish(ctx, 'Node.js', { '18.0.0': 'Fetch', '18.1.0': 'Watch mode' });
    await publish(ctx, 'node-tap', { '18.5.0': 'Reports', '16.0.0': 'Needs Node 18' });
    const versions = async (q: string, mode?: SearchMode) =>
      (await search(q, mode)).releases.map((hit) => `${hit.sourceName} ${hit.version}`).sort();
    const noted = ['eslint-plugin-jsx 6.10.0', 'eslint-plugin-tsx 4.0.0'];

    for (const mode of ['lexical', 'hybrid'] as const) {
      assert.deepEqual(await versions('react 19', mode), ['eslint-plugin-jsx 6.10.0'], mode);
      assert.deepEqual(await versions('eslint 9', mode), noted, mode);
      assert.deepEqual(await versions('node 18', mode), ['Node.js 18.0.0', 'Node.js 18.1.0'], mode);
      // What only begins with the name is asked for its version when no note has the number.
      assert.deepEqual(await versions('eslint-plugin-j 6', mode), ['eslint-plugin-jsx 6.10.0'], mode);
      assert.deepEqual(await versions('react 21', mode), [], mode);
    }
    // Notes with the number right behind the name come first.
    await publish(ctx, 'table', { '5.0.0': 'Rows 9 and 10 of the eslint table', '4.9.0': 'The eslint table' });
    const first = (await search('eslint 9')).releases.map((hit) => hit.sourceName);
    assert.deepEqual([first.slice(0, 2).sort(), first.length], [['eslint-plugin-jsx', 'eslint-plugin-tsx'], 3]);
  });

  it('a number that ends a name is no version of what has the rest of the name', async () => {
    const { ctx, search } = await setUp();
    await publish(ctx, 'studio', { '54.0.0': 'Editors', '54.1.0': 'Previews' });
    await publish(ctx, 'Studio 54', { '1.0.0': 'Opens', '1.1.0': 'Closes' });
    const found = async (q: string) => (await search(q, 'lexical')).releases.map((hit) => hit.sourceName);

    assert.deepEqual(await found('studio 54'), ['Studio 54', 'Studio 54']);
    assert.deepEqual(await found('studio v54'), ['studio', 'studio']);
  });

  it('a hybrid answer lists at least what the lexical one does', async () => {
    const { ctx, near, search } = await setUp();
    const notes = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`1.${at}.0`, `A heron fishes, ${at} times`]),
    );
    const { source, hit } = await publish(ctx, 'reeds', notes);
    await storeFile(ctx, source.id, `## 0.9.0\n\n${'- A heron sleeps\n'.repeat(60)}`);
    near({ release: hit('1.3.0', 0.9) });

    for (const q of ['heron', 'reeds', 'reeds 1', 'heron fishes', 'heron qqq', '1.3.0', 'reeds 7', 'fishes 4']) {
      const [lexical, hybrid] = [await search(q, 'lexical', { limit: 50 }), await search(q, 'hybrid', { limit: 50 })];
      const listed = new Set(hybrid.releases.map(({ id }) => id));
      assert.ok(
        lexical.releases.every(({ id }) => listed.has(id)),
        q,
      );
      assert.ok(hybrid._meta.search.returned >= lexical._meta.search.returned, q);
    }
  });

  it('an entry stands once, as its release, however chunk and release were found', async () => {
    const { ctx, near, search } = await setUp();
    const { source, hit } = await publish(ctx, 'reeds', { '1.0.0': 'A heron', '1.1.0': 'A heron fishes' });
    const filler = '- Something else\n'.repeat(60);
    const content = `## 1.1.0\n\n- A heron fishes\n${filler}## 1.0.0\n\n- A heron\n${filler}## 0.9.0\n\n- A heron, once\n${filler}`;
    const chunks = await storeFile(ctx, source.id, content);
    near({ chunk: chunks.map((chunk) => chunk.hit), release: hit('1.0.0', 0.5) });

    for (const limit of [1, 2, 20]) {
      const answer = await search('heron', 'hybrid', { limit });
      const entries = [...answer.releases, ...(answer.chunks ?? [])].map((one) => one.version);
      assert.equal(new Set(answer.releases.map((one) => one.version)).size, answer.releases.length);
      for (const { version } of answer.releases) assert.equal(entries.filter((one) => one === version).length, 1);
    }
    const all = await search('heron');
    assert.deepEqual(all.releases.map((one) => one.version).sort(), ['1.0.0', '1.1.0']);
    assert.ok(all.chunks?.every((one) => one.version === '0.9.0' && one.matchedBy !== 'name'));
  });

  it('a chunk without a word below its headings is no hit', async () => {
    const { ctx, near, search } = await setUp();
    const { source } = await publish(ctx, 'reeds', { '1.0.0': 'Else, a heron' });
    const content = `# Heron changes\n\n## 0.3.0\n\n${'- Else\n'.repeat(140)}## 0.2.0 Heron\n\n### Heron\n\n`;
    const chunks = await storeFile(ctx, source.id, content);
    const blank = chunks.filter((chunk) => chunk.blank === 1);
    assert.equal(blank.length, 2);
    const empty = new Set(blank.map((chunk) => chunk.offset_chars));
    near({ chunk: chunks.map((chunk) => chunk.hit) });

    for (const mode of ['semantic', 'hybrid'] as const) {
      const hits = (await search('heron', mode)).chunks ?? [];
      assert.ok(hits.length > 0);
      assert.ok(hits.every(({ offset, sectionOffset = 0 }) => !empty.has(offset + sectionOffset)));
    }
  });
});
