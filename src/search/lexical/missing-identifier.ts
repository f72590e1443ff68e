import type { Context } from '../../context.ts';
import type { SearchQuery } from '../../domain/search-text/search-query.ts';
import type { FullTextIndex } from '../../store/dialect.ts';
import { countGroup } from './document-counts.ts';

const INDEXES: readonly FullTextIndex[] = ['releases', 'chunks'];

/** Whether a name that means something only as a whole stands in no document, written in any way that counts as it. */
export async function isIdentifierMissing(ctx: Context, { groups }: SearchQuery): Promise<boolean> {
  const names = groups.filter(({ sort }) => sort === 'hard');
  const missing = await Promise.all(
    names.map(async ({ loose }) => {
      const counts = await Promise.all(INDEXES.map((index) => countGroup(ctx, index, loose)));
      return counts.every(({ docs }) => docs === 0);
    }),
  );
  return missing.includes(true);
}
