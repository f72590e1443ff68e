import type { Migration } from './migration.ts';

// What migration notes and sections of guides ask for stands beside them, so that a question does not parse them. It is null
// without notes, and in rows from before, which are derived again by the rules of today.
export const upgradeSteps: Migration = {
  up: ({ types: { text } }) =>
    ['releases', 'guide_notes'].map((table) => `ALTER TABLE ${table} ADD COLUMN upgrade_steps ${text}`),
};
