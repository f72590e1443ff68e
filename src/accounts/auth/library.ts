// The sign-in library, set up for this service. It is large, so it is loaded when somebody first signs in; everything
// that only checks a credential does without it.
import { oauthProvider } from '@better-auth/oauth-provider';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { bearer } from 'better-auth/plugins/bearer';
import { deviceAuthorization } from 'better-auth/plugins/device-authorization';
import { jwt } from 'better-auth/plugins/jwt';
import { APIError } from 'better-call';
import type { Config } from '../../config.ts';
import { type Context, queries } from '../../context.ts';
import { isRecord } from '../../domain/records.ts';
import { issuerOf, PUBLISHED_AFTER_MS, resourcesOf } from './access-token.ts';
import { createLibraryAdapter, type LibraryAdapter } from './adapter.ts';
import { CLIENT_SECRET_PREFIX } from './clients.ts';
import { isDeviceClient } from './device-codes.ts';
import { findRefreshToken, REFRESH_PREFIX, REFRESH_SECONDS, storedForm } from './grants.ts';
import { libraryPasswords } from './hashing.ts';
import { newAccountId } from './ids.ts';
import { ADDRESS_HEADER, type LibraryParts } from './library-parts.ts';
import { mailMessages } from './mail.ts';
import { CODE_UNITS } from './passwords.ts';
import { OAUTH_SCOPES } from './scopes.ts';
import { authSecrets } from './secret.ts';
import { COOKIE_PREFIX, isSecure } from './session-cookie.ts';
import { RENEWED_EVERY_SECONDS, SESSION_SECONDS } from './sessions.ts';

const HOUR_SECONDS = 3600;
const KEY_SECONDS = 90 * 86_400;

export interface Library {
  handler(request: Request): Promise<Response>;
}

export function createLibrary(ctx: Context, parts: LibraryParts): Library {
  return betterAuth(libraryOptions(ctx, parts));
}

function libraryOptions(ctx: Context, { mailer, background }: LibraryParts): BetterAuthOptions {
  const { config } = ctx;
  const messages = mailMessages(config);
  const adapter = createLibraryAdapter(ctx);
  return {
    appName: config.siteName,
    baseURL: config.baseUrl,
    basePath: '/api/auth',
    secrets: authSecrets(ctx),
    trustedOrigins: config.trustedOrigins,
    database: adapter.database,
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { level: 'error', log: (_level, message, ...facts) => logMessage(ctx, message, facts) },
    onAPIError: { errorURL: `${config.webUrl}/login`, onError: (error) => report(ctx, error) },
    advanced: {
      // The HTTP kernel checks where requests come from, for these routes as for all others.
      disableCSRFCheck: true,
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: isSecure(config),
      crossSubDomainCookies: config.cookieDomain ? { enabled: true, domain: config.cookieDomain } : { enabled: false },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: ({ model }) => newAccountId(model, ctx.randomBytes) },
      backgroundTasks: { handler: (work) => background.start(work) },
    },
    session: { expiresIn: SESSION_SECONDS, updateAge: RENEWED_EVERY_SECONDS, cookieCache: { enabled: false } },
    verification: { storeIdentifier: 'hashed' },
    user: { changeEmail: { enabled: true, updateEmailWithoutVerification: !mailer.available } },
    account: {
      encryptOAuthTokens: true,
      accountLinking: { enabled: true, requireLocalEmailVerified: true, trustedProviders: [] },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: config.signup === 'closed',
      requireEmailVerification: mailer.available,
      minPasswordLength: CODE_UNITS.fewest,
      maxPasswordLength: CODE_UNITS.most,
      resetPasswordTokenExpiresIn: HOUR_SECONDS,
      revokeSessionsOnPasswordReset: true,
      password: libraryPasswords(ctx),
      ...(mailer.available
        ? { sendResetPassword: ({ user, token }) => mailer.send(messages.reset(user.email, token)) }
        : {}),
    },
    ...(mailer.available
      ? {
          emailVerification: {
            sendOnSignUp: true,
            sendOnSignIn: true,
            autoSignInAfterVerification: true,
            expiresIn: HOUR_SECONDS,
            sendVerificationEmail: ({ user, url }) => mailer.send(messages.verify(user.email, url)),
          },
        }
      : {}),
    socialProviders: socialProviders(config),
    databaseHooks: databaseHooks(adapter),
    plugins: [
      bearer(),
      jwt({
        disableSettingJwtHeader: true,
        jwt: { issuer: issuerOf(config) },
        jwks: {
          keyPairConfig: { alg: 'EdDSA', crv: 'Ed25519' },
          rotationInterval: KEY_SECONDS,
          gracePeriod: PUBLISHED_AFTER_MS / 1000,
        },
      }),
      deviceAuthorization({
        verificationUri: `${config.webUrl}/device`,
        expiresIn: '30m',
        interval: '5s',
        deviceCodeLength: 40,
        userCodeLength: 8,
        validateClient: (id) => isDeviceClient(config, id),
      }),
      oauthProvider({
        loginPage: `${config.webUrl}/login`,
        consentPage: `${config.webUrl}/oauth/consent`,
        signup: { page: `${config.webUrl}/signup` },
        scopes: [...OAUTH_SCOPES],
        grantTypes: ['authorization_code', 'refresh_token'],
        accessTokenExpiresIn: HOUR_SECONDS,
        idTokenExpiresIn: HOUR_SECONDS,
        refreshTokenExpiresIn: REFRESH_SECONDS,
        prefix: { refreshToken: REFRESH_PREFIX, clientSecret: CLIENT_SECRET_PREFIX },
        storeTokens: 'hashed',
        storeClientSecret: 'hashed',
        resources: resourcesOf(config),
        enforcePerClientResources: false,
        extensions: [
          { claims: { accessToken: async ({ ctx: call }) => ({ gid: await grantOf(adapter.context(), call.body) }) } },
        ],
        silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
      }),
    ],
  };
}

