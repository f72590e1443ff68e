import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { type Context, transact } from '../../context.ts';
import { RETRIEVER_DEPTH } from '../../domain/retrieval/fusion.ts';
import type { CandidateQuery } from '../../store/dialect.ts';
import { insertMany } from '../../store/insert-many.ts';
import type { ChangelogChunkRow } from '../../store/schema/search.ts';
import { histogramOf, lowestKeyFor } from './index-counts.ts';
import { askChunks, NOW } from './test-support.ts';

describe('lowestKeyFor', () => {
  // One key in ten of a thousand documents, newest first.
  const histogram = histogramOf(
    Array.from({ length: 100 }, (_, at) => 1_000 - 10 * at),
    10,
  );

  it('reaches back as far as the work allows', () => {
    assert.equal(lowestKeyFor(histogram, { entries: 30_000 }), 0);
    assert.equal(lowestKeyFor(histogram, { entries: 60_000 }), 500);
    assert.equal(lowestKeyFor(histogram, { entries: 300_000 }), 900);
    assert.equal(lowestKeyFor(histogram, { entries: 300_000, work: 60_000 }), 800);
    assert.equal(lowestKeyFor(histogram, { entries: 300_000, from: 500 }), 390);
    assert.equal(lowestKeyFor(histogram, { entries: 60_000, from: 300 }), 0);
  });

  it('knows how many documents there are, and which share stands above a key', () => {
    assert.equal(histogram.docs, 1_000);
    assert.equal(histogram.shareAbove(1_000), 0.01);
    assert.equal(histogram.shareAbove(501), 0.5);
    assert.equal(histogram.shareAbove(0), 1);
    assert.equal(histogram.shareAbove(2_000), 0.01);
  });
});

const WORDS = ['common', 'usual', 'frequent', 'ordinary', 'regular', 'everyday'];

// The window of time that is looked at is decided before any engine is asked.
forEachEngine('a search for common words', (engine) => {
  if (engine.name !== 'sqlite') return;

  it('looks at no more documents when there are twice as many', async () => {
    const clock = movableClock(NOW);
    const { ctx } = await engine.openTestApp({ clock });
    const { id } = await createSource(ctx);
    const looks: number[] = [];
    for (const [first, last] of [
      [1, 16_000],
      [16_001, 32_000],
    ] as const) {
      await writeChunks(ctx, id, first, last);
      // What was counted before is forgotten after an hour.
      clock.move(2 * 3_600_000);
      const requested: CandidateQuery[] = [];
      const answer = await askChunks(recording(ctx, requested), {
        q: WORDS.join(' '),
        filter: { includePrereleases: false, includeCoverage: false },
      });
      assert.equal(answer.ranking, 'newest');
      assert.equal(answer.hits.length, RETRIEVER_DEPTH);
      const [{ minKey, maxKey }] = requested as [CandidateQuery];
      looks.push(Math.min(last, maxKey) - minKey);
    }

    const [small = 0, large = 0] = looks;
    assert.ok(large <= small * 1.1 && large >= small * 0.9, looks.join(' and '));
    assert.ok(small < 8_000, String(small));
  });
});

function recording(ctx: Context, requested: CandidateQuery[]): Context {
  const { dialect } = ctx.store;
  const findCandidates: typeof dialect.findCandidates = (db, query) => {
    requested.push(query);
    return dialect.findCandidates(db, query);
  };
  const store = Object.assign(Object.create(ctx.store), { dialect: { ...dialect, findCandidates } });
  return { ...ctx, store };
}

async function writeChunks(ctx: Context, sourceId: string, first: number, last: number): Promise<void> {
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  await transact(
    ctx,
    async ({ tx, store }) => {
      const rows = numbers.map(
        (seq): ChangelogChunkRow => ({
          seq,
          doc_key: seq,
          source_id: sourceId,
          path: 'CHANGELOG.md',
          offset_chars: seq,
          length_chars: 1,
          offset_bytes: seq,
          length_bytes: 1,
          tokens: 1,
          heading: null,
          section_offset: 0,
          version: null,
          entry_date: null,
          text_hash: '',
          blank: 0,
        }),
      );
      await insertMany(tx, 'changelog_chunks', rows);
      const text = { title: '', version: '', summary: '', content: WORDS.join(' '), tokens: '', scope: '' };
      await store.dialect.writeFullText(
        tx,
        'chunks',
        numbers.map((key) => ({ key, ...text })),
      );
    },
    'derived',
  );
}
