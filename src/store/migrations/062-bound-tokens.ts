import type { Migration } from './migration.ts';

// What a machine token is bound to: an organization, a product or a source.
export const boundTokens: Migration = {
  up: ({ types: { text } }) => [
    `ALTER TABLE api_tokens ADD COLUMN bound_type ${text}`,
    `ALTER TABLE api_tokens ADD COLUMN bound_id ${text}`,
  ],
};
