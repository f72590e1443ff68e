// Entities as texts to embed: orgs, products, sources and collections with what describes them and their newest titles.
import { sql } from 'kysely';
import { visibleProduct, visibleSource } from '../../../catalog/visible.ts';
import { type Context, now } from '../../../context.ts';
import { FULL_TIER } from '../../../domain/embedding/content-tier.ts';
import { entityText } from '../../../domain/embedding/document-text.ts';
import type { Document } from './document.ts';

export const TABLES = ['orgs', 'products', 'sources'] as const;

export type EntityTable = (typeof TABLES)[number];

const COLUMN = { orgs: 'org_id', products: 'product_id', sources: 'source_id' } as const;

const NEWEST_TITLES = 10;

export const PREFIX = { org: 'orgs', prod: 'products', src: 'sources' } as const;

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

export const ENTITIES: Record<EntityTable, Read> = {
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

export async function documentsOf(ctx: Context, table: EntityTable, rows: readonly EntityRow[]): Promise<Document[]> {
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
