// Examples of responses and bodies, made from their schemas and sample values, so that they change with the schemas.
import { setImmediate as pause } from 'node:timers/promises';
import type { JsonSchema } from '../../contract/query.ts';
import type { RouteDeclaration } from '../kernel/route.ts';
import type { Content, Example, OpenApiDocument, Operation } from './document-types.ts';
import { describedPath } from './parameters.ts';
import { exampleOf, type Schemas } from './schema-example.ts';
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
