// Row types of the tables behind search: derived from the catalog, and rebuilt from it when they are lost.
import type { EntityType } from '../../contract/enums.ts';
import type { NameClass } from '../../domain/entity-names/entity-names.ts';

export interface SearchTables {
  changelog_chunks: ChangelogChunkRow;
  entity_names: EntityNameRow;
  search_words: SearchWordRow;
  search_log: SearchLogRow;
  vectors: VectorRow;
}

export interface ChangelogChunkRow {
  seq: number;
  doc_key: number;
  source_id: string;
  path: string;
  offset_chars: number;
  length_chars: number;
  // The same range in bytes of the file, which engines can cut without counting characters.
  offset_bytes: number;
  length_bytes: number;
  // Estimated tokens.
  tokens: number;
  heading: string | null;
  // Where the changelog endpoint starts exactly: the section's heading, 0, or just after the last heading.
  section_offset: number;
  version: string | null;
  entry_date: string | null;
  text_hash: string;
  // 1: there is no word besides headings; neither indexed nor embedded.
  blank: number;
}

// One row per suffix of a name, at word starts and case changes.
export interface EntityNameRow {
  entity_type: EntityType;
  class: NameClass;
  suffix: string;
  entity_id: string;
}

export interface SearchWordRow {
  word: string;
  stem: string;
  docs: number;
}

export interface SearchLogRow {
  id: string;
  at: string;
  query: string;
  mode: string;
  hits: number;
  took_ms: number;
}

// `key` never changes; `seq` rises in commit order with every write of the row.
export interface VectorRow {
  space: string;
  kind: string;
  key: number;
  ref: string;
  seq: number;
  dims: number;
  scale: number;
  data: Uint8Array;
  text_hash: string;
  // How much the body of a release says: 0 nothing, 1 a little, 2 enough; 2 for everything else.
  tier: number;
  deleted: number;
  changed_at: string;
}
