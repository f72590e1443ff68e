// OAuth clients as the operator sees them.
import { z } from 'zod';
import { field } from './fields.ts';

// `src/accounts/auth/scopes.ts` says what each of them allows.
export const OAUTH_SCOPES = ['openid', 'profile', 'email', 'offline_access', 'read', 'account'] as const;

export const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export const oauthClientCreation = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(80)
      .optional()
      .meta({ description: 'Without one, users see the client id.', example: 'Acme Dashboard' }),
    redirectUris: field.redirectUris.min(1).max(10),
    scopes: z
      .array(z.enum(OAUTH_SCOPES))
      .min(1)
      .max(OAUTH_SCOPES.length)
      .optional()
      .meta({
        description: 'The only scopes that the app may ask for; without them it may ask for all.',
        example: ['read'],
      }),
    public: z
      .boolean()
      .optional()
      .meta({ description: 'The app cannot keep a secret; the same as the method `none`.' }),
    tokenEndpointAuthMethod: z
      .enum(AUTH_METHODS)
      .optional()
      .describe('How the app shows its secret; none: it has none.'),
    trusted: field.trusted.default(false),
  })
  .refine(
    ({ public: isPublic, tokenEndpointAuthMethod: method }) =>
      isPublic === undefined || method === undefined || isPublic === (method === 'none'),
    { path: ['tokenEndpointAuthMethod'], message: 'must be none for a public app, and only for one' },
  )
  .meta({ id: 'OAuthClientCreation' });

export const oauthClientChange = z
  .strictObject({ disabled: field.disabled.optional(), trusted: field.trusted.optional() })
  .meta({ id: 'OAuthClientChange' });

export const oauthClient = z
  .object({
    clientId: field.clientId,
    name: field.name.meta({ example: 'Acme Dashboard' }).nullable(),
    redirectUris: field.redirectUris,
    scopes: z.array(z.enum(OAUTH_SCOPES)).meta({ description: 'What the holder may do.', example: ['read'] }),
    public: z.boolean().describe('Whether the app has no secret.'),
    tokenEndpointAuthMethod: z.enum(AUTH_METHODS).describe('How the app shows its secret; none: it has none.'),
    // Users of a trusted app see no consent page.
    trusted: field.trusted,
    disabled: field.disabled,
    registeredBy: z
      .enum(['operator', 'itself'])
      .describe('Whether an operator registered the app or it did so itself.'),
    createdAt: field.createdAt.nullable(),
    lastUsedAt: field.lastUsedAt.nullable(),
  })
  .meta({ id: 'OAuthClient' });

// The secret is shown once: the answer to a repeated call with the same idempotency key lacks it.
export const oauthClientWithSecret = oauthClient
  .extend({
    clientSecret: z.string().nullable().optional().meta({
      description: 'Client secret, shown once; null for a public client.',
      example: 'b1c5e0d2a4f64f6f9f0f3e7c6a8d9b42',
    }),
  })
  .meta({ id: 'OAuthClientWithSecret' });

export const oauthClientDeleted = z
  .object({ deleted: field.deleted, clientId: field.clientId })
  .meta({ id: 'OAuthClientDeleted' });

export const oauthClientList = z
  .object({ clients: z.array(oauthClient).describe('Registered apps, newest first.') })
  .meta({ id: 'OAuthClientList' });

export type OAuthClientCreation = z.output<typeof oauthClientCreation>;
export type OAuthClientChange = z.output<typeof oauthClientChange>;
export type OAuthClient = z.output<typeof oauthClient>;
export type OAuthClientWithSecret = OAuthClient & { clientSecret: string | null };
