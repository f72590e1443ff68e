// One release.created event for each release, written once in the transaction that shows the release.

import { releaseFields } from '../catalog/releases/release-fields.ts';
import type { WriteContext } from '../context.ts';
import { pick } from '../contract/pick.ts';
import { newId } from '../domain/ids.ts';
import { plainText } from '../domain/notes/index.ts';
import type { AnnouncedRelease } from '../ports.ts';
import { addToCounter } from '../store/counters.ts';
import { insertMany } from '../store/insert-many.ts';

export async function recordEvents(ctx: WriteContext, announced: readonly AnnouncedRelease[]): Promise<number> {
  const fresh = await withoutEvent(ctx, announced);
  if (fresh.length === 0) return 0;
  const ts = ctx.clock().getTime();
  // The counter row stays locked until the commit, so numbers have no gaps and rise in commit order.
  const last = await addToCounter(ctx.tx, 'event_seq', fresh.length);
  const rows = fresh.map((entry, index) => {
    const head = { id: newId('evt', ctx.randomBytes), seq: last - fresh.length + 1 + index, ts };
    const { release } = entry;
    return {
      ...head,
      type: 'release.created',
      release_id: release.id,
      org_id: release.org_id,
      product_id: release.product_id,
      source_id: release.source_id,
      payload: renderReleaseCreated(head, entry, ctx.config.webUrl),
      fanned_out_at: null,
    };
  });
  await insertMany(ctx.tx, 'events', rows);
  return rows.length;
}

export async function eventExists(ctx: WriteContext, releaseId: string): Promise<boolean> {
  const row = await ctx.tx.selectFrom('events').select('id').where('release_id', '=', releaseId).executeTakeFirst();
  return row !== undefined;
}

async function withoutEvent(ctx: WriteContext, announced: readonly AnnouncedRelease[]): Promise<AnnouncedRelease[]> {
  const ids = announced.map(({ release }) => release.id);
  if (ids.length === 0) return [];
  const known = await ctx.tx.selectFrom('events').select('release_id').where('release_id', 'in', ids).execute();
  const seen = new Set(known.map((row) => row.release_id));
  return announced.filter(({ release }) => !seen.has(release.id));
}

const MAX_BYTES = 20_480;
const MAX_MEDIA = 10;
const EXCERPT = 300;

interface EventHead {
  id: string;
  seq: number;
  ts: number;
  // Why an event comes later than others.
  reason?: 'reclassified';
}

// Renders the JSON body of release.created. That of an event is stored and never rendered again.
export function renderReleaseCreated(
  { reason, ...head }: EventHead,
  announced: AnnouncedRelease,
  webUrl: string,
): string {
  const { release, source, org, product } = announced;
  const fields = releaseFields(release, webUrl);
  const body = {
    ...head,
    type: 'release.created',
    ...(reason === undefined ? {} : { reason }),
    release: {
      ...pick(fields, 'id', 'title', 'version', 'publishedAt'),
      sourceName: source.name,
      sourceSlug: source.slug,
      sourceType: source.type,
      org,
      product,
      webUrl: fields.webUrl,
      summary: release.summary || plainText(release.content, EXCERPT) || null,
      ...pick(fields, 'titleGenerated', 'titleShort'),
      media: fields.media.slice(0, MAX_MEDIA),
      ...pick(fields, 'contentChars', 'contentTokens'),
      ...(fields.url ? { url: fields.url } : {}),
      ...pick(fields, 'type', 'breaking'),
      ...(fields.importance === null ? {} : { importance: fields.importance }),
      ...(release.proven === 1 ? { proven: true } : {}),
      ...pick(fields, 'security', 'prerelease'),
    },
  };
  return fitted(body);
}

// Media are removed first, from the end; then the summary is cut until the body fits.
function fitted(body: { release: { media: unknown[]; summary: string | null } }): string {
  let text = JSON.stringify(body);
  while (Buffer.byteLength(text) > MAX_BYTES && body.release.media.length > 0) {
    body.release.media.pop();
    text = JSON.stringify(body);
  }
  while (Buffer.byteLength(text) > MAX_BYTES && body.release.summary) {
    body.release.summary = body.release.summary.slice(0, Math.floor(body.release.summary.length / 2)) || null;
    text = JSON.stringify(body);
  }
  return text;
}
