type ModelFailureCode =
  | 'timeout'
  | 'unreachable'
  | 'throttled'
  // The key or the name of the model is not accepted.
  | 'refused'
  | 'failed'
  // The answer does not follow the protocol.
  | 'malformed'
  | 'aborted'
  // The daily token limit of the operator is used up.
  | 'daily_cap';

// The only error that models throw; its message holds neither prompt nor answer nor key.
export class ModelFailure extends Error {
  readonly code: ModelFailureCode;
  // The time before which the server asks not to be called again; null when it named none.
  readonly retryAt: string | null;

  constructor(code: ModelFailureCode, detail: string, retryAt: string | null = null) {
    super(detail);
    this.name = 'ModelFailure';
    this.code = code;
    this.retryAt = retryAt;
  }
}
