import type { Migration } from './migration.ts';

// Reports with an address: names and versions of the packages of a project, and the newest answer about each. Packages of
// stacks know as well what is being read for them.
export const reports: Migration = {
  up: ({ types: { text, int }, clustered }) => [
    `CREATE TABLE reports (
      id ${text} PRIMARY KEY, user_id ${text} REFERENCES users (id) ON DELETE CASCADE, owner_hash ${text},
      kind ${text} NOT NULL, created_at ${text} NOT NULL, expires_at ${text} NOT NULL, stack_id ${text},
      packages ${int} NOT NULL, size ${int} NOT NULL, left_out ${text} NOT NULL)`,
    'CREATE INDEX reports_by_end ON reports (expires_at)',
    'CREATE INDEX reports_of_nobody ON reports (created_at, size) WHERE user_id IS NULL',
    'CREATE INDEX reports_of_account ON reports (user_id) WHERE user_id IS NOT NULL',
    `CREATE TABLE report_packages (
      report_id ${text} NOT NULL REFERENCES reports (id) ON DELETE CASCADE, place ${int} NOT NULL,
      ecosystem ${text} NOT NULL, name ${text} NOT NULL, from_version ${text} NOT NULL, to_version ${text} NOT NULL,
      direct ${int}, dev ${int}, target ${text}, judgement ${text}, security ${int} NOT NULL, answer ${text},
      judged_at ${text}, reading_id ${text}, refused_until ${text},
      PRIMARY KEY (report_id, place))${clustered}`,
    `ALTER TABLE stack_packages ADD COLUMN reading_id ${text}`,
    `ALTER TABLE stack_packages ADD COLUMN refused_until ${text}`,
  ],
};
