// Releases that their author has published here. What is fetched of them later is matched to them and replaces nothing; where it
// says something else, that is noted.
import { type Context, now, queries, type WriteContext } from '../context.ts';
import type { FeedItem, ReleaseDetail } from '../contract/release.ts';
import { contentHash, normalBody } from '../domain/release-identity.ts';
import { versionIdentity } from '../domain/versions/index.ts';
import { parseJson, toJson } from '../store/json-text.ts';
import type { AuthoredReleaseRow, ReleaseRow } from '../store/schema/releases.ts';
import type { Draft } from './write/draft.ts';

export async function authorsOf(ctx: Context, ids: readonly string[]): Promise<Map<string, AuthoredReleaseRow>> {
  if (ids.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('authored_releases')
    .selectAll()
    .where(ctx.store.dialect.amongIds('release_id', ids))
    .execute();
  return new Map(rows.map((row) => [row.release_id, row]));
}

export function authoredMark(
  { via, authored_at }: AuthoredReleaseRow,
  orgSlug: string | null,
): NonNullable<FeedItem['authored']> {
  return { by: orgSlug, via, at: authored_at };
}

export function differenceOf({
  differs_at,
  differing,
}: AuthoredReleaseRow): NonNullable<ReleaseDetail['authored']>['differs'] {
  return differs_at === null || differing === null ? null : { at: differs_at, fields: parseJson(differing) };
}

interface AuthoredMatches {
  byVersion: ReadonlyMap<string, ReleaseRow>;
  byId: ReadonlyMap<string, AuthoredReleaseRow>;
}

// Those of a source that have the versions of a batch.
export async function authoredAmong(
  ctx: WriteContext,
  sourceId: string,
  drafts: readonly Draft[],
): Promise<AuthoredMatches> {
  const authored = await ctx.tx.selectFrom('authored_releases').selectAll().where('source_id', '=', sourceId).execute();
  const byId = new Map(authored.map((row) => [row.release_id, row]));
  const byVersion = new Map<string, ReleaseRow>();
  if (byId.size === 0) return { byVersion, byId };
  const wanted = new Set(drafts.flatMap(({ version }) => (version === null ? [] : versionIdentity(version))));
  const versions = await ctx.tx
    .selectFrom('releases')
    .select(['id', 'version'])
    .where(ctx.store.dialect.amongIds('id', [...byId.keys()]))
    .execute();
  const ids = versions.filter(({ version }) => version && wanted.has(versionIdentity(version))).map(({ id }) => id);
  if (ids.length === 0) return { byVersion, byId };
  const rows = await ctx.tx.selectFrom('releases').selectAll().where(ctx.store.dialect.amongIds('id', ids)).execute();
  for (const row of rows) byVersion.set(`v:${versionIdentity(row.version ?? '')}`, row);
  return { byVersion, byId };
}

export async function markAuthored(ctx: WriteContext, { id, source_id }: Pick<ReleaseRow, 'id' | 'source_id'>) {
  const mark = { via: 'token' as const, by_name: ctx.caller.name, authored_at: now(ctx) };
  const nothing = { differs_at: null, differing: null, differing_hash: null };
  await ctx.tx
    .insertInto('authored_releases')
    .values({ release_id: id, source_id, ...mark, ...nothing })
    .onConflict((conflict) => conflict.column('release_id').doUpdateSet({ ...mark, ...nothing }))
    .execute();
}

interface FetchedAgain {
  stored: ReleaseRow;
  draft: Draft;
  author: AuthoredReleaseRow;
}

// Addresses that the author did not give are taken over.
export async function noteDifference(ctx: WriteContext, { stored, draft, author }: FetchedAgain): Promise<void> {
  const differing = differingFields(stored, draft);
  const hash = differing.length === 0 ? null : contentHash(draft);
  if (hash !== author.differing_hash) {
    const noted =
      hash === null
        ? { differs_at: null, differing: null, differing_hash: null }
        : { differs_at: now(ctx), differing: toJson(differing), differing_hash: hash };
    await ctx.tx.updateTable('authored_releases').set(noted).where('release_id', '=', stored.id).execute();
  }
  const address = { url: stored.url ?? draft.url, guid: stored.guid ?? draft.guid };
  if (address.url === stored.url && address.guid === stored.guid) return;
  await ctx.tx.updateTable('releases').set(address).where('id', '=', stored.id).execute();
}

// A source that says less, such as a tag without notes, says nothing else.
function differingFields(stored: ReleaseRow, { title, content, version }: Draft): string[] {
  const isOwnTitle = title.trim() !== '' && title !== version && title.trim() !== stored.title.trim();
  const isOwnText = content.trim() !== '' && normalBody(content) !== normalBody(stored.content);
  return [...(isOwnTitle ? ['title'] : []), ...(isOwnText ? ['content'] : [])];
}
