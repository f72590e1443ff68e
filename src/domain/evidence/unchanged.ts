// Whether declarations are written as before, with all that they name. What both versions export is compared on its own, so
// naming it changes nothing.
import ts from 'typescript-api';
import type { Side } from './side.ts';

const MAX_STEPS = 300_000;

export class Unchanged {
  readonly #old: Side;
  readonly #next: Side;
  readonly #isShared: (old: ts.Symbol, next: ts.Symbol) => boolean;
  readonly #known = new Map<ts.Symbol, boolean>();
  #steps = 0;

  constructor(old: Side, next: Side, isShared: (old: ts.Symbol, next: ts.Symbol) => boolean) {
    this.#old = old;
    this.#next = next;
    this.#isShared = isShared;
  }

  are(old: readonly ts.Node[] = [], next: readonly ts.Node[] = []): boolean {
    if (old.length === 0 || old.length !== next.length || this.#steps > MAX_STEPS) return false;
    return old.every((node, index) => this.#isSame(node, next[index] as ts.Node));
  }

  #isSame(old: ts.Node, next: ts.Node): boolean {
    if (written(old) !== written(next)) return false;
    const [before, after] = [namesIn(old), namesIn(next)];
    return (
      before.length === after.length && before.every((name, index) => this.#isSameName(name, after[index] as Name))
    );
  }

  #isSameName(old: Name, next: Name): boolean {
    this.#steps += 1;
    const [symbol, other] = [targetOf(this.#old, old.node), targetOf(this.#next, next.node)];
    if (!symbol || !other) return symbol === other;
    if (symbol.flags & ts.SymbolFlags.TypeParameter) return true;
    if (!old.isBase && this.#isShared(symbol, other)) return true;
    if (this.#old.isUnknown(symbol)) return this.#next.isUnknown(other);
    if (this.#old.isLibrary(symbol)) return this.#next.isLibrary(other);
    const known = this.#known.get(symbol);
    if (known !== undefined) return known;
    // While it is looked at, what names itself counts as unchanged.
    this.#known.set(symbol, true);
    const isSame = this.are(symbol.declarations, other.declarations);
    this.#known.set(symbol, isSame);
    return isSame;
  }
}

function targetOf(side: Side, name: ts.Node): ts.Symbol | undefined {
  const symbol = side.checker.getSymbolAtLocation(name);
  return symbol && side.target(symbol);
}

const texts = new WeakMap<ts.Node, string>();

function written(node: ts.Node): string {
  let text = texts.get(node);
  if (text === undefined) {
    text = node
      .getText()
      .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
      // Bundlers of declarations number names that they find twice.
      .replace(/(?<=\w)\$\d+\b/g, '')
      .replace(/\s+/g, ' ')
      .replaceAll('"', "'");
    texts.set(node, text);
  }
  return text;
}

interface Name {
  node: ts.Node;
  // The declaration has the members of what is named.
  isBase: boolean;
}

// The names of other declarations in a declaration, in order.
function namesIn(root: ts.Node): Name[] {
  const found: Name[] = [];
  const visit = (node: ts.Node, isBase: boolean): void => {
    const name = nameIn(node);
    if (name) found.push({ node: name, isBase });
    const isMember = ts.isTypeElement(node) || ts.isClassElement(node) || ts.isFunctionLike(node);
    const inside = !isMember && (isBase || ts.isHeritageClause(node) || ts.isTypeAliasDeclaration(node));
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(root, false);
  return found;
}

function nameIn(node: ts.Node): ts.Node | null {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isTypeQueryNode(node)) return node.exprName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  return ts.isImportTypeNode(node) ? (node.qualifier ?? node.argument) : null;
}
