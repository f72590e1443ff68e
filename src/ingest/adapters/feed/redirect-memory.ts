// A feed that answers from another address for good gets that address, but not on the word of a single answer: a
// captive portal or a slip of the operator redirects permanently, too.
import type { Redirect } from '../../../net/result.ts';
import type { Validator } from '../contract.ts';

// Stored beside the validators of the source: the same transaction writes both, and no caller sees either.
const ENDPOINT = 'moved';
const SIGHTINGS = 3;
const PERMANENT = new Set([301, 308]);

export interface Move {
  // The new address, once it has been seen often enough.
  replacement: string | null;
  memory: Validator[];
}

/** To be asked after a successful fetch only. */
export function rememberRedirects(redirects: readonly Redirect[], validators: readonly Validator[]): Move {
  const target = permanentTarget(redirects);
  const before = validators.find(({ endpoint }) => endpoint === ENDPOINT)?.contentHash ?? null;
  if (target === null) return { replacement: null, memory: before === null ? [] : [memory(null)] };
  const { count, address } = /^(?<count>\d+) (?<address>\S+)$/.exec(before ?? '')?.groups ?? {};
  const seen = address === target ? Number(count) + 1 : 1;
  if (seen < SIGHTINGS) return { replacement: null, memory: [memory(`${seen} ${target}`)] };
  return { replacement: target, memory: [memory(null)] };
}

/** Where a chain leads as far as it is permanent from its beginning. */
export function permanentTarget(redirects: readonly Redirect[]): string | null {
  let target: string | null = null;
  for (const { status, to } of redirects) {
    if (!PERMANENT.has(status)) break;
    target = to;
  }
  return target;
}

function memory(text: string | null): Validator {
  return { endpoint: ENDPOINT, etag: null, lastModified: null, contentHash: text, tokenFingerprint: null };
}
