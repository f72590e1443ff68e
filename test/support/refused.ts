import assert from 'node:assert/strict';
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

// Every call was refused alike: '404 not_found'.
export function assertRefused(
  refusal: string,
  answers: readonly { status: number; body: { error?: { code: string } } }[],
): void {
  const given = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`);
  assert.deepEqual(given, Array(answers.length).fill(refusal));
}
