// Proof that the owner of an account is at the keyboard, and not only somebody who found the session open.
import { isFreshSignIn, signInMethods } from '../../accounts/auth/users.ts';
import { takeBack } from '../../accounts/limits.ts';
import { ApiError } from '../../contract/errors.ts';
import type { LimitPolicy } from '../kernel/limits.ts';
import { type AuthCall, textOf } from './call.ts';

const WRONG_CURRENT: LimitPolicy = { policy: 'current-password', limit: 10, windowSeconds: 3600 };

// The current password, or for an account without one a sign-in a moment ago.
export async function requireOwner(call: AuthCall): Promise<void> {
  const { ctx, session } = call;
  const { hasPassword } = await signInMethods(ctx);
  if (!hasPassword) {
    if (isFreshSignIn(ctx)) return;
    throw new ApiError('forbidden', 'sign in again first', { reason: 'recent_sign_in_required' });
  }
  const password = textOf(call, 'password') ?? textOf(call, 'currentPassword');
  if (password === undefined) {
    throw new ApiError('bad_request', 'the current password is needed', {
      field: 'password',
      reason: 'password_required',
    });
  }
  const { isPasswordOf } = await import('../../accounts/auth/hashing.ts');
  const isRight = await limitedGuess(call, {
    guess: () => isPasswordOf(ctx, { userId: session?.userId ?? '', password }),
    isWrong: async (right) => !right,
  });
  if (!isRight) throw new ApiError('bad_request', 'the password is wrong', { field: 'password' });
}

interface Guess<T> {
  guess(): Promise<T>;
  isWrong(answer: T): Promise<boolean>;
}

// Wrong passwords inside a session count for the account. A guess is counted before it is checked, so that many at once
// do not pass together, and given back when it is right.
export async function limitedGuess<T>({ ctx, request, session }: AuthCall, { guess, isWrong }: Guess<T>): Promise<T> {
  const key = `account:${session?.userId}`;
  await request.takeLimit(WRONG_CURRENT, key);
  const answer = await guess();
  if (!(await isWrong(answer))) await takeBack(ctx, `${WRONG_CURRENT.policy}:${key}`);
  return answer;
}
