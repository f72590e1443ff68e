// Who makes a value: types that callers give to the package, and types that they receive from it. Declarations are read as
// they are written, because working out every type would cost more than all comparisons.
import ts from 'typescript-api';
import type { Side } from './side.ts';

export type Role = 'given' | 'received' | 'both' | 'unknown';
type Direction = 'given' | 'received';

const MAX_STEPS = 200_000;

export class Roles {
  readonly #side: Side;
  readonly #seen = { given: new Set<ts.Symbol>(), received: new Set<ts.Symbol>() };
  readonly #waiting: { symbol: ts.Symbol; direction: Direction }[] = [];
  #steps = 0;

  constructor(side: Side, exported: Iterable<ts.Symbol>) {
    this.#side = side;
    for (const symbol of exported) {
      if (!side.isUnknown(symbol) && symbol.flags & ts.SymbolFlags.Value) this.#declared(symbol, 'received');
    }
    for (const { symbol, direction } of this.#waiting) {
      if (this.#steps > MAX_STEPS) break;
      this.#declared(symbol, direction);
    }
  }

  of(symbol: ts.Symbol): Role {
    const [isGiven, isReceived] = [this.#seen.given.has(symbol), this.#seen.received.has(symbol)];
    if (isGiven) return isReceived ? 'both' : 'given';
    return isReceived ? 'received' : 'unknown';
  }

  #declared(symbol: ts.Symbol, direction: Direction): void {
    for (const declaration of symbol.declarations ?? []) {
      if (!ts.isModuleDeclaration(declaration) && !ts.isSourceFile(declaration)) this.#visit(declaration, direction);
    }
  }

  #visit(node: ts.Node, direction: Direction): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) return;
    if (ts.isTypeReferenceNode(node)) this.#named(node.typeName, direction);
    else if (ts.isExpressionWithTypeArguments(node)) this.#named(node.expression, direction);
    else if (ts.isTypeQueryNode(node)) this.#named(node.exprName, direction);
    // Who gives a function receives its arguments.
    const other = direction === 'given' ? 'received' : 'given';
    const isCall = ts.isFunctionLike(node);
    ts.forEachChild(node, (child) => this.#visit(child, isCall && ts.isParameter(child) ? other : direction));
  }

  #named(name: ts.Node, direction: Direction): void {
    const symbol = this.#side.checker.getSymbolAtLocation(name);
    const target = symbol && this.#side.target(symbol);
    if (!target || this.#seen[direction].has(target) || this.#side.isLibrary(target)) return;
    this.#seen[direction].add(target);
    this.#waiting.push({ symbol: target, direction });
  }
}
