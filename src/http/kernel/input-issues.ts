// Turns zod errors into the issues of the API, one per field.
import type { z } from 'zod';
import { ApiError, type Issue } from '../../contract/errors.ts';

type ZodIssue = z.core.$ZodIssue;

export function bodyIssues(error: z.core.$ZodError): Issue[] {
  return error.issues.flatMap((issue) => toIssues(issue, []));
}

function toIssues(issue: ZodIssue, parent: PropertyKey[]): Issue[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key].map(String).join('.'), reason: 'unknown field' }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // The client most likely meant the alternative whose errors are all in nested fields.
    const nearest = issue.errors.find((branch) => branch.every((each) => each.path.length > 0));
    if (nearest) return nearest.flatMap((each) => toIssues(each, path));
    const reasons = [...new Set(issue.errors.flat().map(reasonOf))];
    return [{ path: path.map(String).join('.'), reason: reasons.join(' or ') }];
  }
  return [{ path: path.map(String).join('.'), reason: reasonOf(issue) }];
}

function reasonOf(issue: ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return 'is required';
  return issue.message;
}

// The message names every invalid parameter; `details` holds the first.
export function queryFailure(error: z.core.$ZodError): ApiError {
  const issues = error.issues.map((issue) => ({ parameter: String(issue.path[0] ?? ''), reason: issue.message }));
  const message = issues.map(({ parameter, reason }) => `${parameter}: ${reason}`).join('; ');
  return new ApiError('bad_request', message, issues.length > 1 ? { ...issues[0], issues } : issues[0]);
}
