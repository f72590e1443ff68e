// Fields of a body that its schema does not know: refused with the field that was meant, or ignored and named.
import type { z } from 'zod';
import type { Issue } from '../../contract/errors.ts';
import { nearestField } from '../../domain/nearest-field.ts';
import type { RouteDeclaration } from './route.ts';
import type { CompiledRoute } from './router.ts';

interface UnknownField {
  path: string;
  // The object that has it, and what that object could have.
  owner: Readonly<Record<string, unknown>>;
  key: string;
  known: readonly string[];
}

// So many say enough.
const MOST = 20;

interface UnknownFields {
  issues: Issue[];
  // Of a POST: named in the answer.
  ignored: string[];
  // What the answer about the same record has, sent back.
  shown: string[];
}

export function judgeUnknownFields(route: CompiledRoute, json: unknown): UnknownFields {
  const { declaration, body } = route;
  const isPost = declaration.method === 'POST';
  const found = body === null ? [] : unknownFields(body, json).filter((one) => !(isPost && isNull(one)));
  if (isPost && !declaration.refusesUnknown) {
    const lost = found.filter(losesText);
    const ignored = found.filter((one) => !lost.includes(one)).map(({ path }) => path);
    return { issues: lost.map(toIssue), ignored, shown: [] };
  }
  const answered = isPost || !namesKnownField(body, json) ? new Set() : answeredFields(route);
  const refused = found.filter(({ path }) => !answered.has(path));
  const shown = found.filter(({ path }) => answered.has(path)).map(({ path }) => path);
  return { issues: refused.slice(0, MOST).map(toIssue), ignored: [], shown };
}

// A body with nothing but what cannot be changed was meant to change it.
function namesKnownField(body: CompiledRoute['body'], json: unknown): boolean {
  const shape = body && shapeOf(body);
  return shape !== null && typeof json === 'object' && json !== null && Object.keys(json).some((key) => key in shape);
}

function isNull({ owner, key }: UnknownField): boolean {
  return owner[key] === null;
}

function toIssue({ path, key, known }: UnknownField): Issue {
  const nearest = nearestField(key, known);
  return { path, reason: nearest === null ? 'unknown field' : `unknown field; did you mean ${nearest}?` };
}

const TEXTS = ['version', 'title', 'content'];
const PROSE = 200;

// A release would be stored without its version, its title or its text, because they came under another name.
function losesText({ owner, key, known }: UnknownField): boolean {
  if (!TEXTS.every((field) => known.includes(field))) return false;
  const isMissing = (field: string) => owner[field] === undefined || owner[field] === null || owner[field] === '';
  const nearest = nearestField(key, known);
  if (nearest !== null && TEXTS.includes(nearest)) return isMissing(nearest);
  const value = owner[key];
  return isMissing('content') && typeof value === 'string' && (value.length > PROSE || value.includes('\n'));
}

// The fields of the record that is changed, as it is read and answered: what was read may be sent back, changed or not.
function answeredFields({ declaration, group }: Pick<CompiledRoute, 'declaration' | 'group'>): ReadonlySet<string> {
  const place = placeOf(declaration);
  const read = group.routes.find((one) => one.method === 'GET' && placeOf(one) === place);
  const schemas = [declaration.answers?.[200], declaration.answers?.[201], read?.answers?.[200]];
  return new Set(schemas.flatMap((schema) => (schema ? Object.keys(shapeOf(schema) ?? {}) : [])));
}

function placeOf({ path }: RouteDeclaration): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

function unknownFields(schema: z.core.$ZodType, value: unknown, path = ''): UnknownField[] {
  const inner = unwrapSchema(schema);
  const { def } = inner._zod as { def: z.core.$ZodTypes['_zod']['def'] };
  const at = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
  if (def.type === 'array' && Array.isArray(value)) {
    const found: UnknownField[] = [];
    for (const [index, item] of value.entries()) {
      if (found.length >= MOST) break;
      found.push(...unknownFields(def.element, item, at(index)));
    }
    return found.slice(0, MOST);
  }
  const shape = shapeOf(inner);
  if (shape === null || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const owner = value as Record<string, unknown>;
  const known = Object.keys(shape);
  return Object.keys(owner).flatMap((key): UnknownField[] => {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    return field ? unknownFields(field, owner[key], at(key)) : [{ path: at(key), owner, key, known }];
  });
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

// Null for what takes any key, and for what is no object. A choice of objects knows the fields of all of them.
function shapeOf(schema: z.core.$ZodType): Shape | null {
  const { def } = unwrapSchema(schema)._zod as { def: z.core.$ZodTypes['_zod']['def'] };
  if (def.type === 'object') return isOpen(def.catchall) ? null : def.shape;
  if (def.type !== 'union') return null;
  const shapes = def.options.map(shapeOf);
  return shapes.every((shape) => shape !== null) ? Object.assign({}, ...shapes) : null;
}

// A loose object keeps what it does not know.
function isOpen(catchall: z.core.$ZodType | undefined): boolean {
  return catchall !== undefined && catchall._zod.def.type !== 'never';
}

function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod as { def: z.core.$ZodTypes['_zod']['def'] };
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return unwrapSchema(def.innerType);
    case 'pipe':
      return unwrapSchema(def.in);
    default:
      return schema;
  }
}
