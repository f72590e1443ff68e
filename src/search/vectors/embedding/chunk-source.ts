import { hash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { headingIndex, type IndexedHeading } from '../../../domain/changelog/headings.ts';
import { FULL_TIER } from '../../../domain/embedding/content-tier.ts';
import { chunkText } from '../../../domain/embedding/document-text.ts';
import type { Document, DocumentSource, WalkStep } from './document.ts';
import { straysBetween } from './release-source.ts';

interface ChunkRow {
  seq: number;
  source_id: string;
  path: string;
  offset_chars: number;
  length_chars: number;
  heading: string | null;
  text_hash: string;
  blank: number;
}

interface HeadedFile {
  content: string;
  headings: IndexedHeading[];
}

const COLUMNS = ['seq', 'source_id', 'path', 'offset_chars', 'length_chars', 'heading', 'text_hash', 'blank'] as const;

const WALK_ROWS = 1_000;

// A chunk keeps its number while its text stays the same, so a chunk with a vector need not be checked again.
export function chunkSource(ctx: Context): DocumentSource {
  // Chunks above this number have not been looked at yet; chunks below that a killed process left out are found by the
  // walk.
  let mark: number | null = null;
  return {
    kind: 'chunk',
    async fresh(space, limit) {
      mark ??= await highestKey(ctx, space);
      const rows = await ctx.store.read
        .selectFrom('changelog_chunks')
        .select(COLUMNS)
        .where('seq', '>', mark)
        .orderBy('seq')
        .limit(limit)
        .execute();
      return documentsOf(ctx, rows);
    },
    walk: (space, after, most) => walk(ctx, space, Number(after || 0), most),
    async mark(_ctx, documents) {
      mark = Math.max(mark ?? 0, ...documents.map(({ key }) => key ?? 0));
    },
  };
}

async function highestKey({ store }: Context, space: string): Promise<number> {
  const row = await store.read
    .selectFrom('vectors')
    .select(({ fn }) => fn.max('key').as('key'))
    .where('space', '=', space)
    .where('kind', '=', 'chunk')
    .executeTakeFirst();
  return Number(row?.key ?? 0);
}

async function walk(ctx: Context, space: string, after: number, most: number): Promise<WalkStep> {
  const rows = await ctx.store.read
    .selectFrom('changelog_chunks as c')
    .leftJoin('vectors as v', (join) =>
      join.on('v.space', '=', space).on('v.kind', '=', 'chunk').onRef('v.key', '=', 'c.seq'),
    )
    .select(['c.seq', 'c.source_id', 'c.path', 'c.offset_chars', 'c.length_chars', 'c.heading', 'c.text_hash'])
    .select(['c.blank', 'v.deleted'])
    .where('c.seq', '>', after)
    .orderBy('c.seq')
    .limit(WALK_ROWS)
    .execute();
  const missing = rows.filter(({ blank, deleted }) => blank === 0 && deleted !== 0);
  const taken = missing.slice(0, most);
  const end = rows.length < WALK_ROWS ? null : (rows.at(-1)?.seq ?? null);
  const last = missing.length > most ? (taken.at(-1)?.seq ?? null) : end;
  const strays = await straysBetween(ctx, { space, kind: 'chunk', after, last }, (keys) =>
    ctx.store.read
      .selectFrom('changelog_chunks')
      .select('seq as key')
      .where(ctx.store.dialect.amongKeys('seq', keys))
      .execute(),
  );
  const documents = (await documentsOf(ctx, taken)).filter(({ text }) => text !== null);
  return { documents, strays, next: last === null ? null : String(last) };
}

async function documentsOf(ctx: Context, rows: readonly ChunkRow[]): Promise<Document[]> {
  const files = new Map<string, HeadedFile | null>();
  const documents: Document[] = [];
  for (const row of rows) {
    const name = `${row.source_id} ${row.path}`;
    if (!files.has(name)) files.set(name, await readFile(ctx, row));
    documents.push({
      key: row.seq,
      ref: String(row.seq),
      text: textOf(row, files.get(name) ?? null),
      tier: FULL_TIER,
      updatedAt: row.text_hash,
    });
  }
  return documents;
}

async function readFile({ store }: Context, { source_id, path }: ChunkRow): Promise<HeadedFile | null> {
  const file = await store.read
    .selectFrom('changelog_files')
    .select('content')
    .where('source_id', '=', source_id)
    .where('path', '=', path)
    .executeTakeFirst();
  return file ? { content: file.content, headings: headingIndex(file.content) } : null;
}

function textOf(row: ChunkRow, file: HeadedFile | null): string | null {
  const { offset_chars, length_chars, heading, text_hash, blank } = row;
  if (!file || blank === 1) return null;
  const content = file.content.slice(offset_chars, offset_chars + length_chars);
  // A different hash means that the file was stored again meanwhile, so the chunk is out of date.
  if (hash('sha256', `${heading ?? ''}\n${content}`, 'base64url') !== text_hash) return null;
  return chunkText({ headings: pathTo(file.headings, offset_chars), content });
}

// Headings from the outermost to the one that stands at the offset or nearest above it.
function pathTo(headings: readonly IndexedHeading[], offset: number): string[] {
  const path: IndexedHeading[] = [];
  for (const heading of headings) {
    if (heading.offset > offset) break;
    while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
    path.push(heading);
  }
  return path.map(({ text }) => text);
}
