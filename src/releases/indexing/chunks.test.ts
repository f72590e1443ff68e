import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource } from '../../../test/support/factories.ts';
import { type Context, transact } from '../../context.ts';
import { deleteSource } from '../../entities/sources/delete.ts';
import { updateSource } from '../../entities/sources/update.ts';
import { removeFiles } from '../../ingest/changelog-files/write-files.ts';
import { askChunks } from '../../search/lexical/test-support.ts';
import { storeChangelogFile } from '../changelog-files/store-file.ts';
import { fillChunks } from './fill-chunks.ts';

const ALL = { includePrereleases: false, includeCoverage: false };
const entry = (version: string, word: string) =>
  `## ${version} - 2026-01-02\n\n${`- ${word} does what ${word} should do, in every case\n`.repeat(14)}\n`;

async function store(ctx: Context, sourceId: string, content: string, path = 'CHANGELOG.md'): Promise<void> {
  const url = `https://code.example/${path}`;
  await transact(ctx, (inner) =>
    storeChangelogFile(inner, { sourceId, path, url, rawUrl: url, content, canonical: true }),
  );
}

function rowsOf(ctx: Context, path = 'CHANGELOG.md') {
  return ctx.store.read
    .selectFrom('changelog_chunks')
    .selectAll()
    .where('path', '=', path)
    .orderBy('offset_chars')
    .execute();
}

async function found(ctx: Context, q: string, filter = {}): Promise<number[]> {
  const { hits } = await askChunks(ctx, { q, filter: { ...ALL, ...filter } });
  return hits.filter(({ pass }) => pass === 'every').map(({ docKey }) => docKey);
}

