// A feed that answers from another address for good gets that address, but not on the word of a single answer: a
// captive portal or a slip of the operator redirects permanently, too.
import type { Redirect } from '../../../net/result.ts';
import type { Memory } from '../contract.ts';

const MOVED = 'moved';
const SIGHTINGS = 3;
const PERMANENT = new Set([301, 308]);

export interface Move {
  // The new address, once it has been seen often enough.
  replacement: string | null;
  memory: Memory;
}

// To be asked after a successful fetch only.
export function rememberRedirects(redirects: readonly Redirect[], memory: Memory = {}): Move {
  const target = permanentTarget(redirects);
  const before = memory[MOVED] as { address: string; seen: number } | undefined;
  if (target === null) return { replacement: null, memory: before ? { [MOVED]: null } : {} };
  const seen = before?.address === target ? before.seen + 1 : 1;
  if (seen < SIGHTINGS) return { replacement: null, memory: { [MOVED]: { address: target, seen } } };
  return { replacement: target, memory: { [MOVED]: null } };
}

// Where a chain leads as far as it is permanent from its beginning.
export function permanentTarget(redirects: readonly Redirect[]): string | null {
  let target: string | null = null;
  for (const { status, to } of redirects) {
    if (!PERMANENT.has(status)) break;
    target = to;
  }
  return target;
}
