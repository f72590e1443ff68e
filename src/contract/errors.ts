// The closed set of error types and the registry of codes. The name, type and status of a published code never change.

export const ERROR_STATUS = {
  validation: 400,
  unauthorized: 401,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  upstream: 502,
  unavailable: 503,
  internal: 500,
} as const;

type ErrorType = keyof typeof ERROR_STATUS;

export const ERROR_CODES = {
  bad_request: 'validation',
  validation_failed: 'validation',
  invalid_json: 'validation',
  unsupported_media_type: 'validation',
  bare_slug_rejected: 'validation',
  invalid_cursor: 'validation',
  unauthorized: 'unauthorized',
  forbidden: 'forbidden',
  insufficient_scope: 'insufficient_scope',
  not_found: 'not_found',
  method_not_allowed: 'not_found',
  client_not_found: 'not_found',
  conflict: 'conflict',
  ambiguous_slug: 'conflict',
  slug_reserved: 'conflict',
  api_key_limit: 'conflict',
  idempotency_conflict: 'conflict',
  idempotency_in_progress: 'conflict',
  busy: 'conflict',
  payload_too_large: 'too_large',
  rate_limited: 'rate_limited',
  limit_exceeded: 'rate_limited',
  upstream_error: 'upstream',
  service_unavailable: 'unavailable',
  embed_unavailable: 'unavailable',
  database_not_initialized: 'unavailable',
  idempotency_unavailable: 'unavailable',
  internal_error: 'internal',
} as const satisfies Record<string, ErrorType>;

export type ErrorCode = keyof typeof ERROR_CODES;

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, details?: unknown, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
    this.headers = headers;
  }

  get type(): ErrorType {
    return ERROR_CODES[this.code];
  }

  get status(): number {
    return ERROR_STATUS[this.type];
  }

  toBody(): { error: { code: ErrorCode; type: ErrorType; message: string; details?: unknown } } {
    const error = { code: this.code, type: this.type, message: this.message };
    return { error: this.details === undefined ? error : { ...error, details: this.details } };
  }
}

export function badRequest(parameter: string, reason: string): ApiError {
  return new ApiError('bad_request', `${parameter}: ${reason}`, { parameter, reason });
}

// `field` names a body or query field that pointed at the missing entity; path entities have none.
export function notFound(entity: string, value: string, where?: { field?: string; parameter?: string }): ApiError {
  return new ApiError('not_found', `${entity} not found: ${value}`, { entity, value, ...where });
}

export interface Issue {
  path: string;
  reason: string;
}

export function validationFailed(issues: Issue[], more?: object): ApiError {
  const message = issues.map((issue) => (issue.path ? `${issue.path}: ${issue.reason}` : issue.reason)).join('; ');
  return new ApiError('validation_failed', message, { issues, ...more });
}

export function conflict(field: string, value: string, existingId: string): ApiError {
  return new ApiError('conflict', `${field} already exists: ${value}`, { field, value, existingId });
}
