// The default export of an entry point: whether it is missed where it is gone, and what it still has.
import ts from 'typescript-api';
import type { Names } from './names.ts';
import { lostDefaultText } from './plain-names.ts';
import { isHidden, type Side } from './side.ts';

const { SymbolFlags } = ts;
const MAX_NAMES_TOLD = 100;

interface DefaultOf {
  symbol: ts.Symbol;
  side: Side;
  old: Names;
  next: Names;
}

// What is told of a default that is gone; null where nobody misses it.
export function lostDefault(
  { symbol, side, old, next }: DefaultOf,
  usualName: string,
): { was: string; is: string | null; text: string } | null {
  const target = side.target(symbol);
  if (next.isOpen) return null;
  const isModule = old.isAssigned && !side.isUnknown(target);
  if (isModule && !isMissed({ symbol: target, side, old, next })) return null;
  const was = declaredName(target);
  const own = next.symbols.has(was) ? was : usualName;
  // Members of an object are found again by the names that are exported now.
  const is = isModule && !isCallable(side, target) ? [...next.symbols.keys()].join(', ') : null;
  return { was, is, text: lostDefaultText(own, next.symbols) };
}

// A module for `require` gives itself as its default: it is missed where it could be called or made, and where it is an object
// with members that are no exports now.
function isMissed({ symbol, side, next }: DefaultOf): boolean {
  if (!(symbol.flags & SymbolFlags.Value)) return false;
  if (isCallable(side, symbol)) return true;
  if (!(symbol.flags & SymbolFlags.Variable) || next.symbols.size > MAX_NAMES_TOLD) return false;
  return side.properties(side.typeOf(symbol)).some((one) => !next.symbols.has(one.name) && !isHidden(one));
}

function isCallable(side: Side, symbol: ts.Symbol): boolean {
  const type = side.typeOf(symbol);
  return type.getCallSignatures().length + type.getConstructSignatures().length > 0;
}

// Whether those who import the default still get the name from it.
export function isMemberOfDefault(side: Side, name: string, { symbols }: Names): boolean {
  const symbol = symbols.get('default');
  const target = symbol && side.target(symbol);
  if (!target || !(target.flags & SymbolFlags.Value)) return false;
  return side.checker.getPropertyOfType(side.typeOf(target), name) !== undefined;
}

export function declaredName(symbol: ts.Symbol): string {
  const name = symbol.name;
  return /^[\w$]+$/.test(name) && !name.startsWith('__') ? name : 'default';
}
