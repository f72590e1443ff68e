import { z } from 'zod';
import { BOUND_TYPES, SCOPES } from './caller.ts';
import { field, idOf } from './fields.ts';
import { bodyTimestamp } from './release-input.ts';
import { sampleId, timestamp } from './scalars.ts';

const PRINCIPAL_TYPES = ['internal', 'agent', 'user'] as const;

const principalType = z.enum(PRINCIPAL_TYPES).describe('What sort of holder the token was made for.');
const tokenName = field.name.meta({ example: 'ci' });
const name = tokenName.min(1).max(80);
const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .transform((list) => SCOPES.filter((scope) => list.includes(scope)))
  .meta({ description: 'What the holder may do.', example: ['read'] });
const expiry = bodyTimestamp.nullable().meta({ description: 'When it stops being valid; null: never.', example: null });

const boundTo = (what: string, example: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: `The ${what} outside of which the token changes nothing.`, example });

export const tokenCreation = z
  .object({
    name,
    scopes,
    principalType: principalType.nullish(),
    principalId: field.principalId.min(1).max(200).nullish(),
    expiresAt: expiry.optional(),
    org: boundTo('organization (id or slug)', 'acme'),
    product: boundTo('product (id or org/product)', 'acme/acme-cli'),
    source: boundTo('source (id or org/source)', 'acme/cli'),
  })
  .meta({ id: 'TokenCreation' });

export const tokenChange = z
  .strictObject({
    name: name.optional(),
    scopes: scopes.optional(),
    expiresAt: expiry.optional(),
  })
  .meta({ id: 'TokenChange' });

export type PrincipalType = (typeof PRINCIPAL_TYPES)[number];

const tokenBound = z
  .object({
    type: z.enum(BOUND_TYPES).describe('What the token is bound to.'),
    id: z.string().meta({ description: 'Id of what the token is bound to.', example: sampleId('src') }),
  })
  .nullable()
  .describe('Outside of this the token changes nothing; null: it is not bound.');

export const tokenRow = z
  .object({
    id: idOf('tok'),
    lookupId: field.lookupId,
    name: tokenName,
    scopes: field.scopes,
    principalType,
    principalId: field.principalId.nullable(),
    active: field.active,
    revokedAt: timestamp.nullable().meta({ description: 'When it was revoked; null: it is not.', example: null }),
    expiresAt: field.expiresAt.nullable(),
    lastUsedAt: field.lastUsedAt.nullable(),
    createdAt: field.createdAt,
    createdBy: z.string().meta({ description: 'Who created it.', example: 'root' }),
    bound: tokenBound,
  })
  .meta({ id: 'Token' });

// `token` is shown once: the answer to a repeated call with the same idempotency key lacks it.
export const mintedToken = tokenRow
  .extend({
    token: z
      .string()
      .optional()
      .meta({ description: 'The token itself, shown once.', example: 'relk_Zk1WqPd4_8QmZ1KdXwRv2BnYc8LhA7' }),
  })
  .meta({ id: 'MintedToken' });

export const tokenList = z
  .object({ tokens: z.array(tokenRow).describe('Machine tokens, newest first.') })
  .meta({ id: 'TokenList' });

export const callerDescription = z
  .object({
    kind: z.enum(['root', 'token', 'user_key', 'oauth', 'session']).describe('Sort of credential.'),
    name: tokenName,
    scopes: field.scopes,
    principalType: principalType.nullable(),
    principalId: field.principalId.nullable(),
    userId: field.userId.nullable(),
    tokenId: z
      .string()
      .optional()
      .meta({ description: 'tok_ id of the machine token.', example: sampleId('tok') }),
    expiresAt: field.expiresAt.nullable(),
    lastUsedAt: field.lastUsedAt.nullable(),
    bound: tokenBound.optional(),
  })
  .meta({ id: 'CallerDescription' });

export type TokenCreation = z.output<typeof tokenCreation>;
export type TokenChange = z.output<typeof tokenChange>;
export type TokenRow = z.output<typeof tokenRow>;
export type MintedToken = TokenRow & { token: string };
export type TokenList = z.output<typeof tokenList>;
export type CallerDescription = z.output<typeof callerDescription>;
