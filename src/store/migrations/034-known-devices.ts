import type { Migration } from './migration.ts';

// Browsers that have signed in to an account, by the hash of their cookie.
export const knownDevices: Migration = {
  up: ({ types: { text } }) => [
    `CREATE TABLE known_devices (
      user_id ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE, device_hash ${text} NOT NULL,
      last_used_at ${text} NOT NULL, PRIMARY KEY (user_id, device_hash))`,
    'CREATE INDEX known_devices_by_use ON known_devices (last_used_at)',
  ],
};
