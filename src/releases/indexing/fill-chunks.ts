import { type Context, transact } from '../../context.ts';
import { withResults } from '../../threads/results.ts';
import { prepareRebuild, rebuildChunks } from './rebuild-chunks.ts';

const PAGE = 20;

// Cuts files that have no chunks yet, one transaction each. Returns how many files it cut.
export async function fillChunks(ctx: Context, signal?: AbortSignal): Promise<number> {
  let filled = 0;
  for (;;) {
    const files = await filesWithout(ctx);
    for (const file of files) {
      if (signal?.aborted) return filled;
      const ahead = withResults(ctx);
      await prepareRebuild(ahead, file);
      const chunks = await transact(ahead, (ctx) => rebuildChunks(ctx, file), 'derived');
      // Another worker has cut the file first, or it was removed.
      if (chunks === 0) return filled;
      filled += 1;
    }
    if (files.length < PAGE) return filled;
  }
}

async function filesWithout({ store }: Context): Promise<{ sourceId: string; path: string }[]> {
  return store.read
    .selectFrom('changelog_files as f')
    .select(['f.source_id as sourceId', 'f.path'])
    .where('f.total_chars', '>', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('changelog_chunks as c')
            .select('c.seq')
            .whereRef('c.source_id', '=', 'f.source_id')
            .whereRef('c.path', '=', 'f.path'),
        ),
      ),
    )
    .orderBy('f.source_id')
    .orderBy('f.path')
    .limit(PAGE)
    .execute();
}
