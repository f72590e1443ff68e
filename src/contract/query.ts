// Query parameters as zod schemas. Each parses the list of values of one name; OpenAPI shows its `meta.param`.
import { z } from 'zod';

// A JSON Schema with the keywords that this program reads and writes.
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  minItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  description?: string;
  example?: unknown;
  [keyword: string]: unknown;
}

// The JSON Schema of a parameter, and whether it is required.
export type QueryParameter = {
  [Keyword in keyof JsonSchema as Keyword extends 'required' ? never : Keyword]: JsonSchema[Keyword];
} & { required?: boolean };

type ValueReader<T> = (values: string[], fail: (reason: string) => never) => T;

class ValueRefusal extends Error {}

function parameter<T>(param: QueryParameter, read: ValueReader<T>) {
  return z
    .array(z.string())
    .default([])
    .transform((values, context): T => {
      try {
        return read(values, (reason) => {
          throw new ValueRefusal(reason);
        });
      } catch (error) {
        if (!(error instanceof ValueRefusal)) throw error;
        context.addIssue({ code: 'custom', message: error.message });
        return z.NEVER;
      }
    })
    .meta({ param });
}

const DECIMAL = /^-?\d{1,15}$/;

export function flag() {
  return parameter({ type: 'boolean' }, (values, fail): boolean | undefined => {
    const value = values[0];
    if (value === undefined) return undefined;
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    return fail('must be true, false, 1 or 0');
  });
}

const LIMIT_TEXT = 'How many rows to answer; larger values count as the maximum.';

// Never fails: invalid values count as the default and large ones as the maximum. A parameter that is no limit of rows says so.
export function limitLike(rule: { default: number; max: number; min?: number }) {
  const { min = 1, max } = rule;
  return parameter({ type: 'integer', minimum: min, maximum: max, default: rule.default }, (values): number => {
    const value = values[0];
    if (value === undefined || !DECIMAL.test(value)) return rule.default;
    const number = Number(value);
    if (number < min) return rule.default;
    return Math.min(number, max);
  }).describe(LIMIT_TEXT);
}

// Like `limitLike`, but undefined when absent. `shown: false` hides the default where another parameter counts instead.
export function optionalLimitLike(rule: { default: number; max: number; min?: number; shown?: boolean }) {
  const { min = 1, max, shown = true } = rule;
  const form = { type: 'integer', minimum: min, maximum: max, ...(shown ? { default: rule.default } : {}) };
  return parameter(form, (values): number | undefined => {
    const value = values[0];
    if (value === undefined) return undefined;
    if (!DECIMAL.test(value) || Number(value) < min) return rule.default;
    return Math.min(Number(value), max);
  }).describe(LIMIT_TEXT);
}

export function pageNumber() {
  return limitLike({ default: 1, max: 1_000_000_000 }).describe('Number of the page, from 1.');
}

export function integerIn(min: number, max: number) {
  return parameter({ type: 'integer', minimum: min, maximum: max }, (values, fail): number | undefined => {
    const value = values[0];
    if (value === undefined || value === '') return undefined;
    const number = Number(value);
    if (!DECIMAL.test(value) || number < min || number > max)
      return fail(`must be a whole number from ${min} to ${max}`);
    return number;
  });
}

export function oneOf<const T extends readonly string[]>(allowed: T) {
  return parameter({ type: 'string', enum: [...allowed] }, (values, fail): T[number] | undefined => {
    const value = values[0];
    if (value === undefined) return undefined;
    return allowed.includes(value) ? value : fail(`must be one of ${allowed.join(', ')}`);
  });
}

// A comma-separated list, which may be repeated; one unknown value fails the whole list.
export function listOf<const T extends readonly string[]>(allowed: T) {
  const schema = { type: 'array', items: { type: 'string', enum: [...allowed] } };
  return parameter(schema, (values, fail): T[number][] | undefined => {
    if (values.length === 0) return undefined;
    const tokens = values.flatMap((value) => value.split(',')).map((token) => token.trim());
    const unknown = tokens.find((token) => !allowed.includes(token));
    if (unknown !== undefined) return fail(`unknown value "${unknown}"; allowed: ${allowed.join(', ')}`);
    return [...new Set(tokens)];
  });
}

export function freeList(most = 500) {
  return parameter({ type: 'array', items: { type: 'string' } }, (values): string[] | undefined => {
    const tokens = values.flatMap((value) => value.split(',')).map((token) => token.trim());
    const filled = tokens.filter(Boolean).slice(0, most);
    return filled.length > 0 ? filled : undefined;
  });
}

export function repeated(most: number) {
  return parameter({ type: 'array', items: { type: 'string' } }, (values): string[] | undefined => {
    const filled = values.filter(Boolean).slice(0, most);
    return filled.length > 0 ? filled : undefined;
  });
}

// Never fails: a text that is too long counts as absent.
export function lenientText(rule: { max?: number } = {}) {
  const { max = 2048 } = rule;
  return parameter({ type: 'string', maxLength: max }, (values): string | undefined => {
    const value = values[0]?.trim();
    return value && value.length <= max ? value : undefined;
  });
}

export function text(rule: { max?: number } = {}) {
  const { max = 2048 } = rule;
  return parameter({ type: 'string', maxLength: max }, (values, fail): string | undefined => {
    const value = values[0]?.trim();
    if (!value) return undefined;
    return value.length > max ? fail(`must have at most ${max} characters`) : value;
  });
}

export function requiredText(rule: { max?: number } = {}) {
  const { max = 2048 } = rule;
  return parameter({ type: 'string', minLength: 1, maxLength: max, required: true }, (values, fail): string => {
    const value = values[0]?.trim();
    if (!value) return fail('is required');
    return value.length > max ? fail(`must have at most ${max} characters`) : value;
  });
}

// Like `requiredText`, but white space at the end is preserved: it means that the last word is complete.
export function typedText(rule: { max: number }) {
  const schema = { type: 'string', minLength: 1, maxLength: rule.max, required: true };
  return parameter(schema, (values, fail): string => {
    const value = values[0] ?? '';
    const text = value.trim();
    if (text === '') return fail('is required');
    if (text.length > rule.max) return fail(`must have at most ${rule.max} characters`);
    return value.trimEnd() === value ? text : `${text} `;
  });
}
