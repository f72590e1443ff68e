// How a tool is listed: its schemas as JSON Schema, each argument with a description.
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { fieldText } from '../contract/descriptions/index.ts';
import { narrowingsOf, walkSchema } from '../http/openapi/schemas.ts';
import { type SchemaDocument, shortSchema } from './short-schema.ts';
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
