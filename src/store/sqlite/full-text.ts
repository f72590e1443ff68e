import { CompiledQuery } from 'kysely';
import type {
  CandidateQuery,
  Candidates,
  CountQuery,
  DocumentCount,
  FullTextColumn,
  FullTextIndex,
  FullTextQuery,
  FullTextRow,
} from '../dialect.ts';
import type { Queries } from '../schema.ts';
import { type ColumnNames, matchExpression } from './match-expression.ts';

interface Table {
  name: string;
  // What each text of a document is called there.
  columns: ColumnNames;
}

const TABLES: Record<FullTextIndex, Table> = {
  releases: {
    name: 'release_fts',
    columns: { title: 'title', version: 'version', summary: 'summary', content: 'content' },
  },
  chunks: { name: 'chunk_fts', columns: { title: 'heading', content: 'content' } },
};

// Documents of a term are counted up to here, newest first; the rest is estimated.
const COUNTED = 4_000;

const INDEXES = Object.keys(TABLES) as FullTextIndex[];
const TEXTS: Record<FullTextIndex, FullTextColumn[]> = {
  releases: Object.keys(TABLES.releases.columns) as FullTextColumn[],
  chunks: Object.keys(TABLES.chunks.columns) as FullTextColumn[],
};

const WRITE = statements(({ name, columns }) => {
  const places = Object.values(columns);
  const values = places.map(() => '?').join(', ');
  return `INSERT OR REPLACE INTO ${name} (rowid, ${places.join(', ')}, tokens, scope) VALUES (?, ${values}, ?, ?)`;
});
const DELETE = statements(({ name }) => `DELETE FROM ${name} WHERE rowid = ?`);
export const MATCH = statements(({ name }) => matching(name));
const COUNT = statements(({ name }) => `SELECT count(*) AS docs, min(key) AS lowest FROM (${matching(name)})`);
const MERGE = statements(({ name }) => `INSERT INTO ${name} (${name}, rank) VALUES ('merge', ?)`);

function matching(table: string): string {
  return `SELECT rowid AS key FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?`;
}

function statements(write: (table: Table) => string): Record<FullTextIndex, string> {
  return { releases: write(TABLES.releases), chunks: write(TABLES.chunks) };
}

export function fullTextDdl(index: FullTextIndex): string[] {
  const { name, columns } = TABLES[index];
  return [
    `CREATE VIRTUAL TABLE ${name} USING fts5(${Object.values(columns).join(', ')}, tokens, scope,
      content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`,
    // Measured up to 1,000,000 rows: merging late but in small steps costs a tenth less than the default, keeps the
    // speed of writes level and never stops one for a second, as leaving it all to forced merges does.
    `INSERT INTO ${name} (${name}, rank) VALUES ('automerge', 16)`,
    `INSERT INTO ${name} (${name}, rank) VALUES ('crisismerge', 32)`,
  ];
}

export async function writeFullText(tx: Queries, index: FullTextIndex, rows: readonly FullTextRow[]): Promise<void> {
  const texts = TEXTS[index];
  for (const row of rows) {
    const values = [row.key, ...texts.map((text) => row[text]), row.tokens, row.scope];
    await tx.executeQuery(CompiledQuery.raw(WRITE[index], values));
  }
}

export async function deleteFullText(tx: Queries, index: FullTextIndex, keys: readonly number[]): Promise<void> {
  for (const key of keys) await tx.executeQuery(CompiledQuery.raw(DELETE[index], [key]));
}

export async function matchFullText(db: Queries, query: FullTextQuery): Promise<number[]> {
  if (query.groups.length === 0 || query.required.some((terms) => terms.length === 0)) return [];
  const parameters = [matchExpression(query, TABLES[query.index].columns), query.minKey, query.maxKey, query.limit];
  const { rows } = await db.executeQuery(CompiledQuery.raw(MATCH[query.index], parameters));
  return (rows as { key: number }[]).map((row) => row.key);
}

// Most queries match little enough to take all of it; otherwise the tiers say which of it to take.
export async function findCandidates(db: Queries, query: CandidateQuery): Promise<Candidates> {
  const { tiers, most, ...asked } = query;
  const columns = TEXTS[query.index];
  const found = await matchFullText(db, { ...asked, columns, limit: most + 1 });
  if (found.length <= most) return { keys: found, complete: true, lowestKey: query.minKey };
  const newest = found.slice(0, most);
  const incomplete = { complete: false, lowestKey: newest.at(-1) ?? query.maxKey + 1 };
  if (tiers === null) return { keys: newest, ...incomplete };
  const limit = Math.ceil(most / 2);
  const best = await matchFullText(db, { ...asked, columns: tiers.head, limit });
  const good = await matchFullText(db, { ...asked, columns, oneIn: tiers.near, limit });
  return { keys: [...new Set([...best, ...good, ...newest])].slice(0, most), ...incomplete };
}

export async function countDocuments(db: Queries, { index, group, minKey }: CountQuery): Promise<DocumentCount> {
  const query: FullTextQuery = {
    index,
    groups: [group],
    columns: TEXTS[index],
    required: [],
    excluded: [],
    minKey,
    maxKey: Number.MAX_SAFE_INTEGER,
    limit: COUNTED + 1,
  };
  const parameters = [matchExpression(query, TABLES[index].columns), query.minKey, query.maxKey, query.limit];
  const { rows } = await db.executeQuery(CompiledQuery.raw(COUNT[index], parameters));
  const [{ docs, lowest } = { docs: 0, lowest: null }] = rows as { docs: number; lowest: number | null }[];
  return { docs, lowestKey: docs > COUNTED ? lowest : null };
}

export async function mergeFullText(tx: Queries, pages: number): Promise<boolean> {
  for (const index of INDEXES) {
    const before = await totalChanges(tx);
    await tx.executeQuery(CompiledQuery.raw(MERGE[index], [pages]));
    // The command itself counts as one change.
    if ((await totalChanges(tx)) - before > 1) return true;
  }
  return false;
}

async function totalChanges(tx: Queries): Promise<number> {
  const { rows } = await tx.executeQuery(CompiledQuery.raw('SELECT total_changes() AS changes'));
  return (rows as { changes: number }[])[0]?.changes ?? 0;
}
