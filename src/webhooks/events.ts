// One release.created event for each release, written once in the transaction that shows the release.

import { sql } from 'kysely';
import type { WriteContext } from '../context.ts';
import { newId } from '../domain/ids.ts';
import { plainText } from '../domain/notes/index.ts';
import { pick } from '../domain/records.ts';
import type { AnnouncedRelease } from '../ports.ts';
import { releaseFields } from '../releases/release-fields.ts';
import { counterStatement } from '../store/counters.ts';
import { insertStatements } from '../store/insert-many.ts';
import { holdToEnd, sendHeld } from '../store/pipeline.ts';

const COUNTER = 'event_seq';
const COLUMNS = [
  'id',
  'seq',
  'ts',
  'type',
  'release_id',
  'org_id',
  'product_id',
  'source_id',
  'payload',
  'fanned_out_at',
] as const;

// The counter row stays locked until the commit, so numbers have no gaps and rise in commit order. Every other writer of
// events waits for that, so the database itself writes the numbers, at the end of the transaction.
export async function recordEvents(
  ctx: WriteContext,
  announced: readonly AnnouncedRelease[],
  { justInserted = false }: { justInserted?: boolean } = {},
): Promise<number> {
  const fresh = justInserted ? announced : await withoutEvent(ctx, announced);
  if (fresh.length === 0) return 0;
  const ts = ctx.clock().getTime();
  const rows = fresh.map((entry, index) => {
    const id = newId('evt', ctx.randomBytes);
    const { release } = entry;
    const { id: releaseId, org_id, product_id, source_id } = release;
    // The last of them has the number that the counter says.
    const offset = index + 1 - fresh.length;
    const [head, tail] = aroundSeq(renderReleaseCreated({ id, seq: WIDEST_SEQ, ts }, entry, ctx.config.webUrl));
    return [id, offset, ts, 'release.created', releaseId, org_id, product_id, source_id, head, offset, tail, null];
  });
  const last = sql`(SELECT value FROM counters WHERE name = ${sql.lit(COUNTER)})`;
  const values = sql`${0}, ${last} + ${0}, ${0}, ${0}, ${0}, ${0}, ${0}, ${0},
    ${0} || CAST(${last} + ${0} AS text) || ${0}, ${0}`;
  holdToEnd(ctx.tx, [
    counterStatement(ctx.tx, COUNTER, fresh.length),
    ...insertStatements(ctx.tx, { table: 'events', columns: COLUMNS, rows, values }),
  ]);
  return rows.length;
}

// Stands in a payload for its number. A payload that is as long as allowed then has room for any.
const WIDEST_SEQ = Number.MAX_SAFE_INTEGER;
const SEQ = `"seq":${WIDEST_SEQ}`;

// What stands before and after the number.
function aroundSeq(payload: string): [string, string] {
  const at = payload.indexOf(SEQ);
  return [payload.slice(0, at + SEQ.length - String(WIDEST_SEQ).length), payload.slice(at + SEQ.length)];
}

export async function eventExists(ctx: WriteContext, releaseId: string): Promise<boolean> {
  await sendHeld(ctx.tx);
  const row = await ctx.tx.selectFrom('events').select('id').where('release_id', '=', releaseId).executeTakeFirst();
  return row !== undefined;
}

async function withoutEvent(ctx: WriteContext, announced: readonly AnnouncedRelease[]): Promise<AnnouncedRelease[]> {
  const ids = announced.map(({ release }) => release.id);
  if (ids.length === 0) return [];
  await sendHeld(ctx.tx);
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
