// How many entries the pinned parser found last time, kept beside the validators: one transaction writes both.
import type { Validator } from '../contract.ts';

const ENDPOINT = 'entries';

export function recallParser(
  parser: string | null,
  validators: readonly Validator[],
): { parser: string; entries: number } | null {
  if (parser === null) return null;
  const stored = validators.find(({ endpoint }) => endpoint === ENDPOINT)?.contentHash;
  const [count = '', name] = stored?.split(' ') ?? [];
  // A count of another parser says nothing about this one, which a person may have chosen.
  return { parser, entries: name === parser ? Number(count) : 0 };
}

export function rememberParser(parser: string, entries: number): Validator {
  return {
    endpoint: ENDPOINT,
    etag: null,
    lastModified: null,
    contentHash: `${entries} ${parser}`,
    tokenFingerprint: null,
  };
}
