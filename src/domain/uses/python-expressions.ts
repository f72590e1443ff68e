// Where the expressions of a Python file lead: names, members, calls and what they are given.
import { childOf, childrenOf, type SyntaxNode, sourceOf } from '../evidence/python/syntax.ts';
import { GIVEN, type NotedUses, type Path, type Scope } from './python-noted.ts';

const MAX_DEPTH = 250;
const MAX_PATH = 40;

export class ExpressionReader {
  readonly #text: string;
  readonly #noted: NotedUses;
  // Reads what is no expression.
  readonly #visitOther: (node: SyntaxNode, scope: Scope) => void;
  #depth = 0;

  constructor(text: string, noted: NotedUses, visitOther: (node: SyntaxNode, scope: Scope) => void) {
    this.#text = text;
    this.#noted = noted;
    this.#visitOther = visitOther;
  }

  #source(node: SyntaxNode): string {
    return sourceOf(this.#text, node);
  }

  member(path: Path, word: string, offset: number): Path {
    if (path !== null && path.length < MAX_PATH) return [...path, word];
    this.#noted.members.push({ name: word, line: this.#noted.lineAt(offset), named: new Map() });
    return null;
  }

  // What leads nowhere is read all the same.
  lookAt(node: SyntaxNode, scope: Scope): Path {
    if (isExpression(node)) return this.evaluate(node, scope);
    this.#visitOther(node, scope);
    return null;
  }

  // What an expression leads to, without noting it.
  pathOf(node: SyntaxNode, scope: Scope): Path {
    const [first = '', ...rest] = this.#source(node).split('.');
    const found = scope.find(first.trim());
    return found === null ? null : [...found, ...rest.map((one) => one.trim())];
  }

  evaluate(node: SyntaxNode, scope: Scope): Path {
    return this.within(() => this.#lead(node, scope)) ?? null;
  }

  // What nests deeper is not looked at.
  within<T>(run: () => T): T | null {
    if (this.#depth > MAX_DEPTH) return null;
    this.#depth += 1;
    const result = run();
    this.#depth -= 1;
    return result;
  }

  #lead(node: SyntaxNode, scope: Scope): Path {
    if (node.name === 'VariableName') {
      const path = scope.find(this.#source(node));
      if (path !== null) this.#noted.touch(path, node.from);
      return path;
    }
    if (node.name === 'MemberExpression') {
      const kept = node.to - node.from < 100 ? scope.find(this.#source(node)) : null;
      if (kept !== null) return kept;
      const [object, ...others] = [...childrenOf(node)];
      const property = childOf(node, 'PropertyName');
      const path = object === undefined ? null : this.lookAt(object, scope);
      if (property === null) {
        for (const one of others) this.#visitOther(one, scope);
        return null;
      }
      const found = this.member(path, this.#source(property), property.from);
      if (found !== null) this.#noted.touch(found, property.from);
      return found;
    }
    if (node.name === 'CallExpression') {
      const [called] = [...childrenOf(node)];
      const list = childOf(node, 'ArgList');
      const path = called === undefined ? null : this.lookAt(called, scope);
      if (list !== null) this.readArguments(list, scope, path, called);
      return path === null ? null : [...path, GIVEN];
    }
    if (node.name === 'AwaitExpression' || node.name === 'ParenthesizedExpression') {
      let found: Path = null;
      for (const child of childrenOf(node)) {
        if (isExpression(child)) found = this.evaluate(child, scope);
        else this.#visitOther(child, scope);
      }
      return found;
    }
    this.#visitOther(node, scope);
    return null;
  }

  readArguments(list: SyntaxNode, scope: Scope, path: Path, called: SyntaxNode | undefined): void {
    const named = new Map<string, number>();
    let [isOpen, places] = [false, 0];
    const parts: SyntaxNode[][] = [[]];
    for (const child of [...childrenOf(list)].slice(1, -1)) {
      if (child.name === ',') parts.push([]);
      else parts.at(-1)?.push(child);
    }
    for (const part of parts) {
      const [first, second] = part;
      if (!first) continue;
      const isNamed = second?.name === 'AssignOp';
      if (isNamed) named.set(this.#source(first), this.#noted.lineAt(first.from));
      else if (first.name === '**' || first.name === '*') isOpen = true;
      else places += 1;
      for (const one of isNamed ? part.slice(2) : part) {
        const given = this.lookAt(one, scope);
        const word = called && this.#source(called);
        if (given !== null && /^(?:getattr|vars|dir|hasattr|setattr)$/.test(word ?? '')) {
          this.#noted.open.push({ path: given, line: this.#noted.lineAt(list.from) });
        }
      }
    }
    if (path !== null) this.#noted.calls.push({ path, line: this.#noted.lineAt(list.from), named, isOpen, places });
    else if (called?.name === 'MemberExpression' && named.size > 0) {
      const name = this.#source(called).split('.').at(-1)?.trim() ?? '';
      this.#noted.members.push({ name, line: this.#noted.lineAt(list.from), named });
    }
  }
}

export function isExpression({ name }: SyntaxNode): boolean {
  return /^(?:VariableName|MemberExpression|CallExpression|AwaitExpression|ParenthesizedExpression)$/.test(name);
}
