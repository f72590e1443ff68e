// The JSON Schemas of the document, converted from the zod schemas of requests and responses.
import { z } from 'zod';
import type { JsonSchema } from '../../contract/query.ts';

export interface SchemaBook {
  // A reference where the schema has an id, otherwise the schema itself.
  answer(schema: z.ZodType): JsonSchema;
  body(schema: z.ZodType): JsonSchema;
  // Adds a schema that has no zod schema and returns a reference to it.
  named(id: string, schema: JsonSchema): JsonSchema;
  // Replaces every reference by its final name and returns the named schemas. Only at the end is it known which shapes
  // differ between requests and responses.
  finish<T extends object>(document: T): { document: T; schemas: Record<string, JsonSchema> };
}

type SchemaSide = 'input' | 'output';
type Shapes = Map<string, JsonSchema>;

const COMPONENT = '#/components/schemas/';

export function createSchemaBook(): SchemaBook {
  const shapes: Record<SchemaSide, Shapes> = { input: new Map(), output: new Map() };
  // Routes share schemas, and their conversion is the most expensive part of the document.
  const converted = { input: new Map<z.ZodType, JsonSchema>(), output: new Map<z.ZodType, JsonSchema>() };

  function convert(schema: z.ZodType, side: SchemaSide): JsonSchema {
    const known = converted[side].get(schema);
    if (known) return known;
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io: side, unrepresentable: 'any', override });
    const { $defs = {}, ...root }: JsonSchema & { $defs?: Record<string, JsonSchema> } = withReferences(json, (ref) =>
      ref.replace('#/$defs/', `#${side}/`),
    );
    for (const [id, definition] of Object.entries($defs)) shapes[side].set(id, describeFields(definition));
    converted[side].set(schema, describeFields(root));
    return root;
  }

  return {
    answer: (schema) => convert(schema, 'output'),
    body: (schema) => convert(schema, 'input'),
    named(id, schema) {
      if (!shapes.output.has(id)) shapes.output.set(id, describeFields(schema));
      return { $ref: `#output/${id}` };
    },
    finish(document) {
      const differing = differingIds(shapes.input, shapes.output);
      const nameOf = (side: SchemaSide, id: string) => (side === 'input' && differing.has(id) ? `${id}AsSent` : id);
      const point = <S extends object>(value: S): S =>
        withReferences(value, (ref) => {
          const { side, id } = /^#(?<side>input|output)\/(?<id>.+)$/.exec(ref)?.groups ?? {};
          return id === undefined ? ref : `${COMPONENT}${nameOf(side === 'input' ? 'input' : 'output', id)}`;
        });
      const all = (['input', 'output'] as const).flatMap((side) =>
        [...shapes[side]].map(([id, schema]): [string, JsonSchema] => [nameOf(side, id), point(schema)]),
      );
      all.sort(([a], [b]) => (a < b ? -1 : 1));
      return { document: point(document), schemas: Object.fromEntries(all) };
    },
  };
}

type WrittenSchema = Partial<Record<'additionalProperties' | 'minimum' | 'maximum', unknown>>;

// Responses may gain fields, so only strict schemas forbid others; the bounds of safe integers mean nothing to a
// reader.
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: WrittenSchema }): void {
  const strict = zodSchema instanceof z.ZodObject && zodSchema.def.catchall?._zod.def.type === 'never';
  if (jsonSchema.additionalProperties === false && !strict) delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

// What is said of a field that may be null, and its example, stand at the field, not at its alternative.
export function describeFields(schema: JsonSchema): JsonSchema {
  walkSchema(schema, (each) => {
    for (const field of Object.values(each.properties ?? {})) {
      const [value, none, ...others] = field.anyOf ?? [];
      if (value?.description === undefined || none?.type !== 'null' || others.length > 0) continue;
      const { description, example, ...form } = value;
      field.description ??= description;
      if (example !== undefined) field.example ??= example;
      field.anyOf = [form, none];
      if (Object.keys(form).join() !== 'type') continue;
      field.type = [form.type ?? [], 'null'].flat();
      delete field.anyOf;
    }
  });
  return schema;
}

// Visits a schema and every schema inside it, without following references.
export function walkSchema(schema: JsonSchema, visit: (schema: JsonSchema) => void): void {
  visit(schema);
  const { properties = {}, items, prefixItems = [], additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  const nested = [
    items,
    additionalProperties,
    ...Object.values(properties),
    ...prefixItems,
    ...anyOf,
    ...oneOf,
    ...allOf,
  ];
  for (const each of nested) if (typeof each === 'object') walkSchema(each, visit);
}

// A shape differs when its own text does or when it refers to one that differs.
function differingIds(inputs: Shapes, outputs: Shapes): Set<string> {
  const common = [...inputs.keys()].filter((id) => outputs.has(id));
  const textOf = (schema: JsonSchema | undefined) => JSON.stringify(schema).replaceAll(/"#(?:in|out)put\//g, '"#');
  const texts = new Map(common.map((id) => [id, textOf(inputs.get(id))]));
  const differing = new Set(common.filter((id) => texts.get(id) !== textOf(outputs.get(id))));
  for (let before = -1; before !== differing.size; ) {
    before = differing.size;
    for (const [id, text] of texts) {
      if ([...differing].some((other) => text.includes(`"$ref":"#${other}"`))) differing.add(id);
    }
  }
  return differing;
}

// A copy with every reference replaced.
function withReferences<T>(value: object, replace: (ref: string) => string): T {
  return JSON.parse(JSON.stringify(value), (key, item) =>
    key === '$ref' && typeof item === 'string' ? replace(item) : item,
  );
}
