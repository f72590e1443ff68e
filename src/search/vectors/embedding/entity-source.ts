import { sql } from 'kysely';
import { type Context, now, type WriteContext } from '../../../context.ts';
import { FULL_TIER } from '../../../domain/embedding/content-tier.ts';
import { entityText, textHash } from '../../../domain/embedding/document-text.ts';
import { visibleProduct, visibleSource } from '../../../entities/visible.ts';
import { updateMany } from '../../../store/update-many.ts';
import type { Document, DocumentSource, WalkStep } from './document.ts';

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

// Entities as texts to embed: orgs, products, sources and collections with what describes them and their newest titles.

const TABLES = ['orgs', 'products', 'sources'] as const;

type EntityTable = (typeof TABLES)[number];

const COLUMN = { orgs: 'org_id', products: 'product_id', sources: 'source_id' } as const;

const NEWEST_TITLES = 10;

const PREFIX = { org: 'orgs', prod: 'products', src: 'sources' } as const;

interface EntityRow {
  id: string;
  name: string;
  description: string | null;
  kind: string | null;
  category: string | null;
  visible: number;
  updated_at: string;
}

interface EntityPage {
  fresh: boolean;
  after: string;
  limit: number;
}

type Read = (ctx: Context, wanted: EntityPage) => Promise<EntityRow[]>;

const ENTITIES: Record<EntityTable, Read> = {
  orgs: (ctx, wanted) =>
    read(ctx, wanted, 'o', {
      columns: sql`o.id, o.name, o.description, NULL AS kind, o.category, o.updated_at`,
      tables: sql`orgs o`,
      visible: sql`o.is_hidden = 0`,
    }),
  products: (ctx, wanted) =>
    read(ctx, wanted, 'p', {
      columns: sql`p.id, p.name, COALESCE(p.description, o.description) AS description, p.kind,
        COALESCE(p.category, o.category) AS category, p.updated_at`,
      tables: sql`products p JOIN orgs o ON o.id = p.org_id`,
      visible: visibleProduct(),
    }),
  sources: (ctx, wanted) =>
    read(ctx, wanted, 's', {
      columns: sql`s.id, s.name, COALESCE(p.description, o.description) AS description,
        COALESCE(s.kind, p.kind) AS kind, COALESCE(p.category, o.category) AS category, s.updated_at`,
      tables: sql`sources s LEFT JOIN orgs o ON o.id = s.org_id LEFT JOIN products p ON p.id = s.product_id`,
      visible: visibleSource(),
    }),
};

interface EntityTextParts {
  columns: ReturnType<typeof sql>;
  tables: ReturnType<typeof sql>;
  visible: ReturnType<typeof sql>;
}

async function read(
  { store }: Context,
  wanted: EntityPage,
  alias: string,
  parts: EntityTextParts,
): Promise<EntityRow[]> {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  const fresh = wanted.fresh ? sql`${of('embedded_at')} IS NULL AND` : sql``;
  const { rows } = await sql<EntityRow>`
    SELECT ${parts.columns}, CASE WHEN ${parts.visible} THEN 1 ELSE 0 END AS visible FROM ${parts.tables}
    WHERE ${fresh} ${of('deleted_at')} IS NULL AND ${of('id')} > ${wanted.after}
    ORDER BY ${of('id')} LIMIT ${wanted.limit}`.execute(store.read);
  return rows;
}

async function documentsOf(ctx: Context, table: EntityTable, rows: readonly EntityRow[]): Promise<Document[]> {
  const documents: Document[] = [];
  for (const row of rows) {
    const text = row.visible ? entityText({ ...row, titles: await newestTitles(ctx, table, row.id) }) : null;
    documents.push({ key: null, ref: row.id, text, tier: FULL_TIER, updatedAt: row.updated_at });
  }
  return documents;
}

async function newestTitles(ctx: Context, table: EntityTable, id: string): Promise<string[]> {
  const rows = await ctx.store.read
    .selectFrom('releases')
    .select(['title', 'title_generated'])
    .where(COLUMN[table], '=', id)
    .where('listing', '=', 2)
    .where('feed_at', '<=', now(ctx))
    .orderBy('feed_at', 'desc')
    .limit(NEWEST_TITLES)
    .execute();
  return rows.map((row) => row.title_generated ?? row.title);
}
