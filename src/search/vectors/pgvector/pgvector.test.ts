import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../../../test/support/engines.ts';
import { copyRows, type EmbeddedDatabase, openPglite } from '../../../../test/support/pglite.ts';
import { type Context, transact } from '../../../context.ts';
import { cosine, quantise } from '../../../domain/embedding/quantise.ts';
import { spaceName } from '../../../domain/embedding/space.ts';
import type { SearchFilter } from '../../../domain/retrieval/retrievers.ts';
import type { VectorKind } from '../../../ports.ts';
import { storeChangelogFile } from '../../../releases/changelog-files/store-file.ts';
import type { DatabaseReader } from '../../../store/open-reader.ts';
import { tablesOf } from '../../../store/postgres/backup.ts';
import { postgres } from '../../../store/postgres/dialect.ts';
import type { Tx } from '../../../store/schema/index.ts';
import { removeVectors, writeVectors } from '../embedding/store-batch.ts';
import { createIndexes } from '../index-thread/indexes.ts';
import type { Notice } from '../index-thread/messages.ts';
import {
  DIMS,
  FILTER_CASES,
  type FilteredRelease,
  postFilteredReleases,
  vectorOf,
} from '../nearest/filtered-releases.fixture.ts';
import { type Bounds, nearest, WideFilters } from '../nearest/nearest.ts';
import { writeSpaces } from '../spaces.ts';
import { findIndexInDatabase } from './choose.ts';
import { findExtension, judgeExtension } from './extension.ts';
import { fillTables, isFillDue } from './fill.ts';
import { createTableKeeper, type IndexDatabase, sweepTables } from './keep.ts';
import { TableIndex } from './table-index.ts';
import { lockTables, readTables } from './tables.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const SPACE = spaceName({ embedder: 'made', dims: DIMS });
const NEXT = spaceName({ embedder: 'made', dims: DIMS, recipe: 99 });
const BASE: SearchFilter = { includePrereleases: true, includeCoverage: false };
// Small ones, so that a few hundred releases are many.
const BOUNDS: Bounds = { exact: 40, least: 64, most: 400, looked: [100, 1_000] };
const COPIED = [
  'orgs',
  'products',
  'sources',
  'source_figures',
  'releases',
  'changelog_files',
  'changelog_chunks',
  'vectors',
  'counters',
  'settings',
] as const;
const { signal } = new AbortController();

describe('versions of the extension', () => {
  const cases: [version: string, usable: boolean, scansOn: boolean][] = [
    ['0.5.1', false, false],
    ['0.6.2', false, false],
    ['0.7.0', true, false],
    ['0.7.4', true, false],
    ['0.8.0', true, true],
    ['0.10.0', true, true],
    ['1.0', true, true],
  ];
  for (const [version, usable, scansOn] of cases) {
    it(`${version}: ${usable ? (scansOn ? 'used, scans go on' : 'used') : 'not used'}`, () => {
      assert.deepEqual(judgeExtension(version, true), { version, usable, scansOn });
      assert.equal(judgeExtension(version, false).usable, false);
    });
  }
});

interface Row {
  key: number;
  ref: string;
}

const rowOf = ({ seq, id }: FilteredRelease): Row => ({ key: seq, ref: id });
const withVector = (row: Row) => ({ ...row, vector: vectorOf(row.key), textHash: '', tier: 2 });

