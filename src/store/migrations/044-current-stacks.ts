import { sql } from 'kysely';
import type { Migration } from './migration.ts';

const LONGEST_PERIOD_MS = 8 * 86_400_000;

// Changes of sources and listings are found by their time, so that stacks are asked about again soon. A digest that waits names
// what it tells and is written when it is sent. What mails of before would have told is news once more.
export const currentStacks: Migration = {
  up: ({ types: { text } }) => [
    'CREATE INDEX source_figures_by_change ON source_figures (changed_at)',
    'CREATE INDEX package_states_by_listing ON package_states (listed_at) WHERE listed_at IS NOT NULL',
    `ALTER TABLE digest_mails ADD COLUMN told ${text} NOT NULL DEFAULT '{}'`,
    ...['subject', 'text_part', 'html_part', 'unsubscribe'].map(
      (column) => `ALTER TABLE digest_mails DROP COLUMN ${column}`,
    ),
  ],
  async rows(tx) {
    const waiting = await tx.selectFrom('digest_mails').select(['user_id', 'created_at']).execute();
    for (const { user_id, created_at } of waiting) {
      const since = Date.parse(created_at) - LONGEST_PERIOD_MS;
      await sql`UPDATE stack_packages SET told_target = seen_target
        WHERE stack_id IN (SELECT id FROM stacks WHERE user_id = ${user_id})`.execute(tx);
      await sql`UPDATE digest_settings SET next_at = ${created_at},
          event_seq = (SELECT COALESCE(MAX(seq), 0) FROM events WHERE ts < ${since})
        WHERE user_id = ${user_id} AND cadence <> 'off'`.execute(tx);
    }
    await tx.deleteFrom('digest_mails').execute();
  },
};
