// How a tool is listed: its schemas as JSON Schema, each argument with a description.
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { JsonSchema } from '../contract/query.ts';
import { describeFields } from '../http/openapi/schemas.ts';
import type { Tool } from './tool.ts';

// Tools read only what the registry holds; those that change an account can be repeated without harm.
const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;
const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

export function listedTool({ name, title, description, input, output, account }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: described(toJsonSchema(input, 'input')) as ListedTool['inputSchema'],
    outputSchema: shortSchema(toJsonSchema(output, 'output')) as NonNullable<ListedTool['outputSchema']>,
    annotations: account === 'write' ? WRITES : READS,
  };
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): SchemaDocument {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, override: withoutNoise });
  return JSON.parse(JSON.stringify(json));
}

type ListedSchema = Partial<
  Record<'example' | 'format' | 'pattern' | 'minimum' | 'maximum' | 'minLength' | 'maxLength', unknown>
>;

// The bounds of safe integers and the pattern of a date-time mean nothing to a reader; nobody gives an empty name, or one of
// thousands of characters.
const LONG_NAME = 300;

function withoutNoise({ jsonSchema }: { jsonSchema: ListedSchema }): void {
  delete jsonSchema.example;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
  if (Number(jsonSchema.maxLength) >= LONG_NAME) delete jsonSchema.maxLength;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

function described(schema: SchemaDocument): SchemaDocument {
  for (const part of [schema, ...Object.values(schema.$defs ?? {})]) describeFields(part);
  return schema;
}

// The schema of a result as it is listed. Every client reads the list of tools at the start of each conversation, so it says what
// a program needs and no more: types and choices of the fields of a result, and the names of what is always inside of them. Results
// are checked against the full schema in the tests.

export interface SchemaDocument extends JsonSchema {
  $defs?: Record<string, JsonSchema>;
}

export function shortSchema(schema: SchemaDocument): JsonSchema {
  const { $defs = {}, properties = {}, required = [] } = schema;
  const defined = (part: JsonSchema): JsonSchema => {
    const name = part.$ref?.slice('#/$defs/'.length);
    return name === undefined ? part : ($defs[name] ?? {});
  };

  function shape(part: JsonSchema): JsonSchema {
    const full = defined(part);
    const types = full.anyOf?.map(shape);
    if (types) return together(types);
    if (full.enum) return { enum: full.enum };
    if (full.items) return { type: 'array', items: shape(full.items) };
    const names = full.properties ? (full.required ?? []) : [];
    return { ...(full.type && { type: full.type }), ...(names.length > 0 ? { required: names } : {}) };
  }

  const fields = Object.entries(properties).map(([name, part]) => [name, shape(part)]);
  return { type: 'object', properties: Object.fromEntries(fields), ...(required.length > 0 ? { required } : {}) };
}

// Alternatives, of which one is often null.
function together(parts: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = parts.filter(({ type }) => type !== 'null');
  const isNullable = parts.some(({ type }) => type === 'null');
  if (!only || others.length > 0) return {};
  if (only.enum) return isNullable ? { enum: [...only.enum, null] } : only;
  if (!isNullable || only.type === undefined) return only;
  return { ...only, type: [only.type, 'null'].flat() };
}
