// Why an API call failed: the server's error message, or the network error.
import { errorCode, errorMessage, isRecord } from '../../domain/records.ts';
import { CommandFailure, type FailureBody } from '../command.ts';
import { printableLine } from './printable.ts';

// An error response; the message is for people, the body is the envelope that the server sent.
export class ApiFailure extends CommandFailure {
  readonly status: number;

  constructor(status: number, body: FailureBody, advice: string | null) {
    const message = printableLine(String(body.message));
    super(advice === null ? message : `${message}; ${advice}`, { body });
    this.status = status;
  }
}

export async function failureOf(response: Response): Promise<ApiFailure> {
  const answer: unknown = await response.json().catch(() => null);
  const fallback: FailureBody = {
    code: 'failed',
    type: response.status >= 500 ? 'unavailable' : 'validation',
    message: `the server answered with status ${response.status}`,
  };
  return new ApiFailure(response.status, envelopeOf(answer) ?? fallback, adviceOn(response));
}

// `/v1` sends the error envelope; `/api/auth` uses the formats of its protocols.
function envelopeOf(answer: unknown): FailureBody | null {
  if (!isRecord(answer)) return null;
  const { error } = answer;
  if (isRecord(error)) {
    const { code, type, message } = error;
    return { ...error, code: String(code), type: String(type), message: String(message) };
  }
  if (typeof error === 'string') {
    return { code: error, type: 'validation', message: String(answer.error_description ?? error) };
  }
  if (typeof answer.code === 'string' && typeof answer.message === 'string') {
    return { code: answer.code.toLowerCase(), type: 'validation', message: answer.message };
  }
  return null;
}

function adviceOn(response: Response): string | null {
  const seconds = retryAfter(response);
  if (response.status === 401) return 'run `registry login`, or set REGISTRY_API_KEY';
  if (response.status === 403) return 'the credential does not allow this; `registry whoami` tells which one is used';
  if (response.status === 404) return '`registry search` finds names';
  if (seconds !== null && response.status >= 429) return `try again in ${seconds} s`;
  return response.status >= 500 ? 'try again later' : null;
}

export function unreachable(
  { server, timeoutMs }: { server: string; timeoutMs: number },
  error: unknown,
): CommandFailure {
  if (isTimeout(error))
    return new CommandFailure(`${server} did not answer within ${timeoutMs / 1000} s; try again later`);
  const message = `${server} does not answer (${causeOf(error)})`;
  const advice = 'is the server running? --server or REGISTRY_API_URL names another one';
  const body = { code: 'connection_failed', type: 'unavailable', message };
  return new CommandFailure(`${message}; ${advice}`, { body });
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

// fetch puts the actual reason into the cause of its error.
export function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return String(errorCode(cause) ?? (errorMessage(cause) || errorMessage(error)));
}

// The seconds after which the server accepts another attempt.
export function retryAfter(response: Response): number | null {
  const value = response.headers.get('retry-after');
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : null;
}
