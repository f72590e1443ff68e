// A permanent redirect of a feed is stored only after several answers, because captive portals and configuration mistakes
// redirect permanently too.
import type { Redirect } from '../../net/result.ts';
import { type Memory, memoryKey, recall, remember } from './memory.ts';

const MOVED = memoryKey<{ address: string; seen: number }>('moved');
const SIGHTINGS = 3;
const PERMANENT = new Set([301, 308]);

export interface Move {
  // The new address after enough redirects to it; null before.
  replacement: string | null;
  memory: Memory;
}

// Called after a successful fetch only.
export function rememberRedirects(redirects: readonly Redirect[], memory: Memory = {}): Move {
  const target = permanentTarget(redirects);
  const before = recall(memory, MOVED);
  if (target === null) return { replacement: null, memory: before ? remember(MOVED, null) : {} };
  const seen = before?.address === target ? before.seen + 1 : 1;
  if (seen < SIGHTINGS) return { replacement: null, memory: remember(MOVED, { address: target, seen }) };
  return { replacement: target, memory: remember(MOVED, null) };
}

// The address up to which a chain of redirects is permanent.
export function permanentTarget(redirects: readonly Redirect[]): string | null {
  let target: string | null = null;
  for (const { status, to } of redirects) {
    if (!PERMANENT.has(status)) break;
    target = to;
  }
  return target;
}
