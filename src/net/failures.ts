import type { RequestFailure } from './result.ts';

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
  const what = { connect: 'no connection', first_byte: 'no answer', total: 'not finished' }[code];
  return { failure: 'timeout', code, detail: `${what} within ${Number((ms / 1000).toFixed(1))} s` };
}

export const ABORTED: RequestFailure = { failure: 'aborted', code: 'aborted', detail: 'stopped by the caller' };

// The code and never the message: messages hold addresses, which can be secrets.
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown fault';
}
