// What is wrong with the arguments of a call, in words: the argument, what it must be and what was given.
import type { z } from 'zod';
import { type ApiError, type Issue, validationFailed } from '../contract/errors.ts';
import { inline, shortened } from './quoting.ts';
import type { Arguments } from './tool.ts';

type ZodIssue = z.core.$ZodIssue;

const MOST_ISSUES = 10;
const LONGEST_VALUE = 60;

export function argumentError(error: z.core.$ZodError, input: z.ZodObject, given: Arguments): ApiError {
  const all = error.issues.flatMap((issue) => issuesOf(issue, given));
  // What is wrong first about an argument explains the rest.
  const issues = [...new Map(all.toReversed().map((issue) => [issue.path, issue])).values()].toReversed();
  const isUnknown = error.issues.some(({ code }) => code === 'unrecognized_keys');
  const allowed = isUnknown ? [{ path: '', reason: `the arguments are ${Object.keys(input.shape).join(', ')}` }] : [];
  return validationFailed([...issues.slice(0, MOST_ISSUES), ...allowed]);
}

function issuesOf(issue: ZodIssue, given: Arguments): Issue[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ path: key, reason: 'unknown argument' }));
  const value = valueAt(given, issue.path);
  if (value === undefined) return [{ path, reason: 'is required' }];
  return [{ path, reason: `${demandOf(issue)}, not ${written(value)}` }];
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], given);
}

function written(value: unknown): string {
  return inline(shortened(JSON.stringify(value) ?? String(value), LONGEST_VALUE));
}

const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const UNITS: Record<string, string> = { string: ' characters', array: ' entries' };

function demandOf(issue: ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      if (UNITS[issue.origin] && issue.minimum === 1) return 'must not be empty';
      return `must ${UNITS[issue.origin] ? 'have' : 'be'} at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`;
    case 'too_big':
      return `must ${UNITS[issue.origin] ? 'have' : 'be'} at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return [...new Set(issue.errors.flatMap((branch) => branch.slice(0, 1).map(demandOf)))].join(' or ');
    default:
      return issue.message;
  }
}
