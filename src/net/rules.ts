import type { TargetRules } from '../domain/net/target.ts';
import type { BodyRules } from './body.ts';

export interface Limits {
  // TCP and TLS together.
  connectMs: number;
  // From the request to the end of the answer's headers.
  firstByteMs: number;
  // From the first name lookup to the last byte, with redirects and the retry, without waits for politeness.
  totalMs: number;
  // Of the body, as it comes and unpacked.
  maxBytes: number;
  // With 0 a redirect is returned like any other answer.
  maxRedirects: number;
}

export interface FetchRules extends TargetRules {
  limits?: Partial<Limits>;
  overflow?: BodyRules['overflow'];
  codings?: BodyRules['codings'];
  // Retries once after a temporary failure; GET and HEAD only.
  retry?: boolean;
}

export type SettledRules = Required<FetchRules> & { limits: Limits };

const DEFAULTS: SettledRules = {
  httpsOnly: false,
  ports: 'any',
  overflow: 'fail',
  codings: 'packed',
  retry: true,
  limits: {
    connectMs: 5_000,
    firstByteMs: 10_000,
    totalMs: 20_000,
    maxBytes: 10 * 1024 * 1024,
    maxRedirects: 5,
  },
};

// The rules of a request over those of its client. A rule that is present but undefined changes nothing.
export function settleRules(client: FetchRules = {}, request: FetchRules = {}): SettledRules {
  const limits = { ...DEFAULTS.limits, ...stated(client.limits), ...stated(request.limits) };
  return { ...DEFAULTS, ...stated(client), ...stated(request), limits };
}

function stated<T extends object>(rules: T | undefined): Partial<T> {
  const found: Partial<T> = {};
  if (rules === undefined) return found;
  for (const name in rules) if (rules[name] !== undefined) found[name] = rules[name];
  return found;
}