// Messages of the library may contain user input, so they are logged as a field and not as the message.
function logMessage({ log }: Context, said: string, facts: readonly unknown[]): void {
  const err = facts.find((fact) => fact instanceof Error);
  if (err) log.error({ err, said }, 'sign-in library reported a failure');
  else log.debug({ said }, 'sign-in library');
}

// A refusal is an answer to the caller. Any other error is thrown to the HTTP kernel, which logs and answers it like
// those of all other routes; the library would print it to the terminal.
function report({ log }: Context, error: unknown): void {
  const status = isRecord(error) ? error.statusCode : undefined;
  if (typeof status !== 'number') throw error;
  if (status >= 500) log.error({ err: error }, 'sign-in failed');
}

function socialProviders({ social, signup }: Config): BetterAuthOptions['socialProviders'] {
  const disableSignUp = signup === 'closed';
  const app = ({ id, secret }: { id: string; secret: string }) => ({
    clientId: id,
    clientSecret: secret,
    disableSignUp,
  });
  return {
    ...(social.github ? { github: app(social.github) } : {}),
    ...(social.google ? { google: app(social.google) } : {}),
  };
}

// The grant in which a token is about to be issued, from the request for it.
async function grantOf(ctx: Context, body: { code?: unknown; refresh_token?: unknown } | undefined): Promise<string> {
  if (typeof body?.code === 'string') return storedForm(body.code);
  const row = typeof body?.refresh_token === 'string' ? await findRefreshToken(ctx, body.refresh_token) : null;
  if (!row?.authorization_code_id) throw new Error('a token was asked for outside any grant');
  return row.authorization_code_id;
}

// What is checked before the sign-in library writes a row: profiles, disabled accounts, the lifetime of codes.

const CODE_SECONDS = 60;

function databaseHooks({ context }: LibraryAdapter): BetterAuthOptions['databaseHooks'] {
  const checkProfile = async (user: Record<string, unknown>) => {
    const fault = profileFault(user);
    if (fault) throw new APIError('BAD_REQUEST', { code: 'INVALID_PROFILE', message: fault });
    return { data: user };
  };
  return {
    user: { create: { before: checkProfile as never }, update: { before: checkProfile as never } },
    session: {
      create: {
        // A disabled account gets the same answer as a wrong password.
        before: async ({ userId }) => {
          const user = await queries(context())
            .selectFrom('users')
            .select('disabled_at')
            .where('id', '=', userId)
            .executeTakeFirst();
          if (user?.disabled_at) {
            throw new APIError('UNAUTHORIZED', {
              code: 'INVALID_EMAIL_OR_PASSWORD',
              message: 'Invalid email or password',
            });
          }
        },
      },
    },
    verification: {
      create: {
        // The library gives a code and the form that leads to it one lifetime; people need longer than apps.
        before: async (row) => {
          if (!row.value.startsWith('{"type":"authorization_code"')) return;
          return { data: { ...row, expiresAt: new Date(row.createdAt.getTime() + CODE_SECONDS * 1000) } };
        },
      },
    },
  };
}

// What an account says about its owner.
const MAX_NAME_LENGTH = 80;
const MAX_IMAGE_LENGTH = 2000;
const MAX_EMAIL_LENGTH = 254;

// Null: nothing is wrong with what is given; what is absent is not looked at.
function profileFault(profile: Record<string, unknown>): string | null {
  const { name, image, email } = profile;
  if (name !== undefined && !isName(name)) return `name must have 1 to ${MAX_NAME_LENGTH} characters`;
  if (image !== undefined && image !== null && !isImage(image)) return 'image must be an https address';
  if (typeof email === 'string' && email.length > MAX_EMAIL_LENGTH) return 'email is too long';
  return null;
}

function isName(value: unknown): boolean {
  return (
    typeof value === 'string' && value.trim() !== '' && [...value].length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(value)
  );
}

function isImage(value: unknown): boolean {
  return (
    typeof value === 'string' && value.length <= MAX_IMAGE_LENGTH && /^https:\/\//i.test(value) && URL.canParse(value)
  );
}
