import { keysOf } from '../../domain/records.ts';
import type { FullTextColumn, FullTextIndex } from '../dialect.ts';

export type ColumnNames = Partial<Record<FullTextColumn, string>>;

interface FullTextTable {
  name: string;
  // The column names of each text of a document.
  columns: ColumnNames;
}

export const TABLES: Record<FullTextIndex, FullTextTable> = {
  releases: {
    name: 'release_fts',
    columns: { title: 'title', version: 'version', summary: 'summary', content: 'content' },
  },
  chunks: { name: 'chunk_fts', columns: { title: 'heading', content: 'content' } },
};

export const INDEXES = keysOf(TABLES);

export const TEXTS: Record<FullTextIndex, FullTextColumn[]> = {
  releases: keysOf(TABLES.releases.columns),
  chunks: keysOf(TABLES.chunks.columns),
};

// The same statement for each index, built once.
export function statements(write: (table: FullTextTable) => string): Record<FullTextIndex, string> {
  return { releases: write(TABLES.releases), chunks: write(TABLES.chunks) };
}
