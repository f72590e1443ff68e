// OAuth clients as the operator sees them.
import { z } from 'zod';
import { timestamp } from './scalars.ts';

// `src/accounts/auth/scopes.ts` says what each of them allows.
export const OAUTH_SCOPES = ['openid', 'profile', 'email', 'offline_access', 'read', 'account'] as const;

export const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export const oauthClientCreation = z
  .object({
    name: z.string().trim().min(1).max(80).optional().meta({ description: 'Without one, users see the client id.' }),
    redirectUris: z.array(z.string()).min(1).max(10),
    scopes: z
      .array(z.enum(OAUTH_SCOPES))
      .min(1)
      .max(OAUTH_SCOPES.length)
      .optional()
      .meta({ description: 'The only scopes that the app may ask for; without them it may ask for all.' }),
    public: z
      .boolean()
      .optional()
      .meta({ description: 'The app cannot keep a secret; the same as the method `none`.' }),
    tokenEndpointAuthMethod: z.enum(AUTH_METHODS).optional(),
    trusted: z.boolean().default(false),
  })
  .refine(
    ({ public: isPublic, tokenEndpointAuthMethod: method }) =>
      isPublic === undefined || method === undefined || isPublic === (method === 'none'),
    { path: ['tokenEndpointAuthMethod'], message: 'must be none for a public app, and only for one' },
  )
  .meta({ id: 'OAuthClientCreation' });

export const oauthClientChange = z
  .strictObject({ disabled: z.boolean().optional(), trusted: z.boolean().optional() })
  .meta({ id: 'OAuthClientChange' });

export const oauthClient = z
  .object({
    clientId: z.string(),
    name: z.string().nullable(),
    redirectUris: z.array(z.string()),
    scopes: z.array(z.enum(OAUTH_SCOPES)),
    public: z.boolean(),
    tokenEndpointAuthMethod: z.enum(AUTH_METHODS),
    // Users of a trusted app see no consent page.
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

export const oauthClientDeleted = z
  .object({ deleted: z.literal(true), clientId: z.string() })
  .meta({ id: 'OAuthClientDeleted' });

export const oauthClientList = z.object({ clients: z.array(oauthClient) }).meta({ id: 'OAuthClientList' });

export type OAuthClientCreation = z.output<typeof oauthClientCreation>;
export type OAuthClientChange = z.output<typeof oauthClientChange>;
export type OAuthClient = z.output<typeof oauthClient>;
export type OAuthClientWithSecret = OAuthClient & { clientSecret: string | null };
