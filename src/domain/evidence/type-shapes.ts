// What a type of the compiler is, asked without comparing it with another one.
import ts from 'typescript-api';
import { accessOf, type Side } from './side.ts';

// Whether one type can stand where another one is asked for.
export type Answer = 'yes' | 'no' | 'unsure';

// A type with the version of the package that it comes from.
export interface Typed {
  side: Side;
  type: ts.Type;
}

// Types that are decided only where they are used.
export const UNDECIDABLE =
  ts.TypeFlags.TypeParameter |
  ts.TypeFlags.IndexedAccess |
  ts.TypeFlags.Conditional |
  ts.TypeFlags.Substitution |
  ts.TypeFlags.Index |
  ts.TypeFlags.TemplateLiteral |
  ts.TypeFlags.StringMapping;

// The members of a union as they are written, with named unions among them in one piece.
export function partsOf(type: ts.Type): readonly ts.Type[] {
  if (!type.isUnion()) return [type];
  return (type as unknown as { origin?: { types?: ts.Type[] } }).origin?.types ?? type.types;
}

export function leastArguments(signature: ts.Signature): number {
  return (signature as unknown as { minArgumentCount: number }).minArgumentCount;
}

export function isRest(parameter: ts.Symbol): boolean {
  const declaration = parameter.valueDeclaration;
  if (declaration && ts.isParameter(declaration)) return declaration.dotDotDotToken !== undefined;
  return Boolean(
    (parameter as unknown as { links?: { checkFlags?: number } }).links?.checkFlags && parameter.name === 'args',
  );
}

export function hasRest(signature: ts.Signature): boolean {
  const last = signature.parameters.at(-1);
  return last !== undefined && isRest(last);
}

// Members that may not be written fit as well as others.
export function writable({ side, type }: Typed): Typed {
  const [inner, more] = type.aliasSymbol?.name === 'Readonly' ? (type.aliasTypeArguments ?? []) : [];
  return inner && !more ? { side, type: inner } : { side, type };
}

// Literals as the types that they belong to.
export function wide({ side, type }: Typed): ts.Type {
  return type.flags & (ts.TypeFlags.Literal | ts.TypeFlags.Union) ? side.checker.getBaseTypeOfLiteralType(type) : type;
}

// Members that no type asks for: named by symbols, of the class alone.
export function isNobodys(property: ts.Symbol): boolean {
  return /^(?:__@|#|prototype$)/.test(property.name) || accessOf(property) !== 'public';
}

export function isEnumLike(type: ts.Type): boolean {
  return Boolean(type.flags & ts.TypeFlags.EnumLike);
}

// Bundlers of declarations number names that they find twice.
export function plainName({ name }: ts.Symbol): string {
  return name.replace(/\$\d+$/, '');
}

export function isObject(type: ts.Type): boolean {
  return Boolean(type.flags & ts.TypeFlags.Object);
}

// A type made from the members of another one that is not known yet. Working it out can take seconds, and decides nothing.
export function isGenericMapped(type: ts.Type): boolean {
  if (!(type.flags & ts.TypeFlags.Object) || !((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped))
    return false;
  const isInstance = (type as unknown as { mapper?: unknown }).mapper !== undefined;
  if (isGeneric(type, 0) || (isInstance && !type.aliasSymbol)) return true;
  return type.getProperties().length === 0;
}

function isGeneric(type: ts.Type, depth: number): boolean {
  if (type.flags & UNDECIDABLE) return true;
  if (depth > 4) return true;
  if (type.isUnionOrIntersection()) return type.types.some((one) => isGeneric(one, depth + 1));
  return (type.aliasTypeArguments ?? []).some((one) => isGeneric(one, depth + 1));
}

export function nameOf(type: ts.Type): ts.Symbol | undefined {
  return type.aliasSymbol ?? type.symbol;
}

export function idOf(type: ts.Type): number {
  return (type as unknown as { id: number }).id;
}
