// What an account reads and changes about itself.
import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { field } from './fields.ts';
import { cursorPagination } from './pagination.ts';
import { releaseFeed } from './release.ts';
import { timestamp } from './scalars.ts';
import { callerDescription } from './token.ts';

export const TARGET_TYPES = ['org', 'product', 'package'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

export const profile = z
  .object({
    user: z
      .object({
        id: field.id.meta({ example: 'u8Zk1WqPd4' }),
        name: field.name.meta({ example: 'Kim Lee' }),
        email: z.string().meta({ description: 'Mail address.', example: 'kim@mail.example' }),
        image: z
          .string()
          .nullable()
          .meta({ description: 'Address of a picture; null where there is none.', example: null }),
        createdAt: field.createdAt,
      })
      .describe('The account.'),
    credential: callerDescription
      .pick({ kind: true, name: true, scopes: true, expiresAt: true })
      .describe('The credential of this call.'),
  })
  .meta({ id: 'Profile' });

export const followInput = z
  .object({
    targetType: z.enum(TARGET_TYPES).describe('Kind of the entity.'),
    targetId: field.targetId.min(1).max(240),
  })
  .meta({ id: 'FollowInput' });

export const followState = z
  .object({ success: field.ok, following: z.boolean().describe('Whether the account follows it now.') })
  .meta({ id: 'FollowState' });

const followShape = z
  .object({
    targetType: z.enum(TARGET_TYPES).describe('Kind of the entity.'),
    ...pick(field, 'targetId', 'name', 'slug'),
    avatarUrl: field.avatarUrl.nullable(),
    orgSlug: field.orgSlug.nullable(),
    createdAt: field.createdAt,
  })
  .meta({ id: 'Follow' });
export const followList = z
  .object({ follows: z.array(followShape).describe('What the account follows, newest first.') })
  .meta({ id: 'FollowList' });

export const personalFeed = z
  .object({ items: releaseFeed.shape.releases.describe('Rows of this page.'), pagination: cursorPagination })
  .meta({ id: 'PersonalFeed' });

const feedToken = z
  .object({
    ...pick(field, 'feedUrl', 'lookupId', 'createdAt'),
    lastUsedAt: field.lastUsedAt.nullable(),
  })
  .meta({ id: 'FeedToken' });
// The address is a secret, so the answer to a repeated call with the same idempotency key lacks it; it can be read again.
export const newFeedToken = feedToken.partial({ feedUrl: true }).meta({ id: 'NewFeedToken' });
export const feedTokenAnswer = z
  .object({ token: feedToken.nullable().describe('The private feed; null: there is none.') })
  .meta({ id: 'FeedTokenAnswer' });

export const success = z.object({ success: field.ok }).meta({ id: 'Success' });

// What a user key may do: read as its account, or nothing but read and push stacks.
export const USER_KEY_SCOPES = ['read', 'stacks'] as const;
export type UserKeyScope = (typeof USER_KEY_SCOPES)[number];

const keyName = field.name.meta({ example: 'laptop' });

// A scope above `read` is refused by rule, not by form, so that the answer can say why.
export const apiKeyInput = z
  .object({
    name: keyName.trim().min(1).max(32),
    scope: z
      .string()
      .optional()
      .describe('`read`, the default, or `stacks`: a key that can only read and push the stacks of its account.'),
    expiresInDays: z.int().min(1).max(365).nullish().describe('Days until the key expires; absent or null: never.'),
  })
  .meta({ id: 'ApiKeyInput' });

const apiKeyFields = {
  id: field.id.meta({ example: 'k3J9vQ2mXz81LrTn' }),
  name: keyName,
  start: z.string().meta({ description: 'First characters of the key, for recognizing it.', example: 'relu_4Yt8' }),
  scope: z.enum(USER_KEY_SCOPES).describe('What the key may do.'),
  remaining: z.null().describe('Always null: the number of calls is not limited.'),
  createdAt: field.createdAt,
  expiresAt: field.expiresAt.nullable(),
};

// `key` is shown once: the answer to a repeated call with the same idempotency key lacks it.
export const mintedApiKey = z
  .object({
    key: z
      .string()
      .optional()
      .meta({ description: 'The key itself, shown once.', example: 'relu_4Yt8QmZ1KdXwRv2BnYc8LhA7' }),
    ...apiKeyFields,
  })
  .meta({ id: 'MintedApiKey' });
export const apiKeyList = z
  .object({
    apiKeys: z
      .array(
        z.object({
          ...apiKeyFields,
          enabled: field.enabled,
          lastRequest: timestamp.nullable().describe('When the key was last used; null: never.'),
        }),
      )
      .describe('Keys of the account, newest first.'),
  })
  .meta({ id: 'ApiKeyList' });

export type Profile = z.infer<typeof profile>;
export type FollowInput = z.infer<typeof followInput>;
export type Follow = z.infer<typeof followShape>;
export type PersonalFeed = z.infer<typeof personalFeed>;
export type FeedTokenAnswer = z.infer<typeof feedTokenAnswer>;
export type ApiKeyInput = z.infer<typeof apiKeyInput>;
export type MintedApiKey = z.infer<typeof mintedApiKey>;
export type ApiKeyList = z.infer<typeof apiKeyList>;
