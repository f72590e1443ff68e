// Sources of the demo registry with their releases, changelog files and the log of their fetches.
import { storeChangelogFile } from '../catalog/changelog-files/store-file.ts';
import { draftFromInput } from '../catalog/releases/draft.ts';
import { writeDrafts } from '../catalog/releases/write-drafts.ts';
import { resolveSource } from '../catalog/resolve.ts';
import { createSource } from '../catalog/sources/create.ts';
import type { WriteContext } from '../context.ts';
import { newId } from '../domain/ids.ts';
import { toJson } from '../store/json-text.ts';
import { changelogFilesOf, fetchLogOf, stateOf } from './activity.ts';
import { at } from './load-orgs.ts';
import type { DemoSource } from './registry.ts';

const BATCH = 500;

interface LoadedSource {
  id: string;
  // Ids of the releases in the order of the rows; null where a row was not taken.
  releases: (string | null)[];
}

export async function loadSource(
  ctx: WriteContext,
  source: DemoSource,
  { today, place }: { today: number; place: number },
): Promise<LoadedSource> {
  const { key, notice, stars, health, releases, changelogs, packages, addedAt, ...creation } = source;
  // Nothing of the demo exists outside; orgs are paused as a whole, sources without one by themselves.
  const fetchPriority = source.orgSlug === undefined ? 'paused' : source.fetchPriority;
  const { id } = await createSource(at(ctx, addedAt), { ...creation, fetchPriority });
  const log = fetchLogOf(source, { today, place });
  await ctx.tx
    .updateTable('sources')
    .set({ ...stateOf(source, log, today), notice: notice ? toJson(notice) : null })
    .where('id', '=', id)
    .execute();
  const ids = await loadReleases(ctx, id, releases);
  for (const [index, file] of changelogFilesOf(source, today).entries()) {
    await storeChangelogFile(ctx, { sourceId: id, canonical: index === 0, ...file });
  }
  const rows = log.map((row) => ({ ...row, id: newId('fl', ctx.randomBytes), source_id: id }));
  if (rows.length > 0) await ctx.tx.insertInto('fetch_log').values(rows).execute();
  return { id, releases: ids };
}

async function loadReleases(ctx: WriteContext, sourceId: string, releases: DemoSource['releases']) {
  const sourceInOrg = await resolveSource(ctx, { src: sourceId });
  const ids: (string | null)[] = [];
  for (let start = 0; start < releases.length; start += BATCH) {
    const rows = releases.slice(start, start + BATCH);
    const drafts = rows.map(({ fetchedAt, covers, ...row }) => ({ ...draftFromInput(row), firstSeenAt: fetchedAt }));
    const { items } = await writeDrafts(ctx, { sourceInOrg, drafts, writtenBy: 'import' });
    ids.push(...items.map((item) => item.id));
  }
  return ids;
}
