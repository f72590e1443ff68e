// What is read for an account while it is not there: by a job, or by an address that is a secret of its own.
import { type Context, plainAnswer } from '../context.ts';
import type { Caller } from '../contract/caller.ts';

// The owner sees private packages that an operator has admitted the account to, and no others.
export function onBehalfOf(ctx: Context, userId: string): Context {
  const account = { userId, id: null, grants: [], expiresAt: null };
  const caller: Caller = { kind: 'session', name: 'stack', scope: 'read', tokenId: null, account, ip: '' };
  return { ...ctx, caller, answer: plainAnswer() };
}
