// JSON Schemas of the description, out of the zod schemas that check requests and answers.
import { z } from 'zod';
import type { JsonSchema } from '../contract/query.ts';

export interface SchemaBook {
  // A reference where the schema has an id, else the schema itself.
  answer(schema: z.ZodType): JsonSchema;
  body(schema: z.ZodType): JsonSchema;
  // Gives every reference its final name and returns the named schemas. Only then is it known which shapes differ
  // between what is sent and what is answered.
  finish<T>(document: T): { document: T; schemas: Record<string, JsonSchema> };
}

type Side = 'input' | 'output';
type Shapes = Map<string, JsonSchema>;

export function createSchemaBook(): SchemaBook {
  const shapes: Record<Side, Shapes> = { input: new Map(), output: new Map() };

  function convert(schema: z.ZodType, side: Side): JsonSchema {
    const { $schema: _, ...converted } = z.toJSONSchema(schema, { io: side, unrepresentable: 'any', override });
    const { $defs = {}, ...root } = renamed(converted, /^#\/\$defs\//, (id) => `#${side}/${id}`);
    for (const [id, definition] of Object.entries($defs as JsonSchema)) {
      shapes[side].set(id, definition as JsonSchema);
    }
    return root;
  }

  return {
    answer: (schema) => convert(schema, 'output'),
    body: (schema) => convert(schema, 'input'),
    finish(document) {
      const differing = differingIds(shapes.input, shapes.output);
      const nameOf = (side: Side, id: string) => (side === 'input' && differing.has(id) ? `${id}AsSent` : id);
      const point = <S>(value: S): S =>
        renamed(
          renamed(value, /^#input\//, (id) => `#/components/schemas/${nameOf('input', id)}`),
          /^#output\//,
          (id) => `#/components/schemas/${nameOf('output', id)}`,
        );
      const named = (['input', 'output'] as const).flatMap((side) =>
        [...shapes[side]].map(([id, schema]): [string, JsonSchema] => [nameOf(side, id), point(schema)]),
      );
      named.sort(([a], [b]) => (a < b ? -1 : 1));
      return { document: point(document), schemas: Object.fromEntries(named) };
    },
  };
}

// Answers may gain keys, so only strict schemas forbid others; the bounds of safe integers tell a reader nothing.
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const { def } = (zodSchema as z.ZodObject)._zod;
  const strict = def.type === 'object' && def.catchall?._zod.def.type === 'never';
  if (jsonSchema.additionalProperties === false && !strict) delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

// A shape differs when its own text does or when it refers to one that does.
function differingIds(inputs: Shapes, outputs: Shapes): Set<string> {
  const common = [...inputs.keys()].filter((id) => outputs.has(id));
  const textOf = (schema: JsonSchema | undefined) => JSON.stringify(schema).replaceAll(/"#(?:in|out)put\//g, '"#');
  const differing = new Set(common.filter((id) => textOf(inputs.get(id)) !== textOf(outputs.get(id))));
  for (let before = -1; before !== differing.size; ) {
    before = differing.size;
    for (const id of common) {
      const text = textOf(inputs.get(id));
      if ([...differing].some((other) => text.includes(`"$ref":"#${other}"`))) differing.add(id);
    }
  }
  return differing;
}

function renamed<T>(value: T, prefix: RegExp, name: (id: string) => string): T {
  return JSON.parse(JSON.stringify(value), (key, item) =>
    key === '$ref' && typeof item === 'string' && prefix.test(item) ? name(item.replace(prefix, '')) : item,
  );
}
