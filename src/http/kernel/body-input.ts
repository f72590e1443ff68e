// Turns the body of a request into the typed input of `run`, and what is wrong with it into issues.
import { z } from 'zod';
import { ApiError, type Issue, validationFailed } from '../../contract/errors.ts';
import { cleanLongText, hasControlCharacter, withoutDirections } from '../../domain/clean-text.ts';
import { cutLists } from './cut-lists.ts';
import type { CompiledRoute } from './router.ts';
import { judgeUnknownFields } from './unknown-fields.ts';

export function readBodyInput(route: CompiledRoute, given: unknown): unknown {
  const { declaration, body } = route;
  const cut = body ? cutLists(body, given) : given;
  const unknown = judgeUnknownFields(route, cut);
  const json = withoutFields(cut, unknown.shown);
  if (declaration.method === 'PATCH' && isEmptyObject(json)) {
    const reason = 'must name at least one field';
    throw new ApiError('bad_request', `body: ${reason}`, { field: 'body', reason });
  }
  const tidied = tidyBody(json, { dropNulls: declaration.method === 'POST' });
  const result = body?.safeParse(tidied.value);
  const wrong = result && !result.success ? bodyIssues(result.error) : [];
  const named = new Set(unknown.issues.map(({ path }) => path));
  const issues = [...unknown.issues, ...[...tidied.issues, ...wrong].filter(({ path }) => !named.has(path))];
  if (issues.length > 0) throw validationFailed(issues, declaration.reads && firstItemOf(issues));
  return result?.data;
}

function withoutFields(json: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0 || typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).filter(([name]) => !fields.includes(name)));
}

// The fields of a form by name; a repeated field becomes a list.
export function readFormInput({ body }: CompiledRoute, form: URLSearchParams): unknown {
  const given = Map.groupBy(form, ([name]) => name);
  const fields = Object.fromEntries(
    [...given].map(([name, pairs]) => [name, pairs.length > 1 ? pairs.map(([, value]) => value) : pairs[0]?.[1]]),
  );
  const result = (body ?? z.unknown()).safeParse(fields);
  if (!result.success) throw validationFailed(bodyIssues(result.error));
  return result.data;
}

// The position of the first invalid item in its list.
function firstItemOf(issues: readonly Issue[]): { index: number } | undefined {
  const positions = issues.flatMap(({ path }) => /^items\.(\d+)(?:\.|$)/.exec(path)?.[1] ?? []);
  return positions.length === 0 ? undefined : { index: Math.min(...positions.map(Number)) };
}

function isEmptyObject(json: unknown): boolean {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && Object.keys(json).length === 0;
}

// Turns zod errors into the issues of the API, one per field.

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

// Normalization of every JSON body before its schema: nulls of a POST, white space and control characters.

const UNTRIMMED = new Set(['content', 'notes', 'changelog', 'body']);
const LONG = new Set([...UNTRIMMED, 'summary', 'migrationNotes', 'description', 'message']);
// The keys and texts of this field belong to the source, so they are not changed.
const OPAQUE = 'metadata';

interface TidyBody {
  value: unknown;
  issues: Issue[];
}

export function tidyBody(body: unknown, options: { dropNulls: boolean }): TidyBody {
  const issues: Issue[] = [];
  return { value: tidy(body, '', [], { ...options, issues }), issues };
}

interface TidyState {
  dropNulls: boolean;
  issues: Issue[];
}

function tidy(value: unknown, key: string, path: string[], work: TidyState): unknown {
  if (typeof value === 'string') return tidyText(value, key, path, work);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => tidy(item, key, [...path, String(index)], work));
  const entries: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    if (item === null && work.dropNulls) continue;
    const inner = [...path, name];
    entries.push([name, name === OPAQUE ? item : tidy(item, name, inner, work)]);
  }
  // `fromEntries` defines properties, so a key `__proto__` does not change the prototype.
  return Object.fromEntries(entries);
}

function tidyText(text: string, key: string, path: string[], work: TidyState): string {
  if (LONG.has(key)) return UNTRIMMED.has(key) ? cleanLongText(text) : cleanLongText(text).trim();
  const trimmed = withoutDirections(text).trim();
  if (hasControlCharacter(trimmed)) {
    work.issues.push({ path: path.join('.'), reason: 'must not contain control characters' });
  }
  return trimmed;
}
