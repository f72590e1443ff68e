import type { Migration } from './migration.ts';

// Tables of search besides the full-text rows of releases.
export const search: Migration = {
  up({ types: { text, int }, clustered, fullTextDdl, rankingDdl }) {
    return [
      `CREATE TABLE changelog_chunks (
        seq ${int} PRIMARY KEY, doc_key ${int} NOT NULL UNIQUE,
        source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE, path ${text} NOT NULL,
        offset_chars ${int} NOT NULL, length_chars ${int} NOT NULL,
        offset_bytes ${int} NOT NULL, length_bytes ${int} NOT NULL, tokens ${int} NOT NULL, heading ${text},
        section_offset ${int} NOT NULL, version ${text}, entry_date ${text},
        text_hash ${text} NOT NULL)`,
      ...rankingDdl('releases'),
      ...fullTextDdl('chunks'),
      ...rankingDdl('chunks'),
      'CREATE INDEX changelog_chunks_by_file ON changelog_chunks (source_id, path, offset_chars)',
      // Led by type and class, so that each kind of match is one short range however many names there are.
      `CREATE TABLE entity_names (
        entity_type ${text} NOT NULL, class ${text} NOT NULL, suffix ${text} NOT NULL, entity_id ${text} NOT NULL,
        PRIMARY KEY (entity_type, class, suffix, entity_id))${clustered}`,
      'CREATE INDEX entity_names_by_entity ON entity_names (entity_type, entity_id)',
      `CREATE TABLE search_words (word ${text} PRIMARY KEY, stem ${text} NOT NULL, docs ${int} NOT NULL)${clustered}`,
      `CREATE TABLE search_log (
        id ${text} PRIMARY KEY, at ${text} NOT NULL, query ${text} NOT NULL, mode ${text} NOT NULL,
        hits ${int} NOT NULL, took_ms ${int} NOT NULL)`,
      'CREATE INDEX search_log_by_time ON search_log (at)',
    ];
  },
};
