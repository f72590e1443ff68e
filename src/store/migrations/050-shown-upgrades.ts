import type { Migration } from './migration.ts';

// The last major step of each package that somebody asked for, with what it comes to, so that a page of many need not judge them.
export const shownUpgrades: Migration = {
  up: ({ types: { text, int } }) => [
    `CREATE TABLE shown_upgrades (
      ecosystem ${text} NOT NULL, name ${text} NOT NULL, spelling ${text} NOT NULL, asked ${int} NOT NULL,
      from_version ${text}, to_version ${text}, level ${text}, reason ${text}, versions ${int} NOT NULL, breaking ${int} NOT NULL,
      unnoted ${int} NOT NULL, proven ${int} NOT NULL, likely ${int} NOT NULL, steps ${int} NOT NULL, basis ${text},
      judged_at ${text}, PRIMARY KEY (ecosystem, name))`,
    'CREATE INDEX shown_upgrades_by_asked ON shown_upgrades (asked DESC, name) WHERE level IS NOT NULL',
  ],
};
