import { sql } from 'kysely';
import { type Context, now, type WriteContext } from '../../../context.ts';
import { contentTier, TIER_NUMBERS } from '../../../domain/embedding/content-tier.ts';
import { releaseText, textHash } from '../../../domain/embedding/document-text.ts';
import type { VectorKind } from '../../../ports.ts';
import { updateMany } from '../../../store/update-many.ts';
import type { Document, DocumentSource, WalkStep } from './document.ts';

// The most characters of a body that are read; they hold enough text even with much markup.
const READ_CHARS = 16_000;
const WALK_ROWS = 1_000;

export function releaseSource(ctx: Context): DocumentSource {
  return {
    kind: 'release',
    async fresh(_space, limit) {
      const rows = await texts(ctx)
        .where('embedded_at', 'is', null)
        .where('listing', '>', 0)
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute();
      return rows.map(documentOf);
    },
    walk: (space, after, most) => walk(ctx, space, Number(after || 0), most),
    mark,
  };
}

function texts({ store }: Context) {
  return store.read
    .selectFrom('releases')
    .select(['seq', 'id', 'title', 'version', 'summary', 'listing', 'updated_at'])
    .select(sql<string>`substr(content, 1, ${sql.lit(READ_CHARS)})`.as('content'));
}

interface ReleaseTextRow {
  seq: number;
  id: string;
  title: string;
  version: string | null;
  summary: string;
  content: string;
  listing: number;
  updated_at: string;
}

function documentOf(row: ReleaseTextRow): Document {
  return {
    key: row.seq,
    ref: row.id,
    text: row.listing > 0 ? releaseText(row) : null,
    tier: TIER_NUMBERS[contentTier(row.content)],
    updatedAt: row.updated_at,
  };
}

// Bodies are read only for releases that may need a vector.
async function walk(ctx: Context, space: string, after: number, most: number): Promise<WalkStep> {
  const rows = await ctx.store.read
    .selectFrom('releases as r')
    .leftJoin('vectors as v', (join) =>
      join.on('v.space', '=', space).on('v.kind', '=', 'release').onRef('v.key', '=', 'r.seq'),
    )
    .select(['r.seq', 'r.listing', 'r.updated_at', 'r.embedded_at', 'v.deleted', 'v.changed_at', 'v.text_hash'])
    .where('r.seq', '>', after)
    .orderBy('r.seq')
    .limit(WALK_ROWS)
    .execute();
  const suspects = rows.filter(({ listing, updated_at, embedded_at, deleted, changed_at }) => {
    const lives = deleted === 0;
    if (listing <= 0) return lives;
    // Releases that were never processed are found by `fresh`, so the walk skips them.
    return embedded_at !== null && (!lives || updated_at > (changed_at ?? ''));
  });
  const keys = suspects.slice(0, most).map(({ seq }) => seq);
  const end = rows.length < WALK_ROWS ? null : (rows.at(-1)?.seq ?? null);
  const last = suspects.length > most ? (keys.at(-1) ?? null) : end;
  const found = keys.length === 0 ? [] : await texts(ctx).where('seq', 'in', keys).execute();
  const hashes = new Map(suspects.map(({ seq, deleted, text_hash }) => [seq, deleted === 0 ? text_hash : null]));
  const documents = found.map(documentOf).filter(({ key, text }) => {
    const stored = hashes.get(key ?? 0) ?? null;
    return stored !== (text === null ? null : textHash(text));
  });
  const strays = await straysBetween(ctx, { space, kind: 'release', after, last }, (keysLeft) =>
    ctx.store.read
      .selectFrom('releases')
      .select('seq as key')
      .where(ctx.store.dialect.amongKeys('seq', keysLeft))
      .execute(),
  );
  return { documents, strays, next: last === null ? null : String(last) };
}

// A hidden release counts as not processed, so it is fresh again once it is shown.
async function mark(ctx: WriteContext, documents: readonly Document[]): Promise<void> {
  const at = now(ctx);
  const changes = documents.map(({ ref, updatedAt }) => ({
    where: { id: ref, updated_at: updatedAt },
    set: { embedded_at: at },
  }));
  await updateMany(ctx.tx, 'releases', changes);
  const keys = documents.flatMap(({ key }) => (key === null ? [] : [key]));
  if (keys.length === 0) return;
  await ctx.tx
    .updateTable('releases')
    .set({ embedded_at: null })
    .where('seq', 'in', keys)
    .where('listing', '<=', 0)
    .where('embedded_at', 'is not', null)
    .execute();
}

// Vectors whose documents no longer exist.

interface VectorKeyRange {
  space: string;
  kind: VectorKind;
  after: number;
  // Null for a range without an upper end.
  last: number | null;
}

const MAX_STRAYS = 2_000;

export async function straysBetween(
  { store }: Context,
  { space, kind, after, last }: VectorKeyRange,
  existing: (keys: readonly number[]) => Promise<{ key: number }[]>,
): Promise<number[]> {
  let query = store.read
    .selectFrom('vectors')
    .select('key')
    .where('space', '=', space)
    .where('kind', '=', kind)
    .where('key', '>', after)
    .where('deleted', '=', 0);
  if (last !== null) query = query.where('key', '<=', last);
  const keys = (await query.orderBy('key').limit(MAX_STRAYS).execute()).map(({ key }) => key);
  if (keys.length === 0) return [];
  const there = new Set((await existing(keys)).map(({ key }) => key));
  return keys.filter((key) => !there.has(key));
}
