// How often a password may be tried. A guess is counted before it is checked, so that many at once do not pass
// together, and given back when it was right.
import { storedForm } from '../../accounts/auth/grants.ts';
import { knownDevice } from '../../accounts/auth/known-devices.ts';
import { attemptKey, consumeSharedLimit, takeBack } from '../../accounts/limits.ts';
import { ApiError } from '../../contract/errors.ts';
import { signInDelay } from '../../domain/sign-in-delay.ts';
import type { LimitPolicy } from '../kernel/limits.ts';
import type { AuthCall } from './call.ts';

const WRONG_PASSWORD: LimitPolicy = { policy: 'sign-in', limit: 5, windowSeconds: 900 };
const DAY_SECONDS = 86_400;
// The guesses of a day are counted on beyond the number from which they are delayed, because the delay grows.
const MOST_COUNTED = 1_000_000;

interface TakenGuess {
  giveBack(): Promise<void>;
}

// A browser that has signed in to the account before is counted by itself: neither wrong passwords from its address nor
// those from all others slow it down.
export async function takeGuess({ ctx, request }: AuthCall, email: string): Promise<TakenGuess> {
  const device = await knownDevice(ctx, { cookies: request.headers.cookie ?? '', email });
  const who = attemptKey(email, device === null ? request.client.key : `device:${device}`);
  await request.takeLimit(WRONG_PASSWORD, who);
  const pair = `${WRONG_PASSWORD.policy}:${who}`;
  if (device !== null) return { giveBack: () => takeBack(ctx, pair) };
  // By the address that was typed, whether it has an account or not.
  const account = storedForm(email.trim().toLowerCase());
  const day = `sign-in-account:${account}`;
  const giveBack = async () => {
    await takeBack(ctx, pair);
    await takeBack(ctx, day);
  };
  const { left } = await consumeSharedLimit(ctx, { key: day, limit: MOST_COUNTED, windowSeconds: DAY_SECONDS });
  const delay = signInDelay(MOST_COUNTED - left);
  if (delay === 0) return { giveBack };
  try {
    await request.takeLimit({ policy: 'sign-in-delay', limit: 1, windowSeconds: delay }, account);
  } catch (error) {
    await giveBack();
    throw error instanceof ApiError ? delayed(error) : error;
  }
  return { giveBack };
}

function delayed({ code, details, headers }: ApiError): ApiError {
  const seconds = headers['Retry-After'];
  return new ApiError(code, `many wrong passwords for this account today; try again in ${seconds} s`, details, headers);
}