forEachEngine('chunks of changelog files', (engine) => {
  async function setUp() {
    const { ctx } = await engine.openTestApp();
    const org = await createOrg(ctx, { name: 'Acme' });
    const source = await createSource(ctx, { orgId: org.id, url: 'https://github.com/acme/acme', type: 'github' });
    return { ctx, org, source };
  }

  it('stand in the index with the file', async () => {
    const { ctx, source } = await setUp();
    await store(ctx, source.id, `# Changelog\n\n${entry('2.0.0', 'walrus')}${entry('1.0.0', 'heron')}`);

    const rows = await rowsOf(ctx);
    assert.deepEqual(
      rows.map(({ version, heading }) => [version, heading]),
      [
        ['2.0.0', 'Changelog'],
        ['1.0.0', '1.0.0 - 2026-01-02'],
      ],
    );
    assert.deepEqual(await found(ctx, 'heron '), [rows[1]?.doc_key]);
    assert.deepEqual(await found(ctx, 'walrus '), [rows[0]?.doc_key]);
  });

  it('a new entry on top moves the others, which keep their numbers', async () => {
    const { ctx, source } = await setUp();
    const old = `${entry('2.0.0', 'walrus')}${entry('1.0.0', 'heron')}`;
    await store(ctx, source.id, old);
    const before = await rowsOf(ctx);

    await store(ctx, source.id, `${entry('3.0.0', 'otter')}${old}`);

    const after = await rowsOf(ctx);
    assert.deepEqual(
      after.slice(1).map(({ seq, doc_key, text_hash }) => ({ seq, doc_key, text_hash })),
      before.map(({ seq, doc_key, text_hash }) => ({ seq, doc_key, text_hash })),
    );
    assert.notEqual(after[1]?.offset_chars, before[0]?.offset_chars);
    assert.deepEqual(await found(ctx, 'otter '), [after[0]?.doc_key]);
    assert.deepEqual(await found(ctx, 'heron '), [before[1]?.doc_key]);
  });

  it('equal texts are told apart by their order, and what is edited or gone leaves the index', async () => {
    const { ctx, source } = await setUp();
    await store(ctx, source.id, `${entry('1.0.1', 'twin')}${entry('1.0.1', 'twin')}${entry('1.0.0', 'heron')}`);
    assert.equal((await found(ctx, 'twin ')).length, 2);

    await store(ctx, source.id, `${entry('1.0.1', 'twin')}${entry('1.0.0', 'egret')}`);

    assert.equal((await found(ctx, 'twin ')).length, 1);
    assert.deepEqual(await found(ctx, 'heron '), []);
    assert.equal((await found(ctx, 'egret ')).length, 1);
  });

  it('a removed file takes its chunks with it, and other files stay', async () => {
    const { ctx, source } = await setUp();
    await store(ctx, source.id, entry('1.0.0', 'heron'));
    await store(ctx, source.id, entry('1.0.0', 'heron'), 'docs/CHANGELOG.md');

    await transact(ctx, (inner) => removeFiles(inner, source.id, ['CHANGELOG.md']));

    assert.deepEqual(await rowsOf(ctx), []);
    const left = await rowsOf(ctx, 'docs/CHANGELOG.md');
    assert.deepEqual(
      await found(ctx, 'heron '),
      left.map((row) => row.doc_key),
    );
  });

  it('a hidden source has none in the index, whatever is stored meanwhile, until it is shown again', async () => {
    const { ctx, source } = await setUp();
    await store(ctx, source.id, entry('1.0.0', 'heron'));
    await updateSource(ctx, { src: source.id }, { isHidden: true });
    assert.deepEqual(await found(ctx, 'heron '), []);

    await store(ctx, source.id, `${entry('2.0.0', 'otter')}${entry('1.0.0', 'heron')}`);
    assert.deepEqual(await found(ctx, 'otter '), []);
    assert.equal((await rowsOf(ctx)).length, 2);

    await updateSource(ctx, { src: source.id }, { isHidden: false });
    assert.equal((await found(ctx, 'otter ')).length, 1);
    assert.equal((await found(ctx, 'heron ')).length, 1);
  });

  it('a source that moves takes its chunks to the other owner', async () => {
    const { ctx, org, source } = await setUp();
    await store(ctx, source.id, entry('1.0.0', 'heron'));
    const other = await createOrg(ctx, { name: 'Other' });
    await updateSource(ctx, { src: source.id }, { orgId: other.id });

    assert.deepEqual(await found(ctx, 'heron ', { orgIds: [org.id] }), []);
    assert.equal((await found(ctx, 'heron ', { orgIds: [other.id] })).length, 1);
  });

  it('an erased source leaves nothing', async () => {
    const { ctx, source } = await setUp();
    await store(ctx, source.id, entry('1.0.0', 'heron'));
    await deleteSource(ctx, { path: { src: source.id }, hard: true });

    assert.deepEqual(await rowsOf(ctx), []);
    assert.deepEqual(await found(ctx, 'heron '), []);
  });

  it('files that were stored before are cut later, once', async () => {
    const { ctx, source } = await setUp();
    await store(ctx, source.id, entry('1.0.0', 'heron'));
    await transact(ctx, (inner) => inner.tx.deleteFrom('changelog_chunks').execute());

    assert.equal(await fillChunks(ctx), 1);
    assert.equal(await fillChunks(ctx), 0);
    assert.equal((await rowsOf(ctx)).length, 1);
  });

  it('keys stay unique where dates and numbers meet', async () => {
    const { ctx, source } = await setUp();
    await store(ctx, source.id, entry('1.0.0', 'heron'));
    const [first] = await rowsOf(ctx);
    // As if a number 2^20 lower had the same minute.
    await transact(ctx, (inner) =>
      inner.tx
        .updateTable('changelog_chunks')
        .set({ doc_key: (first?.doc_key ?? 0) + 1 })
        .execute(),
    );
    await store(ctx, source.id, entry('1.0.0', 'egret'), 'docs/CHANGELOG.md');

    const [second] = await rowsOf(ctx, 'docs/CHANGELOG.md');
    assert.equal(second?.doc_key, (first?.doc_key ?? 0) + 2);
  });
});
