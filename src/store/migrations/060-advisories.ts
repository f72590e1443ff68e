import type { Migration } from './migration.ts';

// Imported advisories. A set is read only when it is whole: until then the one before it stays the current one of its ecosystem.
export const advisories: Migration = {
  up: ({ types: { text, int } }) => [
    `CREATE TABLE advisory_sets (
      ecosystem ${text} NOT NULL, id ${text} NOT NULL, origin ${text} NOT NULL, records ${int} NOT NULL,
      current ${int} NOT NULL, imported_at ${text} NOT NULL, PRIMARY KEY (ecosystem, id))`,
    `CREATE TABLE advisories (
      set_id ${text} NOT NULL, ecosystem ${text} NOT NULL, name ${text} NOT NULL, advisory_id ${text} NOT NULL,
      record ${text} NOT NULL, PRIMARY KEY (set_id, ecosystem, name, advisory_id))`,
  ],
};