// The rows are made by the service on its own engine, and copied into a server that has the extension.
forEachEngine('an index in the database', (engine) => {
  if (engine.name !== 'sqlite') return;
  let server: EmbeddedDatabase;
  let database: IndexDatabase;
  let ctx: Context;
  let releases: FilteredRelease[];
  let sources: Awaited<ReturnType<typeof postFilteredReleases>>['sources'];
  let chunks: number[];

  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock: () => new Date(NOW) }));
    ({ sources, releases } = await postFilteredReleases(ctx));
    const content = Array.from({ length: 12 }, (_, at) => `## ${at}.0.0\n\n${'- a line of text\n'.repeat(90)}`).join(
      '',
    );
    const file = {
      sourceId: sources[0]?.id ?? '',
      path: 'CHANGELOG.md',
      url: 'https://c.example',
      rawUrl: 'https://c.example',
    };
    await transact(ctx, (inner) => storeChangelogFile(inner, { ...file, content, canonical: true }));
    const { read } = ctx.store;
    chunks = (await read.selectFrom('changelog_chunks').select('seq').orderBy('seq').execute()).map(({ seq }) => seq);
    assert.ok(chunks.length > 1);
    await transact(ctx, async (inner) => {
      const of = (kind: VectorKind, rows: readonly Row[]) =>
        writeVectors(inner, { space: SPACE, kind }, rows.map(withVector));
      await writeSpaces(inner.tx, { active: SPACE, filling: null }, NOW);
      await of('release', releases.map(rowOf));
      await of(
        'chunk',
        chunks.map((seq) => ({ key: seq, ref: String(seq) })),
      );
      await of(
        'entity',
        sources.map(({ id }, at) => ({ key: at + 1, ref: id })),
      );
      await inner.tx.updateTable('releases').set({ embedded_at: NOW }).execute();
    });
    server = await openPglite();
    await copyRows(read, server.db, COPIED);
    database = { read: server.db, connect: (work) => work(server.db) };
  });
  after(() => server?.close());

  const write = <T>(work: (inner: Context & { tx: Tx }) => Promise<T>) =>
    server.db.transaction().execute((tx) => work({ ...ctx, tx }));
  const put = (rows: readonly Row[], shift = 0) =>
    write((inner) =>
      writeVectors(
        inner,
        { space: SPACE, kind: 'release' },
        rows.map((row) => ({ ...withVector(row), vector: vectorOf(row.key + shift) })),
      ),
    );
  const remove = (keys: readonly number[]) =>
    write((inner) => removeVectors(inner, { space: SPACE, kind: 'release' }, keys));
  const reader = (): DatabaseReader => ({ db: server.db, dialect: postgres, close: async () => {} });
  const unreachable = (): IndexDatabase => ({
    read: server.db,
    connect: () => Promise.reject(new Error('permission denied')),
  });
  const counts = async () =>
    Object.fromEntries((await readTables(server.db)).map(({ space, kind, vectors }) => [`${space} ${kind}`, vectors]));

  async function openIndex(kind: VectorKind, version = '0.8.0'): Promise<TableIndex> {
    const rows = { reader: reader(), space: SPACE, kind };
    const index = new TableIndex({ rows, extension: judgeExtension(version, true), changed: () => {} });
    await index.follow();
    return index;
  }

  async function ask(index: TableIndex, number: number, filter: Partial<SearchFilter> = {}, limit = 10) {
    const question = {
      kind: index.rows.kind,
      vector: vectorOf(number),
      filter: { ...BASE, ...filter },
      limit,
      now: NOW,
    };
    return nearest(index, question, { wideFilters: new WideFilters(), bounds: BOUNDS });
  }

  async function openThread(pgvector: 'auto' | 'off') {
    const notices: Notice[] = [];
    const settings = { databaseUrl: 'postgres://embedded', dataDir: ctx.config.dataDir, pgvector };
    const indexes = await createIndexes(
      { ...settings, embedder: { id: 'made', dims: null } },
      (notice) => notices.push(notice),
      async () => reader(),
    );
    await indexes.follow(new Date(NOW));
    const search = (number: number) =>
      indexes.search({ kind: 'release', vector: vectorOf(number), limit: 3, filter: BASE, now: NOW });
    const places = () =>
      notices.flatMap((notice) => ('log' in notice && 'place' in notice.log.facts ? [notice.log.facts.place] : []));
    const state = () => notices.flatMap((notice) => ('state' in notice ? [notice.state] : [])).at(-1)?.kinds.release;
    return { indexes, search, places, state };
  }

  it('is not there without the extension, which a user without the right cannot install', async () => {
    const thread = await openThread('auto');
    await createTableKeeper().follow(ctx, unreachable(), signal);

    assert.equal(await findExtension(server.db), null);
    assert.deepEqual(await findIndexInDatabase(server.db, SPACE), { extension: null, ready: false, filling: false });
    assert.deepEqual(thread.places(), ['process']);
    assert.ok('hits' in (await thread.search(1)));
    await thread.indexes.close();
  });

  it('is made by the worker, and then used by the threads', async () => {
    const thread = await openThread('auto');
    await createTableKeeper().follow(ctx, database, signal);
    await thread.indexes.follow(new Date(NOW));

    assert.equal((await findExtension(server.db))?.usable, true);
    assert.deepEqual(await counts(), {
      [`${SPACE} release`]: releases.length,
      [`${SPACE} chunk`]: chunks.length,
      [`${SPACE} entity`]: sources.length,
    });
    assert.deepEqual(thread.places(), ['process', 'database']);
    assert.deepEqual(thread.state(), { serves: true, count: releases.length, complete: true });
    const answer = await thread.search(releases[7]?.seq ?? 0);
    assert.equal('hits' in answer && answer.hits[0]?.ref, releases[7]?.id);
    await thread.indexes.close();

    const other = await openThread('off');
    assert.deepEqual(other.places(), ['process']);
    await other.indexes.close();
  });

  it('is in no backup', async () => {
    const names = (await tablesOf(server.db)).map(({ table }) => table);
    assert.ok(names.includes('vectors'));
    assert.deepEqual(
      names.filter((name) => name.startsWith('vector_index')),
      [],
    );
  });

  for (const version of ['0.7.0', '0.8.0']) {
    it(`finds what passes each filter as a scan of everything would, with ${version}`, async () => {
      const index = await openIndex('release', version);
      let right = 0;
      let all = 0;
      for (const [name, filter, passes] of FILTER_CASES) {
        const wanted = { ...BASE, includePrereleases: false, ...filter(sources) };
        const matching = releases.filter((one) => (wanted.includePrereleases || one.prerelease === 0) && passes(one));
        for (const number of version === '0.8.0' ? [3, 2_000] : [3]) {
          const vector = vectorOf(number);
          const ranked = matching
            .map(({ seq }) => ({ seq, near: cosine(vector, quantise(vectorOf(seq)).data) }))
            .sort((a, b) => b.near - a.near);
          const best = new Map(ranked.slice(0, 10).map(({ seq, near }) => [seq, near]));
          const hits = await ask(index, number, wanted);

          assert.equal(hits.length, best.size, name);
          const allowed = new Map(ranked.map(({ seq, near }) => [seq, near]));
          for (const hit of hits) assert.ok(Math.abs(hit.cosine - (allowed.get(hit.key) ?? 2)) < 0.001, name);
          assert.deepEqual(
            hits.map((hit) => hit.cosine),
            hits.map((hit) => hit.cosine).toSorted((a, b) => b - a),
          );
          right += hits.filter(({ key }) => best.has(key)).length;
          all += best.size;
        }
      }
      assert.ok(right / all >= 0.95, `${right} of ${all}`);
    });
  }

  it('is searched by the index of the extension', async () => {
    await sql`SELECT pg_stat_force_next_flush()`.execute(server.db);
    const { rows } = await sql<{ scans: number }>`SELECT idx_scan AS scans FROM pg_stat_user_indexes
      WHERE indexrelname LIKE 'vector_index_release_%_nearest'`.execute(server.db);
    assert.ok((rows[0]?.scans ?? 0) > 0);
  });

  it('never shows what is hidden or dated later, and coverage only when wanted', async () => {
    const index = await openIndex('release');
    const number = 3;
    const [hidden, later, coverage, kept] = (await ask(index, number)).map(({ key }) => key);
    const set = (key: number | undefined, values: { listing?: number; feed_at?: string }) =>
      server.db
        .updateTable('releases')
        .set(values)
        .where('seq', '=', key ?? 0)
        .execute();
    await set(hidden, { listing: 0 });
    await set(later, { feed_at: '2027-01-01T00:00:00.000Z' });
    await set(coverage, { listing: 1 });

    const plain = await ask(index, number);
    assert.equal(plain.length, 10);
    assert.equal(plain[0]?.key, kept);
    const covered = await ask(index, number, { includeCoverage: true });
    assert.equal(covered[0]?.key, coverage);
    assert.ok([...plain, ...covered].every(({ key }) => key !== hidden && key !== later));
  });

  it('has chunks and entities too', async () => {
    const sections = await ask(await openIndex('chunk'), chunks[1] ?? 0, {}, 3);
    assert.deepEqual([sections[0]?.key, sections[0]?.ref, sections.length], [chunks[1], String(chunks[1]), 3]);

    const named = await ask(await openIndex('entity'), 2, {}, 3);
    assert.deepEqual([named[0]?.key, named[0]?.ref, named.length], [2, sources[1]?.id, 3]);
  });

  it('follows changes and deletions', async () => {
    const [first, second] = releases.slice(100);
    assert.ok(first && second);
    await put([rowOf(first)], 10_000);
    await remove([second.seq]);
    const index = await openIndex('release');
    assert.equal(await isFillDue(server.db, [{ space: SPACE, dims: DIMS }]), true);
    assert.equal(await sweepTables(ctx, unreachable()), false, 'the rows of deletions have to stay');
    // A vector that only changed is not missing.
    assert.deepEqual([index.size, index.missing, index.serves], [releases.length, 0, true]);

    await createTableKeeper().follow(ctx, database, signal);
    await index.follow();

    assert.equal(await isFillDue(server.db, [{ space: SPACE, dims: DIMS }]), false);
    assert.equal(index.size, releases.length - 1);
    assert.equal((await ask(index, first.seq + 10_000))[0]?.key, first.seq);
    assert.ok((await ask(index, second.seq)).every(({ key }) => key !== second.seq));
    await put([rowOf(second)]);
    await createTableKeeper().follow(ctx, database, signal);
  });

  it('does not answer as a whole while it is behind', async () => {
    const thread = await openThread('auto');
    // Nobody stands behind these.
    const others = Array.from({ length: 60 }, (_, at) => ({ key: 100_000 + at, ref: `rel_${at}` }));
    await put(others.slice(0, 50));
    await thread.indexes.follow(new Date(NOW));
    assert.deepEqual(thread.state(), { serves: true, count: releases.length, complete: true });

    await put(others.slice(50));
    await thread.indexes.follow(new Date(NOW));
    assert.equal(thread.state()?.serves, false);
    assert.deepEqual(await thread.search(1), { degraded: 'index_unavailable' });

    await createTableKeeper().follow(ctx, database, signal);
    await thread.indexes.follow(new Date(NOW));
    assert.deepEqual(thread.state(), { serves: true, count: releases.length + 60, complete: true });
    assert.deepEqual(thread.places(), ['database']);
    await thread.indexes.close();
  });

  it('a space is not looked up here before all of it is', async () => {
    // The same twice, because one page would take all of them.
    for (const shift of [0, 200_000]) {
      await sql`INSERT INTO vectors (space, kind, key, ref, seq, dims, scale, data, text_hash, tier, deleted, changed_at)
        SELECT ${NEXT}, kind, key + ${shift}::int, ref, seq + ${shift}::int, dims, scale, data, text_hash, tier, deleted,
          changed_at FROM vectors WHERE space = ${SPACE} AND kind = 'release' AND key < 100000`.execute(server.db);
    }
    const stop = new AbortController();
    const stopped = {
      ...server.db,
      transaction: () => {
        stop.abort();
        return server.db.transaction();
      },
    } as typeof server.db;
    const spaces = [{ space: NEXT, dims: DIMS }];

    assert.equal(await fillTables(stopped, spaces, { signal: stop.signal, log: () => {} }), false);
    assert.equal((await counts())[`${NEXT} release`], 500);
    assert.equal((await findIndexInDatabase(server.db, NEXT)).ready, false);
    assert.equal(await fillTables(server.db, spaces, { signal, log: () => {} }), true);
    assert.equal((await counts())[`${NEXT} release`], 2 * releases.length);
    assert.equal((await findIndexInDatabase(server.db, NEXT)).ready, true);
  });

  it('is left alone for a while after a failure, longer each time', async () => {
    let at = Date.parse(NOW);
    let calls = 0;
    const keeper = createTableKeeper();
    const read = server.db;
    const failing: IndexDatabase = {
      read,
      connect: () => {
        calls += 1;
        return Promise.reject(new Error('no room'));
      },
    };
    await put([{ key: 300_000, ref: 'rel_x' }]);
    const after = async (ms: number) => {
      at += ms;
      await keeper.follow({ ...ctx, clock: () => new Date(at) }, failing, signal);
      return calls;
    };

    assert.deepEqual(
      [await after(0), await after(4_999), await after(1), await after(9_999), await after(1)],
      [1, 1, 2, 2, 3],
    );
    await remove([300_000]);
    await createTableKeeper().follow(ctx, database, signal);
  });

  it('is made anew when a table of it was dropped', async () => {
    const [{ name } = { name: '' }] = (await readTables(server.db)).filter(({ kind }) => kind === 'chunk');
    await sql`DROP TABLE ${sql.table(name)}`.execute(server.db);
    assert.equal((await findIndexInDatabase(server.db, SPACE)).ready, false);

    await createTableKeeper().follow(ctx, database, signal);
    assert.equal((await findIndexInDatabase(server.db, SPACE)).ready, true);
    assert.equal((await counts())[`${SPACE} chunk`], chunks.length);
  });

  it('is dropped when its space is out of use', async () => {
    await writeSpaces(server.db, { active: NEXT, filling: null }, NOW);
    assert.equal(await sweepTables(ctx, database), true);

    assert.deepEqual([...new Set((await readTables(server.db)).map(({ space }) => space))], [NEXT]);
    const { rows } = await sql<{ name: string }>`
      SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE 'vector_index_%'`.execute(server.db);
    assert.equal(rows.length, 3);
  });

  it('and when the extension is gone', async () => {
    await sql`DROP EXTENSION vector CASCADE`.execute(server.db);
    assert.equal((await findIndexInDatabase(server.db, NEXT)).ready, false);
    await sweepTables(ctx, database);
    assert.deepEqual(await readTables(server.db), []);
  });
});

forEachEngine('tables of the index', (engine) => {
  if (engine.name !== 'postgres') return;

  it('are changed by one process at a time', async () => {
    const { ctx } = await engine.openTestApp();
    const [inside, outside] = await ctx.store.transaction(
      async (tx) => [await lockTables(tx), await ctx.store.transaction(lockTables, 'bookkeeping')],
      'bookkeeping',
    );
    assert.deepEqual([inside, outside], [true, false]);
    assert.equal(await ctx.store.transaction(lockTables, 'bookkeeping'), true);
  });
});
