import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forEachEngine } from '../../test/support/engines.ts';
import { transact } from '../context.ts';
import { fullTextRow, removeReleaseText, writeReleaseText } from '../releases/indexing/release-text.ts';
import { find, index, indexable } from './test-support.ts';

describe('fullTextRow', () => {
  it('puts each text where its weight is', () => {
    const row = fullTextRow(
      indexable({
        doc_key: 7,
        title: 'v2.0.0',
        title_generated: 'Faster sync',
        version: '2.0.0',
        package_part: 'core',
        productName: 'Acme',
        summary: 'It syncs',
        content: 'Uses foo.bar()',
      }),
    );

    assert.deepEqual({ ...row, tokens: null, scope: null }, {
      key: 7,
      title: 'v2.0.0\nfaster sync',
      version: '2.0.0\ncore\nacme',
      summary: 'it syncs',
      content: 'uses foo.bar()',
      tokens: null,
      scope: null,
    } as unknown);
    assert.equal(row.tokens, '2\ue02e0\ue02e0\ue0ff \ue07e2\ue02e0\ue0ff \ue07e2\ue0ff foo\ue02ebar\ue0ff');
  });

  it('takes 200,000 characters of content, however many a character unfolds into', () => {
    const plain = fullTextRow(indexable({ doc_key: 1, content: 'a '.repeat(150_000) }));
    const unfolding = fullTextRow(indexable({ doc_key: 1, content: '\ufdfa'.repeat(200_000) }));

    assert.equal(plain.content.length, 200_000);
    assert.ok(unfolding.content.length <= 200_000);
  });

  it('removes private-use characters from every text', () => {
    const marked = '\ue0fepre\ue0ff \u{f0000}x';
    const row = fullTextRow(
      indexable({ doc_key: 1, title: marked, summary: marked, content: marked, version: marked, productName: marked }),
    );

    for (const text of [row.title, row.version, row.summary, row.content, row.tokens]) {
      assert.doesNotMatch(text, /\p{Co}/u);
    }
  });
});

forEachEngine('writing the index', (engine) => {
  it('replaces a row as a whole', async () => {
    const { ctx } = await engine.openTestApp();
    await index(ctx, [indexable({ doc_key: 1, title: 'old words', content: 'CVE-2024-1111', prerelease: 1 })]);

    await index(ctx, [indexable({ doc_key: 1, title: 'new words', content: 'CVE-2024-2222' })]);

    assert.deepEqual(await find(ctx, 'old', { includePrereleases: true }), []);
    assert.deepEqual(await find(ctx, 'CVE-2024-1111', { includePrereleases: true }), []);
    assert.deepEqual(await find(ctx, 'new words'), [1]);
    assert.deepEqual(await find(ctx, 'CVE-2024-2222'), [1]);
  });

  it('removes rows, and does not mind keys that have none', async () => {
    const { ctx } = await engine.openTestApp();
    await index(
      ctx,
      [1, 2, 3].map((doc_key) => indexable({ doc_key, title: 'needle' })),
    );

    await transact(ctx, (tx) => removeReleaseText(tx, [2, 3, 4]), 'derived');
    await transact(ctx, (tx) => removeReleaseText(tx, []), 'derived');

    assert.deepEqual(await find(ctx, 'needle'), [1]);
  });

  it('takes rows in any order, and the last of two with one key', async () => {
    const { ctx } = await engine.openTestApp();

    await index(ctx, [
      indexable({ doc_key: 3, title: 'needle' }),
      indexable({ doc_key: 1, title: 'needle' }),
      indexable({ doc_key: 3, title: 'needle again' }),
    ]);

    assert.deepEqual(await find(ctx, 'needle'), [3, 1]);
    assert.deepEqual(await find(ctx, 'again'), [3]);
  });

  it('leaves nothing behind when the transaction fails', async () => {
    const { ctx } = await engine.openTestApp();

    const failing = transact(
      ctx,
      async (tx) => {
        await writeReleaseText(tx, [indexable({ doc_key: 1, title: 'needle' })]);
        assert.deepEqual(await find(tx, 'needle'), [1]);
        throw new Error('no');
      },
      'derived',
    );

    await assert.rejects(failing, /no/);
    assert.deepEqual(await find(ctx, 'needle'), []);
  });

  it('holds keys up to 2^53', async () => {
    const { ctx } = await engine.openTestApp();
    const last = Number.MAX_SAFE_INTEGER;

    await index(ctx, [indexable({ doc_key: last, title: 'needle' })]);

    assert.deepEqual(await find(ctx, 'needle'), [last]);
    assert.deepEqual(await find(ctx, 'needle', { maxKey: last - 1 }), []);
  });

  it('takes the largest and the strangest notes', async () => {
    const { ctx } = await engine.openTestApp();
    const syllables = Array.from({ length: 100_000 }, (_, i) => String.fromCodePoint(0x4e00 + (i % 40_000))).join(' ');
    const notes = [
      'a'.repeat(200_000),
      '\u{20000}'.repeat(100_000),
      syllables,
      Array.from({ length: 60_000 }, (_, i) => `x.${i}`).join(' '),
      'the '.repeat(50_000),
      '\u0000\u0001\ud800 \udc00 \ufffe \\ \' " : | & ! <-> () *',
      '\ufdfa'.repeat(10_000),
      `${"'".repeat(1000)}${'\\'.repeat(1000)}`,
    ];

    await index(
      ctx,
      notes.map((content, at) => indexable({ doc_key: at + 1, title: `needle ${content}`, content })),
    );

    assert.deepEqual(await find(ctx, 'needle'), [8, 7, 6, 5, 4, 3, 2, 1]);
    assert.deepEqual(await find(ctx, 'x.7'), [4]);
    assert.deepEqual(await find(ctx, 'aaaa'), [1]);
  });

  it('merges in the background until nothing is left to do', async () => {
    const { ctx } = await engine.openTestApp();
    for (let batch = 0; batch < 6; batch += 1) {
      await index(ctx, [indexable({ doc_key: batch + 1, title: `needle n${batch}` })]);
    }

    const merge = () => transact(ctx, (tx) => ctx.store.dialect.mergeFullText(tx.tx, 64), 'bookkeeping');
    const steps: boolean[] = [];
    do steps.push(await merge());
    while (steps.at(-1) && steps.length < 20);

    assert.equal(steps.at(-1), false);
    assert.equal(steps[0], engine.name === 'sqlite');
    assert.deepEqual(await find(ctx, 'needle'), [6, 5, 4, 3, 2, 1]);
  });
});
