// The results of a fetch. Nothing that a stranger's server does is an exception.
import type { RefusalReason } from '../domain/net/target.ts';

export type RequestFailure = { detail: string } & (
  | // A time limit of the request: to connect (TCP and TLS), to the end of the answer's headers, over everything.
  { failure: 'timeout'; code: 'connect' | 'first_byte' | 'total' }
  // The name has no address or the network did not carry the request. The codes are those of delivery logs.
  | { failure: 'unreachable'; code: 'dns_error' | 'connection_refused' | 'connection_reset' | 'tls_error' | 'network' }
  // The guard said no, before a byte was sent to this target. Of a redirect target, too: `url` tells which.
  | { failure: 'refused'; code: RefusalReason | 'invalid_header' }
  // The body is over the cap, as it came or unpacked; it was not read to its end.
  | { failure: 'too_large'; code: 'received' | 'unpacked' }
  // A content coding that was not asked for, or data that is not what the coding says.
  | { failure: 'malformed_encoding'; code: 'unknown_coding' | 'broken_data' }
  // Not HTTP.
  | { failure: 'malformed_answer'; code: 'not_http' }
  // A redirect that is not followed: over the limit, back to an address of the same chain, https to http, a location
  // that is missing or no address, or one that the caller does not want.
  | { failure: 'redirect'; code: 'too_many' | 'loop' | 'downgrade' | 'bad_location' | 'unwanted' }
  // The caller's signal.
  | { failure: 'aborted'; code: 'aborted' }
);

export interface Redirect {
  status: number;
  from: string;
  to: string;
}

interface TripInfo {
  // The redirects that were followed.
  redirects: Redirect[];
  // Requests that were tried on the wire, with redirects and the retry; 0 means that nothing left the machine.
  requests: number;
  // Body bytes as they came over the wire, of all requests.
  bytes: number;
}

export type FetchSuccess = TripInfo & {
  ok: true;
  // Any status: what 404 or 503 means is the caller's to say.
  status: number;
  // Names in lower case, repeated headers joined, cookies left out.
  headers: Readonly<Record<string, string>>;
  // Unpacked.
  body: Uint8Array;
  // The body was longer than the cap and the caller asked for its beginning.
  truncated: boolean;
  finalUrl: string;
};

export type FetchFailure = TripInfo &
  RequestFailure & {
    ok: false;
    // Of the answer that failed, when there was one.
    status: number | null;
    // The address that failed: the last hop.
    url: string;
  };

export type FetchResult = FetchSuccess | FetchFailure;

const RESET = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_EOF_STATE']);

export type Phase = 'connect' | 'tls' | 'exchange';

// A fault of a socket or of the parser of answers, in the terms of the result.
export function failureOf(error: unknown, phase: Phase): RequestFailure {
  const code = codeOf(error);
  const detail = code;
  if (code === 'ECONNREFUSED') return { failure: 'unreachable', code: 'connection_refused', detail };
  if (RESET.has(code)) return { failure: 'unreachable', code: 'connection_reset', detail };
  if (code === 'ETIMEDOUT') return { failure: 'timeout', code: phase === 'exchange' ? 'total' : 'connect', detail };
  if (phase === 'tls' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    return { failure: 'unreachable', code: 'tls_error', detail };
  }
  if (code.startsWith('HPE_')) return { failure: 'malformed_answer', code: 'not_http', detail };
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN') {
    return { failure: 'refused', code: 'invalid_header', detail };
  }
  return { failure: 'unreachable', code: 'network', detail };
}

export function timedOut(code: 'connect' | 'first_byte' | 'total', ms: number): RequestFailure {
  const phase = { connect: 'no connection', first_byte: 'no answer', total: 'not finished' }[code];
  return { failure: 'timeout', code, detail: `${phase} within ${Number((ms / 1000).toFixed(1))} s` };
}

export const ABORTED: RequestFailure = { failure: 'aborted', code: 'aborted', detail: 'stopped by the caller' };

// The code and never the message: messages hold addresses, which can be secrets.
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown fault';
}
