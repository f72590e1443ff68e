// Values of a type as code that anybody can read. What cannot be written in a line is declared.
import ts from 'typescript-api';
import { isOptional, type Side } from '../side.ts';
import { partsOf } from '../type-shapes.ts';
import { isWord, quoted } from './client.ts';

const { TypeFlags } = ts;
const DEEPEST = 2;
const MAX_VALUES = 6;
const MAX_MEMBERS = 12;

// Types of the language that a value can be declared of by name alone.
const PLAIN = new Set(['Date', 'RegExp', 'Error', 'URL', 'Uint8Array', 'ArrayBuffer', 'AbortSignal']);

export class Values {
  readonly #side: Side;

  constructor(side: Side) {
    this.#side = side;
  }

  // Different values of a type, the plainest first; empty where none can be written.
  of(type: ts.Type, depth = 0): string[] {
    if (type.isUnion()) {
      const parts = partsOf(type).filter((one) => !(one.flags & TypeFlags.Undefined));
      return [...new Set(parts.flatMap((one) => this.of(one, depth).slice(0, 2)))].slice(0, MAX_VALUES);
    }
    if (type.isStringLiteral()) return [quoted(type.value)];
    if (type.isNumberLiteral()) return [String(type.value)];
    if (type.flags & TypeFlags.BooleanLiteral) return [this.#side.show(type)];
    if (type.flags & TypeFlags.String) return ["'text'"];
    if (type.flags & TypeFlags.Number) return ['1'];
    if (type.flags & TypeFlags.Boolean) return ['true', 'false'];
    if (type.flags & TypeFlags.Null) return ['null'];
    if (type.flags & TypeFlags.Void) return ['undefined'];
    if (type.flags & (TypeFlags.Any | TypeFlags.Unknown)) return ['{}'];
    if (type.isIntersection()) return this.#members(type, depth);
    return type.flags & TypeFlags.Object ? this.#object(type, depth) : [];
  }

  #object(type: ts.Type, depth: number): string[] {
    const { checker } = this.#side;
    const isMapped = Boolean((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped);
    if (type.symbol && !isMapped && this.#side.isLibrary(type.symbol)) {
      if (checker.isArrayLikeType(type)) return this.#list(type, depth);
      return PLAIN.has(type.symbol.name) ? [`{} as ${type.symbol.name}`] : [];
    }
    if (type.isClass() || depth > DEEPEST) return [];
    const [call] = type.getCallSignatures();
    if (call) return this.#function(call, depth);
    if (type.getConstructSignatures().length > 0) return [];
    return this.#members(type, depth);
  }

  #list(type: ts.Type, depth: number): string[] {
    const [item] = this.#side.checker.getTypeArguments(type as ts.TypeReference);
    const items = item ? this.of(item, depth + 1) : [];
    return items.length === 0 ? ['[]'] : items.map((one) => `[${one}]`);
  }

  #function(call: ts.Signature, depth: number): string[] {
    const { checker } = this.#side;
    const names = call.parameters.map(({ name }) => name);
    if (!names.every(isWord) || call.typeParameters) return [];
    const result = checker.getReturnTypeOfSignature(call);
    const rest = call.parameters.map((one) => (isRestOf(one) ? `...${one.name}` : one.name)).join(', ');
    if (result.flags & (TypeFlags.Void | TypeFlags.Any | TypeFlags.Unknown)) return [`(${rest}) => {}`];
    return this.of(result, depth + 1)
      .slice(0, 1)
      .map((value) => `(${rest}) => (${value})`);
  }

  // What must be there; and once more with each member that may be.
  #members(type: ts.Type, depth: number): string[] {
    const properties = this.#side.properties(type);
    const needed = properties.filter((one) => !isOptional(one));
    if (needed.length > MAX_MEMBERS) return [];
    const written = needed.map((one) => this.#member(one, depth));
    if (written.some((one) => one === undefined)) return [];
    const base = written.filter((one) => one !== undefined);
    const others = properties
      .filter(isOptional)
      .slice(0, MAX_MEMBERS)
      .flatMap((one) => this.#member(one, depth) ?? []);
    const more = depth === 0 ? others.map((one) => literal([...base, one])) : [];
    return [literal(base), ...more];
  }

  #member(property: ts.Symbol, depth: number): string | undefined {
    const [value] = this.of(this.#side.typeOf(property), depth + 1);
    if (value === undefined) return undefined;
    return `${isWord(property.name) ? property.name : JSON.stringify(property.name)}: ${value}`;
  }
}

function literal(members: readonly string[]): string {
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function isRestOf({ valueDeclaration }: ts.Symbol): boolean {
  return Boolean(valueDeclaration && ts.isParameter(valueDeclaration) && valueDeclaration.dotDotDotToken);
}
