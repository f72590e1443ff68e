// What a symbol is, in words and by whether values have it.
import ts from 'typescript-api';
import type { Side } from './side.ts';

const { SymbolFlags } = ts;
export const TYPES = SymbolFlags.Class | SymbolFlags.Interface | SymbolFlags.TypeAlias | SymbolFlags.Enum;
export const NAMESPACES = SymbolFlags.ValueModule | SymbolFlags.NamespaceModule;

const KIND_WORDS = [
  [SymbolFlags.Class, 'class'],
  [SymbolFlags.Function, 'function'],
  [SymbolFlags.Enum, 'enum'],
  [SymbolFlags.Variable, 'constant'],
  [SymbolFlags.Interface, 'interface'],
  [SymbolFlags.TypeAlias, 'type'],
  [NAMESPACES, 'namespace'],
] as const;

export function kindOfSymbol(side: Side, symbol: ts.Symbol): string {
  const { flags } = side.target(symbol);
  return KIND_WORDS.find(([flag]) => flags & flag)?.[1] ?? 'export';
}

export function isTypeAlone(side: Side, symbol: ts.Symbol): boolean {
  return !(side.target(symbol).flags & SymbolFlags.Value) || side.isTypeOnly(symbol);
}
