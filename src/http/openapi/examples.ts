// Examples of responses and bodies, made from their schemas and sample values, so that they change with the schemas.
import { setImmediate as pause } from 'node:timers/promises';
import type { JsonSchema } from '../../contract/query.ts';
import type { RouteDeclaration } from '../kernel/route.ts';
import type { Content, Example, OpenApiDocument, Operation } from './document-types.ts';
import { describedPath } from './parameters.ts';
import { walkSchema } from './schemas.ts';

const COMPONENT = '#/components/schemas/';
const STEP = 2;
const NO_CONTENT: Content = {};

interface Described {
  paths: OpenApiDocument['paths'];
  schemas: Schemas;
  routes: readonly RouteDeclaration[];
}

// Adds examples to every operation and returns the shared ones.
export async function addExamples({ paths, schemas, routes }: Described): Promise<Record<string, Example>> {
  const shared: Record<string, Example> = {};
  for (const [index, route] of routes.entries()) {
    if (index % STEP === STEP - 1) await pause();
    const operation = paths[describedPath(route)]?.[route.method.toLowerCase()];
    if (!operation) continue;
    addAnswer(operation, route, (schema) => sharedExample(schema, schemas, shared));
    const content = operation.requestBody?.content['application/json'];
    if (content) content.examples = { sample: { value: bodyExample(route, content.schema, schemas) } };
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const schema of [...Object.values(schemas), ...operations.flatMap(inlineSchemas)]) dropExamples(schema);
  return shared;
}

// Bodies and answers show the examples of their fields in one piece, so the fields do not repeat them.
function dropExamples(schema: JsonSchema): void {
  walkSchema(schema, (each) => {
    delete each.example;
  });
}

function inlineSchemas({ requestBody, responses }: Operation): JsonSchema[] {
  const contents = [requestBody, ...Object.values(responses)].map((each) => each?.content ?? NO_CONTENT);
  return contents.flatMap((content) => Object.values(content).map(({ schema }) => schema));
}

function addAnswer(operation: Operation, route: RouteDeclaration, make: (schema: JsonSchema) => Example): void {
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const contents = answers.flatMap(([, { content = NO_CONTENT }]) => Object.entries(content));
  let own: { value: unknown } | null = route.example === undefined ? null : { value: route.example };
  for (const [type, media] of contents) {
    if (own) media.examples = { sample: own };
    else if (type === 'application/json') media.examples = { sample: make(media.schema) };
    // An example written by hand belongs to the first media type of the response.
    own = null;
  }
}

function sharedExample(schema: JsonSchema, schemas: Schemas, shared: Record<string, Example>): Example {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return { value: exampleOf(schema, { schemas, optional: false }) };
  const name = $ref.replace(COMPONENT, '');
  shared[name] ??= { value: exampleOf(schema, { schemas, optional: false }) };
  return { $ref: `#/components/examples/${name}` };
}

// All optional fields are filled where the schema accepts that; where fields exclude each other only the required ones
// are.
function bodyExample(route: RouteDeclaration, schema: JsonSchema, schemas: Schemas): unknown {
  if (route.bodyExample !== undefined) return route.bodyExample;
  const full = exampleOf(schema, { schemas, optional: true });
  return route.body?.safeParse(full).success ? full : exampleOf(schema, { schemas, optional: false });
}

// Makes one value that a JSON Schema accepts, with the examples of its fields.

type Schemas = Record<string, JsonSchema>;

interface ExampleRules {
  schemas: Schemas;
  // Whether the optional fields of the outermost object are filled where they have an example.
  optional: boolean;
}

interface SchemaPosition extends ExampleRules {
  name: string;
}

const MOMENT = '2026-03-04T09:30:00.000Z';

function exampleOf(schema: JsonSchema, rules: ExampleRules): unknown {
  return valueFor(schema, { ...rules, name: '' });
}

function valueFor(schema: JsonSchema, position: SchemaPosition): unknown {
  const { $ref, example } = schema;
  if (example !== undefined && (example !== null || mayBeNull(schema))) return example;
  if ($ref !== undefined) return valueFor(position.schemas[$ref.replace(COMPONENT, '')] ?? {}, position);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return valueFor(choices.find(({ type }) => type !== 'null') ?? choices[0] ?? {}, position);
  if (Array.isArray(schema.allOf)) return Object.assign({}, ...schema.allOf.map((each) => valueFor(each, position)));
  return typedValue(schema, position);
}

function typedValue(schema: JsonSchema, position: SchemaPosition): unknown {
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type;
  if (type === 'object') return objectValue(schema, position);
  if (type === 'array') return arrayValue(schema, position);
  if (type === 'string') return stringValue(schema, position.name);
  if (type === 'integer' || type === 'number') return numberValue(schema);
  if (type === 'boolean') return true;
  return type === 'null' ? null : {};
}

function objectValue(schema: JsonSchema, position: SchemaPosition): Record<string, unknown> {
  const required = new Set(schema.required);
  const value: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const wanted = position.optional && field.example != null;
    if (!required.has(name) && !wanted) continue;
    value[name] = valueFor(field, { schemas: position.schemas, optional: false, name });
  }
  return { ...value, ...namedValues(schema, position, required) };
}

// The required keys of a record.
function namedValues(
  { properties = {}, additionalProperties }: JsonSchema,
  position: SchemaPosition,
  required: ReadonlySet<string>,
): Record<string, unknown> {
  const form = typeof additionalProperties === 'object' ? additionalProperties : {};
  const names = [...required].filter((name) => !(name in properties));
  const below = { ...position, optional: false, name: '' };
  return Object.fromEntries(names.map((name) => [name, valueFor(form, below)]));
}

function arrayValue(schema: JsonSchema, position: SchemaPosition): unknown[] {
  const below = { ...position, optional: false };
  if (Array.isArray(schema.prefixItems)) return schema.prefixItems.map((each) => valueFor(each, below));
  const length = Math.max(1, Number(schema.minItems ?? 1));
  return Array.from({ length }, () => valueFor(schema.items ?? {}, below));
}

function stringValue(schema: JsonSchema, name: string): string {
  if (schema.format === 'date-time') return MOMENT;
  if (schema.format === 'date') return MOMENT.slice(0, 10);
  if (schema.format === 'uri') return 'https://acme.example';
  const text = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) || 'text';
  return text.padEnd(Number(schema.minLength ?? 0), '.').slice(0, Number(schema.maxLength ?? 200));
}

function numberValue({ minimum = 0, maximum = 1 }: { minimum?: number; maximum?: number }): number {
  return Math.max(minimum, Math.min(1, maximum));
}

function mayBeNull({ type, anyOf = [] }: JsonSchema): boolean {
  return [type].flat().includes('null') || anyOf.some(mayBeNull);
}
