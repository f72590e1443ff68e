// The sections of upgrade guides about breaking releases, for the steps of a range.
import { type Context, queries } from '../../context.ts';

// As many ids a statement as every engine takes.
const IDS = 500;

export async function guideSectionsOf(ctx: Context, releaseIds: Iterable<string>): Promise<Map<string, string>> {
  const ids = [...new Set(releaseIds)];
  const sections = new Map<string, string>();
  for (let start = 0; start < ids.length; start += IDS) {
    const rows = await queries(ctx)
      .selectFrom('guide_notes')
      .select(['release_id', 'notes'])
      .where('release_id', 'in', ids.slice(start, start + IDS))
      .execute();
    for (const { release_id, notes } of rows) sections.set(release_id, notes);
  }
  return sections;
}
