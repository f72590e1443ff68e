// Clients that call: with the arguments that the old version took, and with the result used as it was used.
import ts from 'typescript-api';
import { isHidden, isOptional, type Side } from '../side.ts';
import { isRest } from '../type-shapes.ts';
import { access, expressionOf, importLine, isWord, typeArguments, valueName, type Way } from './client.ts';
import type { Values } from './values.ts';

export interface Call {
  way: Way;
  // The method; null for the function or class itself.
  member: string | null;
  // Type arguments of the owner of a method; null for a member of a value.
  least: number | null;
  isMade: boolean;
  signature: ts.Signature;
  // With how many arguments it is called.
  count: number;
  // Which of them is looked at; null for all of them.
  argument: number | null;
  asks: 'call' | 'result' | 'types';
  // Members of the result that the new version has no more.
  missed?: readonly string[];
}

interface Sides {
  side: Side;
  values: Values;
  // Types that the entry point exports, by the symbols behind them.
  exported: (symbol: ts.Symbol) => string | null;
}

const MAX_CALLS = 6;
const MAX_USES = 8;

export function callClients(call: Call, sides: Sides): string[] {
  const written = call.signature.parameters.slice(0, call.count).map((one) => argumentsOf(one, sides));
  const looked = call.argument;
  const first = written.map(({ values }) => values[0] ?? 'undefined as any');
  const variants =
    looked === null
      ? [first, written.map(() => 'undefined as any')]
      : (written[looked]?.values ?? []).map((value) => first.with(looked, value));
  return variants.slice(0, MAX_CALLS).flatMap((args) => clientsWith(call, sides, args, written));
}

interface Argument {
  values: string[];
  // What has to be imported for it.
  types: string[];
  declared: string[];
}

// A type that is exported is what people have at hand: a value of it is declared.
function argumentsOf(parameter: ts.Symbol, { side, values, exported }: Sides): Argument {
  if (isRest(parameter)) return { values: [], types: [], declared: [] };
  const type = side.checker.getNonNullableType(side.typeOf(parameter));
  const symbol = type.aliasSymbol ?? type.symbol;
  const name = symbol && !type.isUnion() ? exported(symbol) : null;
  const written = values.of(type);
  if (name === null || written.length > 0) return { values: written, types: [], declared: [] };
  const least = leastTypeArguments(symbol as ts.Symbol);
  const value = isWord(parameter.name)
    ? `the${parameter.name.charAt(0).toUpperCase()}${parameter.name.slice(1)}`
    : 'given';
  return { values: [value], types: [name], declared: [`declare const ${value}: ${name}${typeArguments(least)};`] };
}

export function leastTypeArguments({ declarations = [] }: ts.Symbol): number {
  for (const one of declarations) {
    if (!ts.isClassLike(one) && !ts.isInterfaceDeclaration(one) && !ts.isTypeAliasDeclaration(one)) continue;
    return (one.typeParameters ?? []).filter((parameter) => parameter.default === undefined).length;
  }
  return 0;
}

function clientsWith(call: Call, sides: Sides, args: readonly string[], written: readonly Argument[]): string[] {
  const { way, member, least, isMade, asks, signature } = call;
  const used = written.filter(({ declared }) => declared.some((line) => args.some((arg) => line.includes(` ${arg}:`))));
  const declared = new Set(used.flatMap((one) => one.declared));
  const types = [...new Set(used.flatMap((one) => one.types))];
  const name = expressionOf(way);
  let callee = name;
  if (member !== null && least !== null) {
    callee = valueName(way.name);
    declared.add(`declare const ${callee}: ${name}${typeArguments(least)};`);
  }
  const typed = asks === 'types' ? typeArguments(signature.typeParameters?.length ?? 0) : '';
  const code = `${isMade ? 'new ' : ''}${callee}${member === null ? '' : access(member)}${typed}(${args.join(', ')})`;
  const head = [importLine(way, types), ...declared].join('\n');
  const lines =
    asks === 'result'
      ? usesOf(code, sides.side.checker.getReturnTypeOfSignature(signature), sides, call.missed)
      : [`${code};`];
  return lines.map((line) => `${head}\n${line}`);
}

// What people do with a result: they read its members, wait for it, or give it on as what it was.
function usesOf(code: string, result: ts.Type, { side }: Sides, missed: readonly string[] = []): string[] {
  const awaited = side.checker.getAwaitedType(result);
  if (awaited && awaited !== result) {
    const inside = usesOfValue('result', awaited, side, missed);
    return inside.map((use) => `${code}.then((result) => {\n  ${use}\n});`);
  }
  return usesOfValue(code, result, side, missed);
}

function usesOfValue(code: string, type: ts.Type, side: Side, missed: readonly string[]): string[] {
  const plain = PLAIN.find(([flag]) => type.flags & flag)?.[1];
  if (plain !== undefined) return [`const value: ${plain} = ${code};`];
  if (type.flags & (ts.TypeFlags.Void | ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return [];
  const called = type.getCallSignatures().length > 0 ? [`const value: Function = ${code};`] : [];
  const lists = side.checker.isArrayLikeType(type) ? [`for (const one of ${code}) one;`] : [];
  const members = side
    .properties(type)
    .filter((one) => !isHidden(one) && !one.name.startsWith('__') && !isOptional(one))
    .map(({ name }) => name);
  const first = [
    ...missed.filter((name) => members.includes(name)),
    ...members.filter((name) => !missed.includes(name)),
  ];
  return [...called, ...lists, ...first.map((name) => `${code}${access(name)};`)].slice(0, MAX_USES);
}

const PLAIN: readonly (readonly [ts.TypeFlags, string])[] = [
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
];
