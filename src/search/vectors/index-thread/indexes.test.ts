import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { forEachEngine, type TestEngine } from '../../../../test/support/engines.ts';
import { createSource, postReleases, releaseRow } from '../../../../test/support/factories.ts';
import { type Context, now, transact } from '../../../context.ts';
import { spaceName } from '../../../domain/embedding/space.ts';
import type { VectorAnswer } from '../../../domain/retrieval/retrievers.ts';
import { removeVectors, writeVectors } from '../embedding/store-batch.ts';
import { madeVector } from '../made-vectors.fixture.ts';
import { writeSpaces } from '../spaces.ts';
import { createIndexes } from './indexes.ts';
import type { IndexState, Notice } from './messages.ts';

const DIMS = 16;
const SPACE = spaceName({ embedder: 'made', dims: DIMS });
const START = Date.parse('2026-03-10T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const FILTER = { includePrereleases: false, includeCoverage: false };

const vectorOf = (number: number) => madeVector({ dims: DIMS, seed: 5, number });

async function world(engine: TestEngine, count: number) {
  const database = await engine.openTestDatabase();
  const { ctx } = await engine.openTestApp({ database, clock: () => new Date(START) });
  const source = await createSource(ctx);
  for (let at = 0; at < count; at += 500) {
    const rows = Array.from({ length: Math.min(500, count - at) }, (_, index) => releaseRow(`1.${at + index}.0`));
    await postReleases(ctx, source.id, rows, { silent: true });
  }
  const releases = await ctx.store.read.selectFrom('releases').select(['seq', 'id']).orderBy('seq').execute();
  const put = (rows: typeof releases, shift = 0) =>
    transact(
      ctx,
      async (inner) => {
        await writeSpaces(inner.tx, { active: SPACE, filling: null }, now(inner));
        const vectors = rows.map(({ seq, id }) => ({
          key: seq,
          ref: id,
          vector: vectorOf(seq + shift),
          textHash: 'x',
          tier: 2,
        }));
        await writeVectors(inner, { space: SPACE, kind: 'release' }, vectors);
      },
      'bookkeeping',
    );
  await put(releases);
  return { ctx, releases, put, folder: join(ctx.config.dataDir, 'vectors') };
}

async function open(t: TestContext, { config }: Context) {
  const { databaseUrl, dataDir, pgvector } = config;
  const notices: Notice[] = [];
  const indexes = await createIndexes(
    { databaseUrl, dataDir, pgvector, embedder: { id: 'made', dims: null } },
    (notice) => notices.push(notice),
  );
  t.after(() => indexes.close());
  const states = () => notices.flatMap((notice) => ('state' in notice ? [notice.state] : []));
  let at = START;
  return {
    indexes,
    states,
    state: () => states().at(-1) as IndexState,
    built: () => notices.filter((notice) => 'log' in notice && notice.log.message.includes('built')).length,
    recall: () =>
      notices.flatMap((notice) =>
        'log' in notice && 'recall' in notice.log.facts ? [notice.log.facts.recall] : [],
      )[0],
    later: (ms: number) => {
      at += ms;
      return indexes.follow(new Date(at));
    },
    ask: (number: number, limit = 3) =>
      indexes.search({
        kind: 'release',
        vector: vectorOf(number),
        limit,
        filter: FILTER,
        now: new Date(at).toISOString(),
      }),
  };
}

function nearest(answer: VectorAnswer): number | undefined {
  assert.ok('hits' in answer, JSON.stringify(answer));
  return answer.hits[0]?.key;
}

// Whether a document has the requested vector itself.
function isFound(answer: VectorAnswer): boolean {
  assert.ok('hits' in answer, JSON.stringify(answer));
  return answer.hits.some(({ cosine }) => cosine > 0.999);
}

forEachEngine('indexes', (engine) => {
  it('answer nothing before they are built', async (t) => {
    const { ctx } = await world(engine, 5);
    const { ask } = await open(t, ctx);

    assert.deepEqual(await ask(1), { degraded: 'index_unavailable' });
  });

  it('are built from the table, checked, and follow it', async (t) => {
    const { ctx, releases, put } = await world(engine, 600);
    const { later, ask, state, recall } = await open(t, ctx);
    await later(0);
    const [first, second, third] = releases;
    assert.ok(first && second && third);

    assert.equal(state().kinds.release.count, 600);
    assert.ok(Number(recall()) >= 0.95);
    assert.equal(nearest(await ask(first.seq)), first.seq);

    await put([second], 10_000);
    await transact(ctx, (inner) => removeVectors(inner, { space: SPACE, kind: 'release' }, [third.seq]), 'bookkeeping');
    await later(1_000);

    assert.equal(nearest(await ask(second.seq + 10_000)), second.seq);
    assert.notEqual(nearest(await ask(third.seq)), third.seq);
    assert.equal(state().kinds.release.count, 599);
  });

  it('serve what they have from nine tenths on', async (t) => {
    const { ctx, put } = await world(engine, 0);
    // Nobody stands behind these, which the index does not know.
    await put(Array.from({ length: 2_800 }, (_, number) => ({ seq: number + 1, id: `rel_${number}` })));
    const { later, states } = await open(t, ctx);
    await later(0);

    const [first] = states().filter(({ kinds }) => kinds.release.serves);
    assert.ok(first && first.kinds.release.count >= 2_520 && first.kinds.release.count < 2_800);
    const { serves, count } = states().at(-1)?.kinds.release ?? {};
    assert.deepEqual([serves, count], [true, 2_800]);
  });

  it('a vector of another size is the embedder’s fault', async (t) => {
    const { ctx } = await world(engine, 5);
    const { indexes, later } = await open(t, ctx);
    await later(0);

    const question = { kind: 'release', vector: new Float32Array(DIMS + 1), limit: 3, filter: FILTER } as const;
    assert.deepEqual(await indexes.search({ ...question, now: '2026-03-10T12:00:00.000Z' }), {
      degraded: 'provider_error',
    });
  });

  it('are saved after ten minutes with changes, and when the file is gone', async (t) => {
    const { ctx, releases, put, folder } = await world(engine, 5);
    const { later } = await open(t, ctx);
    const seq = async () => JSON.parse(await readFile(join(folder, 'release.json'), 'utf8')).seq as number;
    await later(0);
    const first = await seq();

    await put(releases);
    await later(9 * MINUTE);
    assert.equal(await seq(), first);
    await later(MINUTE);
    assert.equal(await seq(), first + 5);
    assert.equal((await readdir(folder)).filter((name) => name.endsWith('.usearch')).length, 1);

    await rm(folder, { recursive: true });
    await later(10 * MINUTE);
    assert.equal(await seq(), first + 5);
  });

  it('what another process has just saved is not saved again', async (t) => {
    const { ctx, releases, put, folder } = await world(engine, 5);
    const [a, b] = [await open(t, ctx), await open(t, ctx)];
    const saved = async () => (await readFile(join(folder, 'release.json'), 'utf8')) as string;
    await a.later(0);
    await b.later(0);
    await put(releases);
    await a.later(10 * MINUTE);
    const before = await saved();

    await b.later(10 * MINUTE);
    assert.equal(await saved(), before);
  });

  it('are built by one of the processes that share a folder, and mapped by the others', async (t) => {
    const { ctx, releases, put } = await world(engine, 300);
    const [a, b] = [await open(t, ctx), await open(t, ctx)];
    await Promise.all([a.later(0), b.later(0)]);
    await Promise.all([a.later(1_000), b.later(1_000)]);
    const [first, second, third] = releases;
    assert.ok(first && second && third);

    assert.equal(a.built() + b.built(), 1);
    for (const one of [a, b]) assert.equal(nearest(await one.ask(first.seq)), first.seq);

    // What changed is found before a file has it, after one of them has saved it, and by the other that maps that file.
    await put([first], 10_000);
    await transact(
      ctx,
      (inner) => removeVectors(inner, { space: SPACE, kind: 'release' }, [second.seq]),
      'bookkeeping',
    );
    const replaced = [first.seq, second.seq];
    for (const wait of [1_000, 10 * MINUTE, 10 * MINUTE]) {
      for (const one of [a, b]) {
        await one.later(wait);
        assert.equal(nearest(await one.ask(first.seq + 10_000)), first.seq);
        assert.equal(nearest(await one.ask(third.seq)), third.seq);
        for (const seq of replaced) assert.equal(isFound(await one.ask(seq)), false);
        assert.equal(one.state().kinds.release.count, 299);
      }
    }
  });

  it('a lock that a killed process has left behind is broken', async (t) => {
    const { ctx, releases, folder } = await world(engine, 5);
    await mkdir(folder, { recursive: true });
    const lock = join(folder, 'release.lock');
    await writeFile(lock, '');
    const { later, ask } = await open(t, ctx);
    await later(0);
    assert.deepEqual(await ask(1), { degraded: 'index_unavailable' });

    const before = new Date(Date.now() - 2 * MINUTE);
    await utimes(lock, before, before);
    await later(1_000);
    assert.equal(nearest(await ask(releases[0]?.seq ?? 0)), releases[0]?.seq);
    assert.equal((await readdir(folder)).includes('release.lock'), false);
  });

  const reopenings: [name: string, harm: (folder: string) => Promise<void>, laterMs: number, built: boolean][] = [
    ['an untouched file', async () => {}, 0, false],
    ['a file of a month ago', async () => {}, 31 * DAY, true],
    ['no folder', (folder) => rm(folder, { recursive: true }), 0, true],
    ['a file that was cut', (folder) => each(folder, 'usearch', (path) => truncate(path, 100)), 0, true],
    ['a file of the same size that was overwritten', (folder) => each(folder, 'usearch', garble), 0, true],
    ['a file without its label', (folder) => each(folder, 'json', (path) => rm(path)), 0, true],
    ['a label that is no JSON', (folder) => each(folder, 'json', (path) => writeFile(path, '{')), 0, true],
    [
      'a label that lacks most of its fields',
      (folder) => each(folder, 'json', (path) => writeFile(path, '{"format":1}')),
      0,
      true,
    ],
    ['a label without its file', (folder) => each(folder, 'usearch', (path) => rm(path)), 0, true],
  ];
  it('open from their file, or build it anew', async (t) => {
    const { ctx, releases, folder } = await world(engine, 20);
    await (await open(t, ctx)).later(0);
    for (const [name, harm, laterMs, built] of reopenings) {
      await harm(folder);
      const next = await open(t, ctx);
      await next.later(laterMs);

      assert.equal(next.built() > 0, built, name);
      assert.equal(nearest(await next.ask(releases[3]?.seq ?? 0)), releases[3]?.seq, name);
    }
  });

  it('a space of another embedder is not used', async (t) => {
    const { ctx } = await world(engine, 5);
    const { later, ask, state } = await open(t, ctx);
    await transact(ctx, (inner) => writeSpaces(inner.tx, { active: 'foreign|16|1', filling: null }, now(inner)));
    await later(0);

    assert.deepEqual(await ask(1), { degraded: 'index_unavailable' });
    assert.equal(state().space, null);
  });
});

async function each(folder: string, ending: string, work: (path: string) => Promise<void>): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('release') && name.endsWith(`.${ending}`));
  assert.ok(names.length > 0);
  for (const name of names) await work(join(folder, name));
}

async function garble(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.fill(7, bytes.length >> 1);
  await writeFile(path, bytes);
}
