import { type Context, queries, type WriteContext } from '../../context.ts';
import { docKey } from '../../domain/search-text/doc-key.ts';
import { isVisibleSource } from '../../domain/visibility.ts';
import type { ChunkOwner } from '../../ports.ts';
import { insertMany } from '../../store/insert-many.ts';
import type { ChangelogChunkRow } from '../../store/schema/search.ts';
import { MAX_INLINE_CHARS } from '../../threads/documents.ts';
import { resultOf } from '../../threads/results.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { type ChunkDraft, chunkCutting } from './chunk-drafts.ts';
import { chunkText, removeChunkText, writeChunkText } from './chunk-text.ts';

// Updates the chunks of a file after its text has changed or was removed. Returns how many there are.
export async function rebuildChunks(ctx: WriteContext, file: ChangelogFileKey): Promise<number> {
  const owner = await findChunkOwner(ctx, file.sourceId);
  const stored = await storedChunks(ctx, file);
  const text = owner === null ? null : await textOf(ctx, file);
  if (owner === null || text === null) {
    await removeRows(ctx, file, stored);
    return 0;
  }
  const drafts = await resultOf(ctx, cuttingOf(ctx, owner, text));
  await removeRows(ctx, file, []);
  const rows = await rowsOf(ctx, { file, owner, drafts, stored });
  await insertMany(ctx.tx, 'changelog_chunks', rows);
  await settleTexts(ctx, { owner, text, stored, rows });
  return rows.length;
}

type Owner = Pick<ChunkOwner, 'source' | 'org' | 'product'>;

function cuttingOf(ctx: Context, { org, product, source }: Owner, text: string) {
  const names = [org?.name, product?.name, source.name].filter((name) => name !== undefined);
  return chunkCutting({ text, names, now: ctx.clock() });
}

// Cuts a long text before the transaction that stores it.
export async function prepareChunks(ctx: Context, owner: Owner, text: string): Promise<void> {
  if (text.length > MAX_INLINE_CHARS) await resultOf(ctx, cuttingOf(ctx, owner, text));
}

// The same for a text that is stored.
export async function prepareRebuild(ctx: Context, file: ChangelogFileKey): Promise<void> {
  const owner = await findChunkOwner(ctx, file.sourceId);
  const text = owner && (await textOf(ctx, file));
  if (owner && text) await prepareChunks(ctx, owner, text);
}

async function textOf(ctx: Context, { sourceId, path }: ChangelogFileKey): Promise<string | null> {
  const row = await queries(ctx)
    .selectFrom('changelog_files')
    .select('content')
    .where('source_id', '=', sourceId)
    .where('path', '=', path)
    .executeTakeFirst();
  return row?.content ?? null;
}

function storedChunks(ctx: WriteContext, { sourceId, path }: ChangelogFileKey): Promise<ChangelogChunkRow[]> {
  return ctx.tx
    .selectFrom('changelog_chunks')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('path', '=', path)
    .orderBy('offset_chars')
    .execute();
}

async function removeRows(
  ctx: WriteContext,
  { sourceId, path }: ChangelogFileKey,
  unindex: readonly ChangelogChunkRow[],
) {
  await removeChunkText(
    ctx,
    unindex.map((row) => row.doc_key),
  );
  await ctx.tx.deleteFrom('changelog_chunks').where('source_id', '=', sourceId).where('path', '=', path).execute();
}

interface Settling {
  owner: ChunkOwner;
  text: string;
  stored: readonly ChangelogChunkRow[];
  rows: readonly ChangelogChunkRow[];
}

// Indexes only chunks whose text has changed: a new entry at the top moves all others without changing them.
async function settleTexts(ctx: WriteContext, { owner, text, stored, rows }: Settling): Promise<void> {
  const withText = rows.filter(({ blank }) => blank === 0);
  const before = new Map(stored.filter(({ blank }) => blank === 0).map((row) => [row.doc_key, indexedForm(row)]));
  const after = new Map(withText.map((row) => [row.doc_key, indexedForm(row)]));
  const gone = [...before.keys()].filter((key) => !after.has(key));
  await removeChunkText(ctx, gone);
  if (!owner.visible) return;
  const changed = withText.filter((row) => before.get(row.doc_key) !== indexedForm(row));
  await writeChunkText(
    ctx,
    changed.map((row) => chunkText(row, owner, text)),
  );
}

