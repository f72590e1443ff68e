// Apps as the operator sees them.
import { z } from 'zod';
import { timestamp } from './scalars.ts';

const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;

export const oauthClientCreation = z
  .object({
    name: z.string().trim().min(1).max(80),
    redirectUris: z.array(z.string()).min(1).max(10),
    tokenEndpointAuthMethod: z.enum(AUTH_METHODS).default('client_secret_basic'),
    trusted: z.boolean().default(false),
  })
  .meta({ id: 'OAuthClientCreation' });

export const oauthClientChange = z
  .strictObject({ disabled: z.boolean().optional(), trusted: z.boolean().optional() })
  .meta({ id: 'OAuthClientChange' });

export const oauthClient = z
  .object({
    clientId: z.string(),
    name: z.string(),
    redirectUris: z.array(z.string()),
    tokenEndpointAuthMethod: z.enum(AUTH_METHODS),
    // Its users are not asked again.
    trusted: z.boolean(),
    disabled: z.boolean(),
    registeredBy: z.enum(['operator', 'itself']),
    createdAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'OAuthClient' });

// The secret is shown once: the answer to a repeated call with the same idempotency key lacks it.
export const oauthClientWithSecret = oauthClient
  .extend({ clientSecret: z.string().nullable().optional() })
  .meta({ id: 'OAuthClientWithSecret' });

export const oauthClientList = z.object({ clients: z.array(oauthClient) }).meta({ id: 'OAuthClientList' });

export type OAuthClientCreation = z.output<typeof oauthClientCreation>;
export type OAuthClientChange = z.output<typeof oauthClientChange>;
export type OAuthClient = z.output<typeof oauthClient>;
export type OAuthClientWithSecret = OAuthClient & { clientSecret: string | null };
