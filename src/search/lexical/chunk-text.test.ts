import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { type Context, transact } from '../../context.ts';
import type { SearchFilter } from '../../domain/search-legs.ts';
import { type ChunkText, removeChunkText, searchChunks, writeChunkText } from './index.ts';
import { NOW } from './test-support.ts';

// Numbers are keys.
const CHUNKS: Record<number, Partial<ChunkText>> = {
  1: { heading: 'Caching', content: 'It is faster.' },
  2: { heading: '2.1.0', version: '2.1.0', content: 'A cache for pages.' },
  3: { heading: '2.0.0', version: '2.0.0', content: 'Needs foo.bar() and CVE-2024-1.', orgId: 'org_x', kind: 'sdk' },
  4: { heading: null, content: 'Unrelated \ue0feorg\ue03aorg_x\ue0ff', category: 'ai', sourceType: 'github' },
};

forEachEngine('chunks of changelog files', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock: movableClock(NOW) }));
    const { id: sourceId } = await createSource(ctx);
    const chunks = Object.entries(CHUNKS).map(([key, fields]): ChunkText => {
      const none = { heading: null, version: null, orgId: null, productId: null, kind: null, category: null };
      return { docKey: Number(key), content: '', sourceId, sourceType: 'feed', ...none, ...fields };
    });
    await transact(
      ctx,
      async (write) => {
        for (const { docKey, heading, version, content } of chunks) {
          const place = { path: 'CHANGELOG.md', offset_chars: docKey, offset_bytes: docKey, section_offset: 0 };
          const size = { length_chars: content.length, length_bytes: content.length, tokens: 1 };
          const row = { seq: docKey, doc_key: docKey, source_id: sourceId, ...place, ...size, heading, version };
          await write.tx
            .insertInto('changelog_chunks')
            .values({ ...row, entry_date: null, text_hash: '' })
            .execute();
        }
        await writeChunkText(write, chunks);
      },
      'derived',
    );
  });

  const find = async (q: string, filter: Partial<SearchFilter> = {}) => {
    const all = { includePrereleases: false, includeCoverage: false, ...filter };
    const { hits } = await searchChunks(ctx, { q, filter: all, limit: 10 });
    return hits.map(({ docKey }) => docKey);
  };

  const cases: [string, Partial<SearchFilter>, number[]][] = [
    ['cache', {}, [1, 2]],
    ['foo.bar', {}, [3]],
    ['cve-2024-1', {}, [3]],
    ['2.1', {}, [2]],
    ['org_x', {}, []],
    ['needs', { orgIds: ['org_x'] }, [3]],
    ['unrelated', { orgIds: ['org_x'] }, []],
    ['needs', { kinds: ['sdk'] }, [3]],
    ['needs', { kinds: ['tool'] }, []],
    ['unrelated', { categories: ['ai'], sourceTypes: ['github'] }, [4]],
    ['unrelated', { excludedSourceTypes: ['github'] }, []],
    ['needs', { type: 'rollup', since: '2026-05-31T00:00:00.000Z' }, [3]],
  ];
  for (const [q, filter, keys] of cases) {
    it(`${q} ${JSON.stringify(filter)}: ${keys.join(', ') || 'none'}`, async () => {
      assert.deepEqual(await find(q, filter), keys);
    });
  }

  it('are found no more when they are gone', async () => {
    await transact(ctx, (write) => removeChunkText(write, [2, 99]), 'derived');

    assert.deepEqual(await find('cache'), [1]);
  });
});
