// The parts of an OpenAPI document that this service writes.
import type { ErrorCode } from '../../contract/errors.ts';
import type { JsonSchema } from '../../contract/query.ts';
import type { Parameter } from './parameters.ts';

type OpenApiNode = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: string;
  info: OpenApiNode;
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    examples: Record<string, Example>;
    securitySchemes: OpenApiNode;
  };
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
  security: OpenApiNode[];
  'x-scope'?: string;
  'x-error-codes': ErrorCode[];
}

export type Content = Record<string, { schema: JsonSchema; examples?: Record<string, Example> }>;
export type Example = { value: unknown } | { $ref: string };