function indexedForm({ text_hash, version }: ChangelogChunkRow): string {
  return `${text_hash} ${version ?? ''}`;
}

// A source with its org and product, even when any of them is deleted.
async function findChunkOwner(ctx: Context, sourceId: string): Promise<ChunkOwner | null> {
  const db = queries(ctx);
  const source = await db.selectFrom('sources').selectAll().where('id', '=', sourceId).executeTakeFirst();
  if (!source) return null;
  const { org_id, product_id } = source;
  const org = org_id && (await db.selectFrom('orgs').selectAll().where('id', '=', org_id).executeTakeFirst());
  const product =
    product_id && (await db.selectFrom('products').selectAll().where('id', '=', product_id).executeTakeFirst());
  const around = { source, org: org || null, product: product || null };
  return { ...around, visible: isVisibleSource(source, around.org, around.product) };
}

// Rows of the chunks of a file: a chunk whose text is unchanged keeps its row, and every row gets a free key.

type ChangelogFileKey = { sourceId: string; path: string };

interface Rebuild {
  file: ChangelogFileKey;
  owner: ChunkOwner;
  drafts: readonly ChunkDraft[];
  stored: readonly ChangelogChunkRow[];
}

function nextOf(numbers: Iterator<number>): number {
  const { done, value } = numbers.next();
  if (done) throw new RangeError('fewer numbers than chunks');
  return value;
}

// The rows of a file. Chunks with an unchanged text keep their rows; equal texts keep them in order.
async function rowsOf(ctx: WriteContext, { file, owner, drafts, stored }: Rebuild): Promise<ChangelogChunkRow[]> {
  const known = Map.groupBy(stored, (row) => row.text_hash);
  const reused = drafts.map((draft) => known.get(draft.textHash)?.shift() ?? null);
  const missing = reused.filter((row) => row === null).length;
  const fresh = (await ctx.store.dialect.nextNumbers(ctx.tx, 'chunk_seq', missing)).values();
  const rows: ChangelogChunkRow[] = [];
  for (const [index, draft] of drafts.entries()) {
    await endLongTurn();
    const seq = reused[index]?.seq ?? nextOf(fresh);
    rows.push({
      seq,
      doc_key: docKey(draft.date ?? owner.source.created_at, seq),
      source_id: file.sourceId,
      path: file.path,
      offset_chars: draft.offset,
      length_chars: draft.length,
      offset_bytes: draft.offsetBytes,
      length_bytes: draft.lengthBytes,
      tokens: draft.tokens,
      heading: draft.heading,
      section_offset: draft.startsAt,
      version: draft.version,
      entry_date: draft.date,
      text_hash: draft.textHash,
      blank: draft.blank ? 1 : 0,
    });
  }
  return withFreeKeys(ctx, rows);
}

// Two chunks of one minute can get the same key once 2^20 numbers are used up; the later one gets the next free key.
async function withFreeKeys(ctx: WriteContext, rows: readonly ChangelogChunkRow[]): Promise<ChangelogChunkRow[]> {
  const taken = new Set(
    await keysAmong(
      ctx,
      rows.map((row) => row.doc_key),
    ),
  );
  const keyed: ChangelogChunkRow[] = [];
  for (const row of rows) {
    await endLongTurn();
    let key = row.doc_key;
    while (taken.has(key) || (key !== row.doc_key && (await keysAmong(ctx, [key])).length > 0)) key += 1;
    taken.add(key);
    keyed.push({ ...row, doc_key: key });
  }
  return keyed;
}

async function keysAmong(ctx: WriteContext, keys: readonly number[]): Promise<number[]> {
  if (keys.length === 0) return [];
  await endLongTurn();
  const rows = await ctx.tx
    .selectFrom('changelog_chunks')
    .select('doc_key')
    .where(ctx.store.dialect.amongKeys('doc_key', keys))
    .execute();
  return rows.map((row) => row.doc_key);
}
