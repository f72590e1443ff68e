import { z } from 'zod';
import { SCOPES } from './caller.ts';
import { bodyTimestamp } from './release-input.ts';
import { timestamp } from './scalars.ts';

const PRINCIPAL_TYPES = ['internal', 'agent', 'user'] as const;

const name = z.string().min(1).max(80);
const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .transform((list) => SCOPES.filter((scope) => list.includes(scope)));
export const tokenCreation = z
  .object({
    name,
    scopes,
    principalType: z.enum(PRINCIPAL_TYPES).nullish(),
    principalId: z.string().min(1).max(200).nullish(),
    expiresAt: bodyTimestamp.nullish(),
  })
  .meta({ id: 'TokenCreation' });

export const tokenChange = z
  .strictObject({ name: name.optional(), scopes: scopes.optional(), expiresAt: bodyTimestamp.nullable().optional() })
  .meta({ id: 'TokenChange' });

export type PrincipalType = (typeof PRINCIPAL_TYPES)[number];

export const tokenRow = z
  .object({
    id: z.string(),
    lookupId: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    principalType: z.enum(PRINCIPAL_TYPES),
    principalId: z.string().nullable(),
    active: z.boolean(),
    revokedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable(),
    createdAt: timestamp,
    createdBy: z.string(),
  })
  .meta({ id: 'Token' });

// `token` is shown once: the answer to a repeated call with the same idempotency key lacks it.
export const mintedToken = tokenRow.extend({ token: z.string().optional() }).meta({ id: 'MintedToken' });

export const tokenList = z.object({ tokens: z.array(tokenRow) }).meta({ id: 'TokenList' });

export const callerDescription = z
  .object({
    kind: z.enum(['root', 'token', 'user_key', 'oauth', 'session']).describe('Sort of credential.'),
    name: z.string(),
    scopes: z.array(z.string()),
    principalType: z.enum(PRINCIPAL_TYPES).nullable(),
    principalId: z.string().nullable(),
    userId: z.string().nullable(),
    tokenId: z.string().optional(),
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'CallerDescription' });

export type TokenCreation = z.output<typeof tokenCreation>;
export type TokenChange = z.output<typeof tokenChange>;
export type TokenRow = z.output<typeof tokenRow>;
export type MintedToken = TokenRow & { token: string };
export type TokenList = z.output<typeof tokenList>;
export type CallerDescription = z.output<typeof callerDescription>;
