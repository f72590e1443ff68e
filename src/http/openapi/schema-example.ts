// Makes one value that a JSON Schema accepts, with sample values for fields that have one.
import type { JsonSchema } from '../../contract/query.ts';
import { ownerOfField, ownerOfSchema, sampleOf } from '../../contract/samples/index.ts';
import { isRecord } from '../../domain/records.ts';

export type Schemas = Record<string, JsonSchema>;

interface ExampleRules {
  schemas: Schemas;
  // Whether the optional fields of the outermost object are filled where a sample exists.
  optional: boolean;
}

interface SchemaPosition extends ExampleRules {
  name: string;
  owner: string | undefined;
}

const COMPONENT = '#/components/schemas/';
const MOMENT = '2026-03-04T09:30:00.000Z';

export function exampleOf(schema: JsonSchema, rules: ExampleRules): unknown {
  return valueFor(schema, { ...rules, name: '', owner: undefined });
}

function valueFor(schema: JsonSchema, position: SchemaPosition): unknown {
  if (typeof schema.$ref === 'string') {
    const id = schema.$ref.replace(COMPONENT, '');
    return valueFor(position.schemas[id] ?? {}, { ...position, owner: ownerOfSchema(id) ?? position.owner });
  }
  const sample = sampleOf(position.name, position.owner);
  if (sample !== undefined && allows(schema, sample, position.schemas)) return sample;
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
    const owner = ownerOfField(name) ?? position.owner;
    const wanted = position.optional && sampleOf(name, owner) != null;
    if (!required.has(name) && !wanted) continue;
    value[name] = valueFor(field, { schemas: position.schemas, optional: false, name, owner });
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

// Whether a sample fits the schema: its type and, for texts and numbers, the limits.
function allows(schema: JsonSchema, value: unknown, schemas: Schemas): boolean {
  if (typeof schema.$ref === 'string') return allows(schemas[schema.$ref.replace(COMPONENT, '')] ?? {}, value, schemas);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.some((each) => allows(each, value, schemas));
  if (schema.const !== undefined) return schema.const === value;
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  const types = [schema.type].flat();
  if (value === null) return types.includes('null');
  if (typeof value === 'string') return types.includes('string') && allowsText(schema, value);
  if (typeof value === 'number') return allowsNumber(schema, value, types);
  if (typeof value === 'boolean') return types.includes('boolean');
  if (Array.isArray(value)) return types.includes('array') && allowsItems(schema, value, schemas);
  return types.includes('object') && isRecord(value) && allowsFields(schema, value, schemas);
}

function allowsText(schema: JsonSchema, value: string): boolean {
  if (schema.format === 'date-time' && !/^\d{4}-\d\d-\d\dT/.test(value)) return false;
  if (schema.format === 'date' && !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  if (schema.format === 'uri' && !URL.canParse(value)) return false;
  if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern).test(value)) return false;
  return value.length >= Number(schema.minLength ?? 0) && value.length <= Number(schema.maxLength ?? Infinity);
}

function allowsNumber(schema: JsonSchema, value: number, types: unknown[]): boolean {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const typed = types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return typed && value >= minimum && value <= maximum;
}

function allowsItems(schema: JsonSchema, value: unknown[], schemas: Schemas): boolean {
  const { items, minItems = 0 } = schema;
  const each = items ?? {};
  return (
    value.length >= minItems && (items?.prefixItems !== undefined || value.every((item) => allows(each, item, schemas)))
  );
}

function allowsFields(schema: JsonSchema, value: Record<string, unknown>, schemas: Schemas): boolean {
  const { properties = {}, required = [] } = schema;
  return (
    required.every((name) => name in value) &&
    Object.entries(value).every(([name, item]) => properties[name] && allows(properties[name], item, schemas))
  );
}
