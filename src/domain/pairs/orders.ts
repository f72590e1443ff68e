// Who may order comparisons. Ordering makes the registry download packages, so a question of somebody without a name gets a
// share, and one that nobody has asked for himself (a crawler, a badge, a bot without a key) gets nothing.
import { addressKey } from '../net/address-key.ts';
import { PAIR_RANKS, type PairRank } from './range-pairs.ts';

export interface Orderer {
  // The key of the allowance that is used up; null when there is no limit.
  payer: string | null;
}

interface Asking {
  kind: string;
  ip: string;
  // Nobody waits for the answer.
  passive?: true;
}

export const ANONYMOUS_PAIRS_AN_HOUR = 20;
// The part of a day's downloads that all orders without a credential share.
const ANONYMOUS_SHARE = 1 / 2;

export function ordererOf({ kind, ip, passive }: Asking): Orderer | null {
  if (kind !== 'anonymous') return { payer: null };
  return passive ? null : { payer: `evidence:ip:${addressKey(ip)}` };
}

// What may still be downloaded today, in bytes.
export function volumeLeft(dailyMb: number, used: { bytes: number; anonymousBytes: number }) {
  const daily = dailyMb * 1_000_000;
  const all = Math.max(0, daily - used.bytes);
  return { all, anonymous: Math.min(all, Math.max(0, daily * ANONYMOUS_SHARE - used.anonymousBytes)) };
}

// The lower, the sooner: what somebody asked for comes first, and whole ranges before what explains them.
export function priorityOf(rank: PairRank): number {
  return PAIR_RANKS.indexOf(rank);
}
