// How long a device that never signed in to an account has to wait for its next try there, by the number of wrong
// passwords that the account has seen within a day. Nobody is refused for good: the wait grows to a minute and no
// further.
export const UNDELAYED_GUESSES = 50;
const MAX_SECONDS = 60;

export function signInDelay(guesses: number): number {
  if (guesses <= UNDELAYED_GUESSES) return 0;
  return Math.min(MAX_SECONDS, 2 ** Math.min(guesses - UNDELAYED_GUESSES - 1, 10));
}
