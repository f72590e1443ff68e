// What an account reads and changes about itself.
import { z } from 'zod';
import { cursorPagination } from './pagination.ts';
import { releaseFeed } from './release.ts';
import { timestamp } from './scalars.ts';
import { callerDescription } from './token.ts';

export const TARGET_TYPES = ['org', 'product', 'package'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

export const profile = z
  .object({
    user: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      image: z.string().nullable(),
      createdAt: timestamp,
    }),
    credential: callerDescription.pick({ kind: true, name: true, scopes: true, expiresAt: true }),
  })
  .meta({ id: 'Profile' });

export const followInput = z
  .object({ targetType: z.enum(TARGET_TYPES), targetId: z.string().min(1).max(240) })
  .meta({ id: 'FollowInput' });

export const followState = z.object({ success: z.literal(true), following: z.boolean() }).meta({ id: 'FollowState' });

const followShape = z
  .object({
    targetType: z.enum(TARGET_TYPES),
    targetId: z.string(),
    name: z.string(),
    slug: z.string(),
    avatarUrl: z.string().nullable(),
    orgSlug: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Follow' });
export const followList = z.object({ follows: z.array(followShape) }).meta({ id: 'FollowList' });

export const personalFeed = z
  .object({ items: releaseFeed.shape.releases, pagination: cursorPagination })
  .meta({ id: 'PersonalFeed' });

const feedToken = z
  .object({ feedUrl: z.string(), lookupId: z.string(), createdAt: timestamp, lastUsedAt: timestamp.nullable() })
  .meta({ id: 'FeedToken' });
// The address is a secret, so the answer to a repeated call with the same idempotency key lacks it; it can be read again.
export const newFeedToken = feedToken.partial({ feedUrl: true }).meta({ id: 'NewFeedToken' });
export const feedTokenAnswer = z.object({ token: feedToken.nullable() }).meta({ id: 'FeedTokenAnswer' });

export const success = z.object({ success: z.literal(true) }).meta({ id: 'Success' });

// What a user key may do: read as its account, or nothing but read and push stacks.
export const USER_KEY_SCOPES = ['read', 'stacks'] as const;
export type UserKeyScope = (typeof USER_KEY_SCOPES)[number];

// A scope above `read` is refused by rule, not by form, so that the answer can say why.
export const apiKeyInput = z
  .object({
    name: z.string().trim().min(1).max(32),
    scope: z
      .string()
      .optional()
      .describe('`read`, the default, or `stacks`: a key that can only read and push the stacks of its account.'),
    expiresInDays: z.int().min(1).max(365).nullish(),
  })
  .meta({ id: 'ApiKeyInput' });

const apiKeyFields = {
  id: z.string(),
  name: z.string(),
  start: z.string(),
  scope: z.enum(USER_KEY_SCOPES).describe('What the key may do.'),
  remaining: z.null(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
};

// `key` is shown once: the answer to a repeated call with the same idempotency key lacks it.
export const mintedApiKey = z.object({ key: z.string().optional(), ...apiKeyFields }).meta({ id: 'MintedApiKey' });
export const apiKeyList = z
  .object({
    apiKeys: z.array(z.object({ ...apiKeyFields, enabled: z.boolean(), lastRequest: timestamp.nullable() })),
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
