// The session cookie: the token and a signature, so that a made-up value never reaches the database.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { authSecret } from './secret.ts';
import { SESSION_SECONDS } from './sessions.ts';

export const COOKIE_PREFIX = 'registry';

export function isSecure({ baseUrl }: Pick<Config, 'baseUrl'>): boolean {
  return baseUrl.startsWith('https:');
}

export function sessionCookieName(config: Pick<Config, 'baseUrl'>): string {
  return `${isSecure(config) ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;
}

export function hasSessionCookie({ config }: Pick<Context, 'config'>, cookies: string): boolean {
  return cookieNamed(cookies, sessionCookieName(config)) !== null;
}

// The token in a Cookie header; null when there is none that this service signed.
export function readSessionCookie(ctx: Pick<Context, 'config' | 'secrets'>, cookies: string): string | null {
  const value = cookieNamed(cookies, sessionCookieName(ctx.config));
  if (value === null || ctx.secrets === null) return null;
  const dot = value.lastIndexOf('.');
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const given = Buffer.from(value.slice(dot + 1));
  const expected = Buffer.from(signatureOf(ctx, token));
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null;
}

export function renewedCookie(ctx: Pick<Context, 'config' | 'secrets'>, token: string): string {
  const { config } = ctx;
  const value = encodeURIComponent(`${token}.${signatureOf(ctx, token)}`);
  const domain = config.cookieDomain ? `; Domain=${config.cookieDomain}` : '';
  const secure = isSecure(config) ? '; Secure' : '';
  const attributes = `Max-Age=${SESSION_SECONDS}${domain}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  return `${sessionCookieName(config)}=${value}; ${attributes}`;
}

export function cookieNamed(cookies: string, name: string): string | null {
  for (const part of cookies.split(';')) {
    const equals = part.indexOf('=');
    if (equals < 0 || part.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(part.slice(equals + 1).trim());
    } catch {
      return null;
    }
  }
  return null;
}

function signatureOf(ctx: Pick<Context, 'secrets'>, token: string): string {
  return createHmac('sha256', authSecret(ctx)).update(token).digest('base64');
}
