import { ApiError, type ErrorCode } from '../../src/contract/errors.ts';

interface Refusal {
  code: ErrorCode;
  details: unknown;
}

// What a call was refused with, or null when it was not; anything but a refusal is thrown on.
export async function refused(work: Promise<unknown>): Promise<Refusal | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, details: error.details };
  }
}
