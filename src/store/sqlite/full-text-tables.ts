import type { FullTextColumn, FullTextIndex } from '../dialect.ts';
import type { ColumnNames } from './match-expression.ts';

interface FullTextTable {
  name: string;
  // What each text of a document is called there.
  columns: ColumnNames;
}

export const TABLES: Record<FullTextIndex, FullTextTable> = {
  releases: {
    name: 'release_fts',
    columns: { title: 'title', version: 'version', summary: 'summary', content: 'content' },
  },
  chunks: { name: 'chunk_fts', columns: { title: 'heading', content: 'content' } },
};

export const INDEXES = Object.keys(TABLES) as FullTextIndex[];

export const TEXTS: Record<FullTextIndex, FullTextColumn[]> = {
  releases: Object.keys(TABLES.releases.columns) as FullTextColumn[],
  chunks: Object.keys(TABLES.chunks.columns) as FullTextColumn[],
};

// The same statement for each index, written once.
export function statements(write: (table: FullTextTable) => string): Record<FullTextIndex, string> {
  return { releases: write(TABLES.releases), chunks: write(TABLES.chunks) };
}
