// Types that are no objects: texts, numbers, literals, enums and nothing.
import ts from 'typescript-api';
import { type Answer, isObject } from './type-shapes.ts';

// Types that are no objects; null when one of them is.
export function primitives(s: ts.Type, t: ts.Type): Answer | null {
  const has = (type: ts.Type, flags: ts.TypeFlags) => Boolean(type.flags & flags);
  const none = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void;
  if (has(s, ts.TypeFlags.Unknown)) return 'no';
  if (has(t, ts.TypeFlags.Never)) return 'no';
  if (has(s, none)) {
    if (has(s, ts.TypeFlags.Undefined) && has(t, ts.TypeFlags.Void)) return 'yes';
    if (has(s, ts.TypeFlags.Void))
      return has(t, ts.TypeFlags.Void) ? 'yes' : has(t, ts.TypeFlags.Undefined) ? 'unsure' : 'no';
    return s.flags & t.flags & none ? 'yes' : 'no';
  }
  if (has(t, none)) return 'no';
  if ((s.flags | t.flags) & ts.TypeFlags.EnumLike) return enums(s, t);
  for (const family of FAMILIES) {
    if (!has(s, family)) continue;
    if (!has(t, family)) return isObject(t) ? null : 'no';
    if (!has(t, ts.TypeFlags.Literal | ts.TypeFlags.UniqueESSymbol)) return 'yes';
    if (!has(s, ts.TypeFlags.Literal | ts.TypeFlags.UniqueESSymbol)) return 'no';
    return literalOf(s) === literalOf(t) ? 'yes' : 'no';
  }
  return null;
}

const FAMILIES = [
  ts.TypeFlags.StringLike,
  ts.TypeFlags.NumberLike,
  ts.TypeFlags.BigIntLike,
  ts.TypeFlags.BooleanLike,
  ts.TypeFlags.ESSymbolLike,
];

// Two copies of an enum are the same enum when they have the same name.
function enums(s: ts.Type, t: ts.Type): Answer {
  if (isObject(t)) return 'unsure';
  const [a, b] = [s.symbol?.name, t.symbol?.name];
  if (a !== undefined && a === b) return 'yes';
  if (s.flags & t.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike)) return 'unsure';
  return 'unsure';
}

function literalOf(type: ts.Type): unknown {
  if (type.isLiteral()) return typeof type.value === 'object' ? JSON.stringify(type.value) : type.value;
  // `true` and `false`, and symbols, which are the same by their name.
  return (type as unknown as { intrinsicName?: string }).intrinsicName ?? type.symbol?.name;
}
