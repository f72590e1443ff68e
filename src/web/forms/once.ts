// A form whose answer shows a secret works once: when it is sent again, nothing is created or shown.

import { ownAccount } from '../../accounts/describe-caller.ts';
import { runOnce } from '../../accounts/idempotency.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { randomBase62 } from '../../domain/secret-text.ts';
import type { Visit } from '../visit.ts';

const LENGTH = 24;
const TOKEN = /^[0-9A-Za-z]{24}$/;

// The value of the hidden field `once`.
export function onceToken({ randomBytes }: Pick<Context, 'randomBytes'>): string {
  return randomBase62(LENGTH, randomBytes);
}

interface OnceOptions {
  // The work sends requests to other servers, so it must not run inside a transaction.
  outbound?: boolean;
}

// Returns the result of the work, or null when the form was sent before. A form whose work failed may be sent again.
export async function onlyOnce<T>(
  { ctx, form, request }: Visit,
  work: (ctx: Context) => Promise<T>,
  { outbound = false }: OnceOptions = {},
): Promise<T | null> {
  const key = form.get('once') ?? '';
  if (!TOKEN.test(key)) {
    throw new ApiError('forbidden', 'the form is too old or was not drawn here; load the page again', {
      reason: 'once',
    });
  }
  let made: T | null = null;
  const call = {
    callerKey: `form:${ownAccount(ctx).userId}`,
    key,
    fingerprint: request.target.path,
    outbound,
  };
  try {
    await runOnce(ctx, call, async (ctx) => {
      made = await work(ctx);
      return { status: 200, body: null, headers: {}, repeatable: null };
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'idempotency_in_progress') return null;
    throw error;
  }
  return made;
}
