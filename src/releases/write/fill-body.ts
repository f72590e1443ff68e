// Replaces the teaser of a source by a fuller body from elsewhere. The source's own text stays the reference for
// changes, so that the next fetch does not undo it.

import { type Context, queries, type WriteContext } from '../../context.ts';
import type { MediaItem } from '../../contract/release.ts';
import { MAX_MEDIA } from '../../domain/html/media.ts';
import { sourceById } from '../../entities/resolve.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import { authorsOf } from '../authored.ts';
import { noteChange } from '../figures.ts';
import { textColumns, unpinned } from '../release-columns.ts';
import { reviseRelease } from './revise.ts';
import { RowBuilder } from './row-builder.ts';

interface BodyFilling {
  sourceId: string;
  releaseId: string;
  // The stored text that the fuller body replaces.
  teaser: string;
  content: string;
  media: readonly MediaItem[];
}

// Writes no revision and no event. Returns false when the release has changed meanwhile, or when its text is pinned.
export async function fillBody(ctx: WriteContext, filling: BodyFilling): Promise<boolean> {
  const { sourceId, content } = filling;
  await ctx.store.dialect.lock(ctx.tx, `source:${sourceId}`);
  const found = await findFilled(ctx, filling);
  if (!found) return false;
  const { sourceInOrg, stored } = found;
  const pinned = new Set<string>(parseJson(stored.pinned));
  if (pinned.has('content')) return false;

  const rows = new RowBuilder(ctx, sourceInOrg);
  const { title, version: text, published_at: publishedAt } = stored;
  const version = rows.versionOf({ version: text, prerelease: stored.prerelease === 1 });
  const type = pinned.has('type') ? stored.type : await rows.typeOf({ title, content });
  const body = { title, content, publishedAt };
  const derived = await rows.derive({ ...body, version, type, origin: stored.origin });
  const known = parseJson(stored.media);
  const added = filling.media.filter(({ url }) => !known.some((one) => one.url === url));
  const media = pinned.has('media') ? known : [...known, ...added].slice(0, MAX_MEDIA);
  await reviseRelease(ctx, sourceInOrg, {
    stored,
    changed: ['content'],
    cause: null,
    changes: {
      ...(await textColumns(ctx, body, { version: text })),
      ...unpinned(derived, stored),
      type,
      media: toJson(media),
      embedded_at: null,
    },
  });
  await noteChange(ctx, sourceId);
  return true;
}

// Works out what a long body needs, before the transaction that fills it in opens. The context is one with results.
export async function prepareBody(ctx: Context, filling: BodyFilling): Promise<void> {
  const found = await findFilled(ctx, filling);
  if (!found) return;
  const { title, version, prerelease, origin, type, pinned } = found.stored;
  await new RowBuilder(ctx, found.sourceInOrg).prepare({
    title,
    content: filling.content,
    version,
    prerelease: prerelease === 1,
    origin,
    type: parseJson(pinned).includes('type') ? type : undefined,
  });
}

// Null when the release has changed meanwhile, or its author wrote it here.
async function findFilled(ctx: Context, { sourceId, releaseId, teaser }: BodyFilling) {
  const sourceInOrg = await sourceById(ctx, sourceId);
  const stored = await queries(ctx).selectFrom('releases').selectAll().where('id', '=', releaseId).executeTakeFirst();
  if (!sourceInOrg || stored?.content !== teaser) return null;
  return (await authorsOf(ctx, [releaseId])).has(releaseId) ? null : { sourceInOrg, stored };
}
