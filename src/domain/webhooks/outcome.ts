// What the result of an attempt means for its delivery.

export type DeliveryOutcome = 'success' | 'retry' | 'perm_fail' | 'dlq' | 'auto_disabled' | 'skipped';

type Fault = 'timeout' | 'dns_error' | 'connection_refused' | 'connection_reset' | 'tls_error' | 'network';

export type AttemptResult =
  // The receiver answered; the text is the beginning of its answer.
  | { status: number; text: string }
  | { fault: Fault; text: string }
  // The address breaks a rule, so nothing was sent.
  | { refused: string };

export interface AttemptVerdict {
  verdict: 'delivered' | 'again' | 'never';
  httpStatus: number;
  errorCode: string | null;
  errorMessage: string;
}

export const GONE = 410;

const PASSING = new Set([408, 425, 429]);

export function verdictOf(result: AttemptResult): AttemptVerdict {
  if ('refused' in result) {
    return { verdict: 'never', httpStatus: 0, errorCode: 'ssrf_blocked', errorMessage: result.refused };
  }
  if ('fault' in result) {
    return { verdict: 'again', httpStatus: 0, errorCode: result.fault, errorMessage: result.text };
  }
  const { status, text } = result;
  const answered = { httpStatus: status, errorMessage: text };
  if (isSuccess(status)) return { ...answered, verdict: 'delivered', errorCode: null, errorMessage: '' };
  if (PASSING.has(status)) return { ...answered, verdict: 'again', errorCode: `http_${status}` };
  if (status >= 500 && status < 600) return { ...answered, verdict: 'again', errorCode: 'http_5xx' };
  if (status >= 300 && status < 400) {
    return { ...answered, verdict: 'never', errorCode: 'redirect', errorMessage: 'redirect not followed' };
  }
  return { ...answered, verdict: 'never', errorCode: status === GONE ? 'gone' : 'http_4xx' };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
