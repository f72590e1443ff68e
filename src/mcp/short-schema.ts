// The schema of a result as it is listed. Every client reads the list of tools at the start of each conversation, so it says what
// a program needs and no more: types of the fields of a result, and names and choices of those further inside. Results are
// checked against the full schema in the tests.
import type { JsonSchema } from '../contract/query.ts';

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
