import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource } from '../../../test/support/factories.ts';
import { type Context, transact } from '../../context.ts';
import type { SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { type ChunkText, removeChunkText, writeChunkText } from '../../releases/indexing/chunk-text.ts';
import { askChunks, NOW } from './test-support.ts';

const ORG = 'org_x';

// Numbers are keys.
const CHUNKS: Record<number, Partial<ChunkText>> = {
  1: { heading: 'Caching', content: 'It is faster.' },
  2: { heading: '2.1.0', version: '2.1.0', content: 'A cache for pages.' },
  3: { heading: '2.0.0', version: '2.0.0', content: 'Needs foo.bar() and CVE-2024-1.', orgId: ORG, kind: 'sdk' },
  4: { heading: null, content: `Unrelated \ue0feorg\ue03a${ORG}\ue0ff`, category: 'ai', sourceType: 'github' },
};

forEachEngine('chunks of changelog files', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock: movableClock(NOW) }));
    const { id: plain } = await createSource(ctx);
    const { id: sdk } = await createSource(ctx, { kind: 'sdk' });
    const { id: github } = await createSource(ctx, { type: 'github', url: 'https://github.com/a/chunks' });
    const ai = await createOrg(ctx, { category: 'ai' });
    await transact(ctx, async ({ tx }) => {
      const owner = await tx.selectFrom('orgs').selectAll().where('id', '=', ai.id).executeTakeFirstOrThrow();
      await tx
        .insertInto('orgs')
        .values({ ...owner, id: ORG, slug: 'x', category: null })
        .execute();
      await tx.updateTable('sources').set({ org_id: ORG, product_id: null }).where('id', '=', sdk).execute();
      await tx.updateTable('sources').set({ org_id: ai.id, product_id: null }).where('id', '=', github).execute();
    });
    const sourceOf = ({ orgId, category }: Partial<ChunkText>) => (orgId ? sdk : category ? github : plain);
    const chunks = Object.entries(CHUNKS).map(([key, fields]): ChunkText => {
      const none = { heading: null, version: null, orgId: null, productId: null, kind: null, category: null };
      return { docKey: Number(key), content: '', sourceId: sourceOf(fields), sourceType: 'feed', ...none, ...fields };
    });
    await transact(
      ctx,
      async (write) => {
        for (const { docKey, heading, version, content, sourceId } of chunks) {
          const place = { path: 'CHANGELOG.md', offset_chars: docKey, offset_bytes: docKey, section_offset: 0 };
          const size = { length_chars: content.length, length_bytes: content.length, tokens: 1 };
          const row = { seq: docKey, doc_key: docKey, source_id: sourceId, ...place, ...size, heading, version };
          await write.tx
            .insertInto('changelog_chunks')
            .values({ ...row, entry_date: null, text_hash: '', blank: 0 })
            .execute();
        }
        await writeChunkText(write, chunks);
      },
      'derived',
    );
  });

  const find = async (q: string, filter: Partial<SearchFilter> = {}) => {
    const all = { includePrereleases: false, includeCoverage: false, ...filter };
    const { hits } = await askChunks(ctx, { q, filter: all });
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
    ['needs', { since: '2026-05-31T00:00:00.000Z' }, [3]],
    // There is no release of its version that could be one.
    ['needs', { type: 'rollup' }, []],
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
