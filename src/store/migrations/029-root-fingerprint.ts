import type { Migration } from './migration.ts';

// A session of the operator that was opened with the root key belongs to that key. Older ones do not say which key it
// was, so they end.
export const rootFingerprint: Migration = {
  up: ({ types: { text } }) => [
    `ALTER TABLE operator_sessions ADD COLUMN root_fingerprint ${text}`,
    'DELETE FROM operator_sessions WHERE token_id IS NULL',
  ],
};
