export interface Limits {
  // TCP and TLS together.
  connectMs: number;
  // From the request to the end of the answer's headers.
  firstByteMs: number;
  // From the first name lookup to the last byte, with redirects and the retry, without waits for politeness.
  totalMs: number;
  // Of the body, as it comes and unpacked.
  maxBytes: number;
  maxRedirects: number;
}

export const DEFAULT_LIMITS: Limits = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  totalMs: 20_000,
  maxBytes: 10 * 1024 * 1024,
  maxRedirects: 5,
};
