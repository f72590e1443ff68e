// Reads answered by a running service over its HTTP API.
import type { z } from 'zod';
import { ApiError, ERROR_CODES, type ErrorCode } from '../contract/errors.ts';
import { isRecord, keysOf } from '../domain/records.ts';
import { queryTexts, READS, type ReadInput, type RegistryApi, SENDS } from './registry-api.ts';

interface RemoteApiOptions {
  // Address of the service, without /v1.
  server: string;
  credential?: string | undefined;
  fetch?: typeof fetch;
}

const TIMEOUT_MS = 30_000;

export function createRemoteApi({ server, credential, fetch: send = fetch }: RemoteApiOptions): RegistryApi {
  const headers = { Accept: 'application/json', ...(credential ? { Authorization: `Bearer ${credential}` } : {}) };
  async function ask(path: string, init: RequestInit): Promise<unknown> {
    const url = new URL(`v1${path}`, server.endsWith('/') ? server : `${server}/`);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await send(url, { ...init, signal }).catch((cause: Error) => {
      throw new ApiError('service_unavailable', `${server} does not answer (${cause.message})`);
    });
    const body: unknown = await response.json().catch(() => null);
    if (!response.ok) throw refusal(response, body);
    return body;
  }
  return {
    get: async (path, input = {}) =>
      readAnswer(READS[path], `GET /v1${path}`, await ask(fillPath(path, input), { headers })) as never,
    async send(call, { params = {}, body } = {}) {
      const [method = '', path = ''] = call.split(' ');
      const content = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const init = {
        method,
        headers: { ...headers, ...content },
        body: body === undefined ? null : JSON.stringify(body),
      };
      return readAnswer(SENDS[call], call, await ask(fillPath(path, { params }), init)) as never;
    },
  };
}

function fillPath(path: string, { params = {}, query }: ReadInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((params[name] ?? '').toWellFormed()),
  );
  const search = new URLSearchParams(queryTexts(query)).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

// Checks that the answer of a server, which may have another version, holds what the tools read; other fields are dropped.
function readAnswer(schema: z.ZodType, call: string, body: unknown): unknown {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new ApiError('upstream_error', `the server answered ${call} in an unknown form`);
}

function refusal(response: Response, body: unknown): ApiError {
  const { code, message, details } = isRecord(body) && isRecord(body.error) ? body.error : {};
  const known = keysOf(ERROR_CODES).find((each) => each === code);
  const fallback: ErrorCode = response.status >= 500 ? 'service_unavailable' : 'bad_request';
  const retryAfter = response.headers.get('retry-after');
  return new ApiError(
    known ?? fallback,
    typeof message === 'string' ? message : `the server answered with status ${response.status}`,
    details,
    retryAfter === null ? {} : { 'Retry-After': retryAfter },
  );
}
