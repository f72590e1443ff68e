import { ApiError, type ErrorCode } from '../../src/contract/errors.ts';

interface Refusal {
  code: ErrorCode;
  details: unknown;
}

// The error that a call was refused with, or null when it succeeded; any other error is thrown.
export async function refused(work: Promise<unknown>): Promise<Refusal | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, details: error.details };
  }
}
