import { type Context, now, type WriteContext } from '../../../context.ts';
import { textHash } from '../../../domain/embedding/document-text.ts';
import { updateMany } from '../../../store/update-many.ts';
import type { Document, DocumentSource, WalkStep } from './document.ts';
import { documentsOf, ENTITIES, type EntityTable, PREFIX, TABLES } from './entity-texts.ts';

// The text of an entity changes with every release, so all entities are checked repeatedly.
export function entitySource(ctx: Context): DocumentSource {
  return {
    kind: 'entity',
    async fresh(_space, limit) {
      const found: Document[] = [];
      for (const table of TABLES) {
        const rows = await ENTITIES[table](ctx, { fresh: true, after: '', limit: limit - found.length });
        found.push(...(await documentsOf(ctx, table, rows)));
        if (found.length >= limit) break;
      }
      return found;
    },
    walk: (space, after, most) => walk(ctx, space, after, most),
    mark,
  };
}

// The walk covers one table after the other, then vectors whose entity no longer exists.
async function walk(ctx: Context, space: string, cursor: string, limit: number): Promise<WalkStep> {
  const [table, after] = (cursor || `${TABLES[0]} `).split(' ') as [EntityTable | 'vectors', string];
  if (table === 'vectors') return walkStrays(ctx, space, Number(after), limit);
  const rows = await ENTITIES[table](ctx, { fresh: false, after, limit });
  const documents = await outdated(ctx, space, await documentsOf(ctx, table, rows));
  const following = [...TABLES, 'vectors'][TABLES.indexOf(table) + 1];
  const next =
    rows.length < limit ? `${following} ${following === 'vectors' ? -1 : ''}` : `${table} ${rows.at(-1)?.id}`;
  return { documents, strays: [], next };
}

async function outdated(ctx: Context, space: string, documents: readonly Document[]): Promise<Document[]> {
  if (documents.length === 0) return [];
  const stored = await ctx.store.read
    .selectFrom('vectors')
    .select(['ref', 'text_hash'])
    .where('space', '=', space)
    .where('kind', '=', 'entity')
    .where('deleted', '=', 0)
    .where(
      'ref',
      'in',
      documents.map(({ ref }) => ref),
    )
    .execute();
  const hashes = new Map(stored.map(({ ref, text_hash }) => [ref, text_hash]));
  return documents.filter(({ ref, text }) => hashes.get(ref) !== (text === null ? undefined : textHash(text)));
}

async function walkStrays(ctx: Context, space: string, after: number, limit: number): Promise<WalkStep> {
  const rows = await ctx.store.read
    .selectFrom('vectors')
    .select(['key', 'ref'])
    .where('space', '=', space)
    .where('kind', '=', 'entity')
    .where('key', '>', after)
    .where('deleted', '=', 0)
    .orderBy('key')
    .limit(limit)
    .execute();
  const last = rows.length < limit ? null : (rows.at(-1)?.key ?? null);
  const there = await existingRefs(
    ctx,
    rows.map(({ ref }) => ref),
  );
  const strays = rows.filter(({ ref }) => !there.has(ref)).map(({ key }) => key);
  return { documents: [], strays, next: last === null ? null : `vectors ${last}` };
}

async function existingRefs({ store }: Context, refs: readonly string[]): Promise<Set<string>> {
  const there = new Set<string>();
  for (const [prefix, table] of Object.entries(PREFIX)) {
    const own = refs.filter((ref) => ref.startsWith(`${prefix}_`));
    if (own.length === 0) continue;
    const rows = await store.read
      .selectFrom(table)
      .select('id')
      .where('id', 'in', own)
      .where('deleted_at', 'is', null)
      .execute();
    for (const { id } of rows) there.add(id);
  }
  return there;
}

async function mark(ctx: WriteContext, documents: readonly Document[]): Promise<void> {
  const at = now(ctx);
  for (const [prefix, table] of Object.entries(PREFIX)) {
    const own = documents.filter(({ ref }) => ref.startsWith(`${prefix}_`));
    await updateMany(
      ctx.tx,
      table,
      own.map(({ ref, updatedAt }) => ({ where: { id: ref, updated_at: updatedAt }, set: { embedded_at: at } })),
    );
  }
}
