// Proves that a form was drawn by this service for this session: sessions and forms cannot be exchanged, and it ends.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../context.ts';
import { authSecret } from './secret.ts';

const LIFETIME_MS = 4 * 3_600_000;

interface FormOf {
  // Empty before anybody has signed in.
  sessionId: string;
  form: string;
}

type TokenContext = Pick<Context, 'secrets' | 'clock'>;

export function formToken(ctx: TokenContext, of: FormOf): string {
  const ends = (ctx.clock().getTime() + LIFETIME_MS).toString(36);
  return `${ends}.${signature(ctx, of, ends)}`;
}

export function isFormToken(ctx: TokenContext, of: FormOf, token: string): boolean {
  const [ends = '', given = ''] = token.split('.');
  const expected = Buffer.from(signature(ctx, of, ends));
  const presented = Buffer.from(given);
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return false;
  return Number.parseInt(ends, 36) > ctx.clock().getTime();
}

function signature(ctx: TokenContext, { sessionId, form }: FormOf, ends: string): string {
  return createHmac('sha256', authSecret(ctx)).update(`form\n${sessionId}\n${form}\n${ends}`).digest('base64url');
}
