// One side of a comparison: a program with its checker, and what is asked of it.
import ts from 'typescript-api';
import type { Installation } from './program.ts';

// What the checker answers and does not declare.
interface Inner {
  isUnknownSymbol(symbol: ts.Symbol): boolean;
  getTypeOnlyAliasDeclaration(symbol: ts.Symbol): unknown;
}

const MAX_ALIASES = 5;

export class Side {
  readonly checker: ts.TypeChecker;
  readonly program: ts.Program;
  readonly installation: Installation;
  readonly #unknownBases = new Map<ts.Type, boolean>();

  // The version before, or the one after.
  readonly age: 'old' | 'new';

  constructor(age: 'old' | 'new', installation: Installation, program: ts.Program) {
    this.age = age;
    this.installation = installation;
    this.program = program;
    this.checker = program.getTypeChecker();
  }

  // What an alias stands for.
  target(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  // The type that an alias only gives another name: `type Any = Table<any>` is `Table`.
  meant(symbol: ts.Symbol): ts.Symbol {
    let found = symbol;
    for (let depth = 0; depth < MAX_ALIASES; depth += 1) {
      const declaration = found.declarations?.[0];
      if (!declaration || !ts.isTypeAliasDeclaration(declaration) || !ts.isTypeReferenceNode(declaration.type)) break;
      const named = this.checker.getSymbolAtLocation(declaration.type.typeName);
      const target = named && this.target(named);
      if (!target || this.isUnknown(target) || this.isLibrary(target)) break;
      found = target;
    }
    return found;
  }

  // A name that comes from a package that is not there; everything may be behind it.
  isUnknown(symbol: ts.Symbol): boolean {
    return (this.checker as unknown as Inner).isUnknownSymbol(this.target(symbol));
  }

  // `export type { X }`: the name stands for a type, whatever it is.
  isTypeOnly(symbol: ts.Symbol): boolean {
    if (!(symbol.flags & ts.SymbolFlags.Alias)) return false;
    return (this.checker as unknown as Inner).getTypeOnlyAliasDeclaration(symbol) !== undefined;
  }

  typeOf(symbol: ts.Symbol): ts.Type {
    return this.checker.getTypeOfSymbol(symbol);
  }

  properties(type: ts.Type): ts.Symbol[] {
    return this.checker.getPropertiesOfType(type);
  }

  isLibrary(symbol: ts.Symbol): boolean {
    const file = symbol.declarations?.[0]?.getSourceFile();
    return file !== undefined && this.program.isSourceFileDefaultLibrary(file);
  }

  show(type: ts.Type): string {
    return this.checker.typeToString(type, undefined, ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope);
  }

  showSignature(name: string, signature: ts.Signature): string {
    const text = this.checker.signatureToString(
      signature,
      undefined,
      ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope,
    );
    return name + text;
  }

  // Whether a type has a base that is not there, so that it may have members nobody sees.
  hasUnknownBase(type: ts.Type, depth = 0): boolean {
    const known = this.#unknownBases.get(type);
    if (known !== undefined) return known;
    this.#unknownBases.set(type, false);
    const found = depth < 12 && this.#looksForUnknownBase(type, depth);
    this.#unknownBases.set(type, found);
    return found;
  }

  #looksForUnknownBase(type: ts.Type, depth: number): boolean {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true;
    if (type.isUnionOrIntersection()) return type.types.some((one) => this.hasUnknownBase(one, depth + 1));
    for (const declaration of [...(type.symbol?.declarations ?? []), ...(type.aliasSymbol?.declarations ?? [])]) {
      if (ts.isClassLike(declaration) || ts.isInterfaceDeclaration(declaration)) {
        for (const clause of declaration.heritageClauses ?? []) {
          if (clause.token === ts.SyntaxKind.ImplementsKeyword) continue;
          for (const node of clause.types) {
            const base = this.checker.getTypeAtLocation(node);
            if (this.hasUnknownBase(base, depth + 1)) return true;
            if (base.aliasTypeArguments?.some((one) => one.flags & ts.TypeFlags.Any)) return true;
          }
        }
      }
      if (ts.isTypeAliasDeclaration(declaration) && this.#namesUnknown(declaration.type, depth)) return true;
    }
    return false;
  }

  // Whether the parts of an alias name a type that is not there.
  #namesUnknown(node: ts.TypeNode, depth: number): boolean {
    if (ts.isIntersectionTypeNode(node)) return node.types.some((one) => this.#namesUnknown(one, depth));
    if (!ts.isTypeReferenceNode(node)) return false;
    if (node.typeArguments?.some((one) => this.#namesUnknown(one, depth))) return true;
    return Boolean(this.checker.getTypeFromTypeNode(node).flags & ts.TypeFlags.Any);
  }
}

const HIDDEN_TAGS = new Set(['internal', 'alpha', 'private', 'hidden']);

// Names that nobody is meant to use.
export function isHidden(symbol: ts.Symbol): boolean {
  const name = symbol.name;
  return name.startsWith('_') || name.startsWith('#') || isMarkedHidden(symbol);
}

// What is exported under a plain name may have any name of its own: compilers call a default `_default`.
export function isMarkedHidden(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some((declaration) =>
    ts.getJSDocTags(declaration).some((tag) => HIDDEN_TAGS.has(tag.tagName.text)),
  );
}

export function isOptional(symbol: ts.Symbol): boolean {
  return Boolean(symbol.flags & ts.SymbolFlags.Optional);
}

export function accessOf(symbol: ts.Symbol): 'public' | 'protected' | 'private' {
  const flags = symbol.declarations?.[0] ? ts.getCombinedModifierFlags(symbol.declarations[0]) : 0;
  if (flags & ts.ModifierFlags.Private) return 'private';
  return flags & ts.ModifierFlags.Protected ? 'protected' : 'public';
}
