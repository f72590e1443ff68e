// Changes a stored release: the old values become a revision, and full-text row, embedding, order time and listing are
// updated.
import { now, type WriteContext } from '../../context.ts';
import type { RevisionCause } from '../../contract/enums.ts';
import { newId } from '../../domain/ids.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { toJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { removeReleaseText, writeReleaseText } from '../indexing/release-text.ts';
import { changesVerdict, listingOf } from '../release-columns.ts';
import { docKeyOf, freeDocKey, indexable } from './full-text.ts';

const KEPT_REVISIONS = 50;
// A change of these columns makes the embedding stale.
const EMBEDDED = ['title', 'version', 'summary', 'content'] as const;

interface ReleaseRevision {
  stored: ReleaseRow;
  changes: Partial<ReleaseRow>;
  // The wire names of the changed fields.
  changed: readonly string[];
  // Null stores no revision: the text replaces a body that was hardly there.
  cause: RevisionCause | null;
}

export async function reviseRelease(
  ctx: WriteContext,
  sourceInOrg: SourceInOrg,
  revision: ReleaseRevision,
): Promise<ReleaseRow> {
  const { stored } = revision;
  const at = now(ctx);
  const next: ReleaseRow = { ...stored, ...revision.changes, updated_at: at };
  next.feed_at = await orderTimeOf(ctx, stored, next.published_at);
  next.listing = listingOf(next, sourceInOrg.visible);
  if (EMBEDDED.some((column) => next[column] !== stored[column])) next.embedded_at = null;
  if (next.published_at !== stored.published_at) {
    next.doc_key = await freeDocKey(ctx, docKeyOf(next.published_at, stored.fetched_at, stored.seq), stored.id);
  }
  const { changed, cause } = revision;
  if (cause !== null) {
    await keepRevision(ctx, { stored, changed, cause }, at);
    next.revision_count = Math.min(stored.revision_count + 1, KEPT_REVISIONS);
  }
  await replaceFullText(ctx, sourceInOrg, stored, next);
  const { seq, id, source_id, fetched_at, ...columns } = next;
  await ctx.tx.updateTable('releases').set(columns).where('id', '=', id).execute();
  // A newer parser corrects nothing that its author said.
  if (cause !== 'reparse' && changesVerdict(stored, next)) await ctx.ports.webhooks.noteReclassified(ctx, [id]);
  return next;
}

async function keepRevision(
  ctx: WriteContext,
  { stored, changed, cause }: Omit<ReleaseRevision, 'changes' | 'cause'> & { cause: RevisionCause },
  at: string,
): Promise<void> {
  await ctx.tx
    .insertInto('release_revisions')
    .values({
      id: newId('rev', ctx.randomBytes),
      release_id: stored.id,
      replaced_at: at,
      cause,
      changed: toJson(changed),
      title: stored.title,
      content: stored.content,
      version: stored.version,
      published_at: stored.published_at,
      prerelease: stored.prerelease,
      content_hash: stored.content_hash,
      previous_updated_at: stored.updated_at,
    })
    .execute();
  if (stored.revision_count < KEPT_REVISIONS) return;
  const oldest = ctx.tx
    .selectFrom('release_revisions')
    .select('id')
    .where('release_id', '=', stored.id)
    .orderBy('replaced_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1000)
    .offset(KEPT_REVISIONS);
  await ctx.tx.deleteFrom('release_revisions').where('id', 'in', oldest).execute();
}

async function replaceFullText(
  ctx: WriteContext,
  sourceInOrg: SourceInOrg,
  stored: ReleaseRow,
  next: ReleaseRow,
): Promise<void> {
  const shown = next.listing > 0;
  if (stored.indexed && (!shown || next.doc_key !== stored.doc_key)) {
    await removeReleaseText(ctx, [stored.doc_key]);
  }
  if (shown) await writeReleaseText(ctx, [indexable(next, sourceInOrg)]);
  next.indexed = shown ? 1 : 0;
}

// A release is ordered in feeds by its date; an undated one that was announced when it was inserted by its `fetchedAt`,
// like its event; any other has no order time and comes last.
async function orderTimeOf(ctx: WriteContext, stored: ReleaseRow, publishedAt: string | null): Promise<string> {
  if (publishedAt !== null) return publishedAt;
  if (stored.published_at === null) return stored.feed_at;
  return (await ctx.ports.webhooks.eventExists(ctx, stored.id)) ? stored.fetched_at : '';
}
