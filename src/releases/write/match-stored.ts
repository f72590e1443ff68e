// Finds the stored release of each draft in a batch.
import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { foldTitle, type ItemKeys } from '../../domain/release-identity.ts';
import { factsOf } from '../../domain/source-types.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { together } from '../../store/pipeline.ts';
import type { AuthoredReleaseRow, ReleaseRow } from '../../store/schema/releases.ts';
import { authoredAmong } from '../authored.ts';
import type { Draft } from './draft.ts';

interface StoredMatches {
  find(keys: ItemKeys): ReleaseRow | null;
  isDeleted(keys: ItemKeys): boolean;
  // Of a release that its author has published here.
  authorOf(row: ReleaseRow): AuthoredReleaseRow | null;
  // Only for scrape sources: a page that repeats an entry under a new URL adds nothing.
  repeatsStored(draft: Draft): boolean;
}

export async function matchStored(
  ctx: WriteContext,
  { sourceInOrg, drafts, keys }: { sourceInOrg: SourceInOrg; drafts: readonly Draft[]; keys: readonly ItemKeys[] },
): Promise<StoredMatches> {
  const { isRepository, mayRepeatEntries } = factsOf(sourceInOrg.source.type);
  const byKey = new Map<string, ReleaseRow>();
  const byGuid = new Map<string, ReleaseRow>();
  const identityKeys = [...new Set(keys.flatMap((key) => [key.key, key.versionKey ?? key.key]))];
  const guids = [...new Set(keys.flatMap((key) => key.guid ?? []))];
  const sourceId = sourceInOrg.source.id;
  const [withKey, withGuid, byVersion, deleted, titles, authored] = await together([
    releasesWhere(ctx, sourceId, { column: 'identity_key', values: identityKeys }),
    releasesWhere(ctx, sourceId, { column: 'guid', values: guids }),
    versionsOfOlderOrigin(ctx, sourceInOrg, drafts),
    deletedKeys(ctx, sourceId, identityKeys),
    mayRepeatEntries ? rowsWithTitles(ctx, sourceId, drafts) : new Set<string>(),
    authoredAmong(ctx, sourceId, drafts),
  ]);
  for (const row of withKey) byKey.set(row.identity_key, row);
  for (const row of withGuid) if (row.guid) byGuid.set(row.guid, row);
  return {
    find(key) {
      const exact = byKey.get(key.key) ?? (key.guid === null ? undefined : byGuid.get(key.guid));
      if (exact) return exact;
      if (key.versionKey === null) return null;
      const byAuthor = authored.byVersion.get(key.versionKey);
      if (byAuthor) return byAuthor;
      if (isRepository) return byVersion.get(key.versionKey) ?? null;
      return key.hasAddress ? null : (byKey.get(key.versionKey) ?? null);
    },
    isDeleted: (key) => deleted.has(key.key),
    authorOf: ({ id }) => authored.byId.get(id) ?? null,
    repeatsStored: (draft) => titles.size > 0 && titles.has(titleAndBody(draft)),
  };
}

// A release of a repository may be known from its tag or changelog before it gets a Release object.
async function versionsOfOlderOrigin(
  ctx: WriteContext,
  sourceInOrg: SourceInOrg,
  drafts: readonly Draft[],
): Promise<Map<string, ReleaseRow>> {
  const found = new Map<string, ReleaseRow>();
  const versioned = drafts.some((draft) => draft.version !== null);
  if (!factsOf(sourceInOrg.source.type).isRepository || !versioned) return found;
  const wanted = new Set(drafts.flatMap((draft) => (draft.version === null ? [] : versionIdentity(draft.version))));
  const candidates = await ctx.tx
    .selectFrom('releases')
    .select(['id', 'version'])
    .where('source_id', '=', sourceInOrg.source.id)
    // The origins are literals, so that the partial index applies.
    .where(sql<boolean>`origin IN ('tag', 'changelog')`)
    .execute();
  const ids = candidates.filter((row) => row.version && wanted.has(versionIdentity(row.version))).map((row) => row.id);
  if (ids.length === 0) return found;
  for (const row of await ctx.tx.selectFrom('releases').selectAll().where('id', 'in', ids).execute()) {
    found.set(`v:${versionIdentity(row.version ?? '')}`, row);
  }
  return found;
}

async function deletedKeys(ctx: WriteContext, sourceId: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await ctx.tx
    .selectFrom('deleted_releases')
    .select('identity_key')
    .where('source_id', '=', sourceId)
    .where('identity_key', 'in', keys)
    .execute();
  return new Set(rows.map((row) => row.identity_key));
}

async function rowsWithTitles(ctx: WriteContext, sourceId: string, drafts: readonly Draft[]): Promise<Set<string>> {
  const lengths = [...new Set(drafts.map((draft) => draft.content.length))];
  if (lengths.length === 0) return new Set();
  const rows = await ctx.tx
    .selectFrom('releases')
    .select(['title', 'content'])
    .where('source_id', '=', sourceId)
    .where('content_chars', 'in', lengths)
    .execute();
  return new Set(rows.map(titleAndBody));
}

function titleAndBody(entry: { title: string; content: string }): string {
  return `${foldTitle(entry.title)}\n${entry.content}`;
}

// Releases of a source, hidden and suppressed ones included, by one of their identifying columns.
export async function releasesWhere(
  ctx: WriteContext,
  sourceId: string,
  { column, values }: { column: 'id' | 'identity_key' | 'guid'; values: readonly string[] },
): Promise<ReleaseRow[]> {
  if (values.length === 0) return [];
  return ctx.tx
    .selectFrom('releases')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where(column, 'in', values)
    .execute();
}
