import { createHash } from 'node:crypto';
import { updateMany } from '../update-many.ts';
import type { Migration } from './migration.ts';

const BATCH = 500;

// Session tokens and device codes are stored as SHA-256. Whoever holds one stays signed in.
export const hashedSecrets: Migration = {
  up: () => [
    // An app counts as used when it is used, not when it is registered.
    'UPDATE oauth_clients SET last_used_at = NULL WHERE last_used_at = created_at',
    // Nothing is sent for an account that is disabled.
    `UPDATE webhook_subscriptions SET enabled = 0, disabled_reason = 'account disabled'
      WHERE enabled = 1 AND user_id IN (SELECT id FROM users WHERE disabled_at IS NOT NULL)`,
  ],
  async rows(tx) {
    await inBatches(async (after) => {
      const rows = await tx
        .selectFrom('sessions')
        .select(['id', 'token'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(BATCH)
        .execute();
      const changes = rows.map(({ id, token }) => ({ where: { id }, set: { token: sha256(token) } }));
      await updateMany(tx, 'sessions', changes);
      return rows.at(-1)?.id;
    });
    await inBatches(async (after) => {
      const rows = await tx
        .selectFrom('device_codes')
        .select(['id', 'device_code'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(BATCH)
        .execute();
      const changes = rows.map(({ id, device_code }) => ({ where: { id }, set: { device_code: sha256(device_code) } }));
      await updateMany(tx, 'device_codes', changes);
      return rows.at(-1)?.id;
    });
  },
};

// Calls `pass` with the last id that it returned until it finds no further row.
async function inBatches(pass: (after: string) => Promise<string | undefined>): Promise<void> {
  let after: string | undefined = '';
  while (after !== undefined) after = await pass(after);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
