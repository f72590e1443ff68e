import type { Migration } from './migration.ts';

// What the owner of a stack says of a package: done up to a version, or ignored for a reason until a day.
export const stackMarks: Migration = {
  up: ({ types: { text }, clustered }) => [
    `CREATE TABLE stack_marks (
      stack_id ${text} NOT NULL REFERENCES stacks (id) ON DELETE CASCADE, ecosystem ${text} NOT NULL, name ${text} NOT NULL,
      kind ${text} NOT NULL, version ${text}, until ${text}, reason ${text}, marked_at ${text} NOT NULL,
      PRIMARY KEY (stack_id, ecosystem, name))${clustered}`,
  ],
};
