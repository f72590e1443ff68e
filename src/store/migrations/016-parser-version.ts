import type { Migration } from './migration.ts';

export const parserVersion: Migration = {
  up({ types: { int } }) {
    return [
      // Which version of the changelog parser has read the file: an older reading is done again.
      `ALTER TABLE changelog_files ADD COLUMN parser_version ${int} NOT NULL DEFAULT 1`,
      'CREATE INDEX changelog_files_by_parser ON changelog_files (parser_version, source_id)',
    ];
  },
};
