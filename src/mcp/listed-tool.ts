// How a tool is listed: its schemas as JSON Schema, each argument with a description.
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { fieldText } from '../contract/descriptions/index.ts';
import type { JsonSchema } from '../contract/query.ts';
import { narrowingsOf, walkSchema } from '../http/openapi/schemas.ts';
import type { Tool } from './tool.ts';

// All tools read, and only what the registry holds.
const ANNOTATIONS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

export function listedTool({ name, title, description, input, output }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: described(toJsonSchema(input, 'input')) as ListedTool['inputSchema'],
    outputSchema: shortSchema(toJsonSchema(output, 'output')) as NonNullable<ListedTool['outputSchema']>,
    annotations: ANNOTATIONS,
  };
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): SchemaDocument {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, override: withoutNoise });
  return JSON.parse(JSON.stringify(json));
}

type ListedSchema = Partial<Record<'format' | 'pattern' | 'minimum' | 'maximum', unknown>>;

// The bounds of safe integers and the pattern of a date-time mean nothing to a reader.
function withoutNoise({ jsonSchema }: { jsonSchema: ListedSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

// A field without a description of its own gets the one that its name has everywhere.
function described(schema: SchemaDocument): SchemaDocument {
  for (const part of [schema, ...Object.values(schema.$defs ?? {})]) {
    walkSchema(part, ({ properties = {} }) => {
      for (const [name, field] of Object.entries(properties)) {
        field.description ??= fieldText(name, narrowingsOf(field));
        if (field.description === undefined) delete field.description;
      }
    });
  }
  return schema;
}

// The schema of a result as it is listed. Every client reads the list of tools at the start of each conversation, so it says what
// a program needs and no more: types of the fields of a result, and names and choices of those further inside. Results are
// checked against the full schema in the tests.

export interface SchemaDocument extends JsonSchema {
  $defs?: Record<string, JsonSchema>;
}

// Longer lists of choices are left out inside of results.
const MOST_CHOICES = 5;

export function shortSchema(schema: SchemaDocument): JsonSchema {
  const { $defs = {}, ...top } = schema;
  const defined = (part: JsonSchema): JsonSchema => {
    const name = part.$ref?.slice('#/$defs/'.length);
    return name === undefined ? part : ($defs[name] ?? {});
  };

  function shape(part: JsonSchema, depth: number): JsonSchema {
    const full = defined(part);
    const types = full.anyOf?.map((choice) => shape(choice, depth));
    if (types) return together(types);
    if (full.enum) return depth < 2 || full.enum.length <= MOST_CHOICES ? { enum: full.enum } : {};
    if (full.items) return { type: 'array', items: shape(full.items, depth) };
    if (full.properties) return fields(full, depth + 1);
    return full.type === 'null' || depth === 1 ? { ...(full.type && { type: full.type }) } : {};
  }

  // The fields of a result with their types; of what is inside only the choices, and names as far as they are not required.
  function fields({ properties = {}, required = [] }: JsonSchema, depth: number): JsonSchema {
    const shown = Object.entries(properties).map(([name, part]): [string, JsonSchema] => {
      const told = depth === 1 && part.description !== undefined ? { description: part.description } : {};
      return [name, { ...shape(part, depth), ...told }];
    });
    const told = shown.filter(([name, part]) => depth === 1 || !required.includes(name) || part.enum || part.required);
    return {
      type: 'object',
      ...(told.length > 0 ? { properties: Object.fromEntries(told) } : {}),
      ...(required.length > 0 ? { required } : {}),
    };
  }

  return fields(top, 1);
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
