// The account behind the call. Routes of accounts have checked that there is one.
import type { Context } from '../context.ts';
import type { AccountCredential } from '../contract/caller.ts';
import { ApiError } from '../contract/errors.ts';

export function ownAccount({ caller }: Context): AccountCredential {
  if (caller.account) return caller.account;
  throw new ApiError('unauthorized', 'this call needs the credential of an account');
}
