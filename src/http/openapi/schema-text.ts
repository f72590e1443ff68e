// A JSON Schema as a short type text for the reference page. Names of other schemas become links.
import type { JsonSchema } from '../../contract/query.ts';
import { escapeHtml } from '../../domain/markdown-html/escape.ts';
import { schemaPath } from './reference-paths.ts';

const REF = '#/components/schemas/';
const DEEPEST = 6;

export function schemaText(schema: JsonSchema, depth = 0): string {
  const { $ref, anyOf, oneOf, allOf, enum: values, const: only, type } = schema;
  if (typeof $ref === 'string') return reference($ref);
  if (only !== undefined) return escapeHtml(JSON.stringify(only));
  if (Array.isArray(values)) return values.map((value) => escapeHtml(JSON.stringify(value))).join(' | ');
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return alternatives.map((each) => schemaText(each, depth)).join(' | ');
  if (Array.isArray(allOf)) return allOf.map((each) => schemaText(each, depth)).join(' &amp; ');
  if (Array.isArray(type)) return type.join(' | ');
  if (type === 'array') return `[${schemaText(schema.items ?? {}, depth)}]`;
  if (type === 'object') return objectText(schema, depth);
  return `${type ?? 'any'}${bounds(schema)}`;
}

function reference(ref: string): string {
  const name = ref.replace(REF, '');
  return `<a href="${escapeHtml(schemaPath(name))}">${escapeHtml(name)}</a>`;
}

function objectText(schema: JsonSchema, depth: number): string {
  const properties = Object.entries(schema.properties ?? {});
  const rest = schema.additionalProperties;
  if (properties.length === 0) {
    return typeof rest === 'object' && Object.keys(rest).length > 0
      ? `{ [key]: ${schemaText(rest, depth)} }`
      : 'object';
  }
  if (depth >= DEEPEST) return 'object';
  const required = new Set(schema.required);
  const indent = '  '.repeat(depth + 1);
  const lines = properties.map(
    ([name, value]) => `${indent}${escapeHtml(name)}${required.has(name) ? '' : '?'}: ${schemaText(value, depth + 1)}`,
  );
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}

function bounds(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, format, default: preset } = schema;
  const parts = [
    format,
    range(minimum, maximum),
    range(minLength, maxLength, ' characters'),
    preset === undefined ? undefined : `default ${escapeHtml(JSON.stringify(preset))}`,
  ].filter(Boolean);
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

function range(low: unknown, high: unknown, unit = ''): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  if (low === undefined) return `≤ ${high}${unit}`;
  if (high === undefined) return `≥ ${low}${unit}`;
  return `${low}–${high}${unit}`;
}
