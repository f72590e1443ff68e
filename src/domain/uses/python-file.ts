// What a Python file does with what it imports: names, members of instances, arguments by their names. Nothing is executed.
import { nestsTooDeep } from '../evidence/python/nesting.ts';
import { imported } from '../evidence/python/read-scope.ts';
import { childOf, childrenOf, parsePython, type SyntaxNode, sourceOf } from '../evidence/python/syntax.ts';

// A step of a path: what a call gives.
export const GIVEN = '()';

interface PythonTouch {
  // From the first part of the module inwards.
  path: readonly string[];
  line: number;
  kind: 'import' | 'value';
}

export interface PythonCall {
  path: readonly string[];
  line: number;
  // The names of its arguments, and where each stands.
  named: ReadonlyMap<string, number>;
  // It hands on arguments whose names are not known.
  isOpen: boolean;
  places: number;
}

export interface PythonFileUses {
  touches: readonly PythonTouch[];
  calls: readonly PythonCall[];
  // Members of values that nobody knows: their names and lines.
  members: readonly { name: string; line: number; named: ReadonlyMap<string, number> }[];
  // Modules whose names are all taken over, and modules that are asked for by a name that is put together.
  stars: readonly { module: string; line: number }[];
  open: readonly { path: readonly string[]; line: number }[];
}

type Path = readonly string[] | null;

const MAX_DEPTH = 250;
const MAX_PATH = 40;

// Null for a file that nests deeper than people write: nobody knows what it does.
export function readPythonFile(text: string): PythonFileUses | null {
  return nestsTooDeep(text) ? null : new FileReader(text).read();
}

class Scope {
  readonly names = new Map<string, Path>();
  readonly outer: Scope | null;

  constructor(outer: Scope | null) {
    this.outer = outer;
  }

  find(name: string): Path {
    for (let at: Scope | null = this; at !== null; at = at.outer) {
      const found = at.names.get(name);
      if (found !== undefined) return found;
    }
    return null;
  }
}

class FileReader {
  readonly #text: string;
  readonly #lines: number[] = [];
  readonly #later: (() => void)[] = [];
  readonly #touches: PythonTouch[] = [];
  readonly #calls: PythonCall[] = [];
  readonly #members: { name: string; line: number; named: ReadonlyMap<string, number> }[] = [];
  readonly #stars: { module: string; line: number }[] = [];
  readonly #open: { path: readonly string[]; line: number }[] = [];
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lines.push(at);
  }

  read(): PythonFileUses {
    this.#visit(parsePython(this.#text).root, new Scope(null));
    // Functions run after the names of the module are bound.
    for (const run of this.#later) run();
    return { touches: this.#touches, calls: this.#calls, members: this.#members, stars: this.#stars, open: this.#open };
  }

  #lineAt(offset: number): number {
    let [low, high] = [0, this.#lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lines[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }

  #source(node: SyntaxNode): string {
    return sourceOf(this.#text, node);
  }

  #visit(node: SyntaxNode, scope: Scope): void {
    if (this.#depth > MAX_DEPTH) return;
    this.#depth += 1;
    this.#read(node, scope);
    this.#depth -= 1;
  }

  #read(node: SyntaxNode, scope: Scope): void {
    switch (node.name) {
      case 'ImportStatement':
        this.#readImport(node, scope);
        break;
      case 'FunctionDefinition':
      case 'LambdaExpression':
        this.#readFunction(node, scope, null);
        break;
      case 'ClassDefinition':
        this.#readClass(node, scope);
        break;
      case 'AssignStatement':
        this.#readAssignment(node, scope);
        break;
      case 'WithStatement':
        this.#readWith(node, scope);
        break;
      case 'ForStatement':
        for (const child of childrenOf(node)) {
          if (child.name === 'in') break;
          if (child.name === 'VariableName') scope.names.set(this.#source(child), null);
        }
        this.#visitAll(node, scope);
        break;
      case 'VariableName':
      case 'MemberExpression':
      case 'CallExpression':
        this.#evaluate(node, scope);
        break;
      case 'Decorator':
        this.#readDecorator(node, scope);
        break;
      default:
        this.#visitAll(node, scope);
    }
  }

  #visitAll(node: SyntaxNode, scope: Scope): void {
    for (const child of childrenOf(node)) this.#visit(child, scope);
  }

  #readImport(node: SyntaxNode, scope: Scope): void {
    const absolute = (dots: number, module: string) => (dots > 0 ? null : module);
    const onStar = (module: string) => {
      this.#stars.push({ module, line: this.#lineAt(node.from) });
      this.#touches.push({ path: module.split('.'), line: this.#lineAt(node.from), kind: 'import' });
    };
    const whole = this.#source(node);
    const isFrom = whole.startsWith('from');
    for (const [local, { module, name }] of imported({ text: this.#text, absolute, onStar }, node)) {
      if (local === null || module === '') continue;
      const path = [...module.split('.'), ...(name === null ? [] : [name])];
      scope.names.set(local, path);
      this.#touches.push({ path, line: this.#lineOfName(node, name ?? module), kind: 'import' });
    }
    if (isFrom) return;
    // `import a.b` binds the first part and loads all of it.
    for (const [module = ''] of whole.matchAll(/[\w.]+/g)) {
      if (module.includes('.'))
        this.#touches.push({ path: module.split('.'), line: this.#lineAt(node.from), kind: 'import' });
    }
  }

  #lineOfName(node: SyntaxNode, name: string): number {
    let isBehind = node.firstChild?.name !== 'from';
    for (const child of childrenOf(node)) {
      if (child.name === 'import') isBehind = true;
      else if (isBehind && child.name === 'VariableName' && this.#source(child) === name) this.#lineAt(child.from);
      break;
    }
    return this.#lineAt(node.from);
  }

  #readFunction(node: SyntaxNode, scope: Scope, self: Path): void {
    const name = node.name === 'FunctionDefinition' ? childOf(node, 'VariableName') : null;
    if (name !== null) scope.names.set(this.#source(name), null);
    const inner = new Scope(scope);
    const list = childOf(node, 'ParamList');
    if (list !== null) this.#readParameters(list, scope, inner, self);
    const annotation = childOf(node, 'TypeDef');
    if (annotation !== null) this.#visit(annotation, scope);
    this.#later.push(() => {
      for (const child of childrenOf(node)) {
        if (child.name !== 'ParamList' && child.name !== 'TypeDef' && child !== name) this.#visit(child, inner);
      }
    });
  }

  #readParameters(list: SyntaxNode, outer: Scope, inner: Scope, self: Path): void {
    let [last, isFirst, isValue] = ['', true, false];
    for (const child of childrenOf(list)) {
      if (child.name === ',') isValue = false;
      else if (child.name === 'AssignOp') isValue = true;
      else if (child.name === 'VariableName' && !isValue) {
        last = this.#source(child);
        inner.names.set(last, isFirst ? self : null);
        isFirst = false;
      } else if (child.name === 'TypeDef') inner.names.set(last, this.#instanceOf(child, outer));
      else this.#visit(child, outer);
    }
  }

  // The value that an annotation promises.
  #instanceOf(annotation: SyntaxNode, scope: Scope): Path {
    const [, type] = [...childrenOf(annotation)];
    this.#visit(annotation, scope);
    if (!type || (type.name !== 'VariableName' && type.name !== 'MemberExpression')) return null;
    const path = this.#pathOf(type, scope);
    return path === null ? null : [...path, GIVEN];
  }

  #readClass(node: SyntaxNode, scope: Scope): void {
    const name = childOf(node, 'VariableName');
    const bases = childOf(node, 'ArgList');
    let base: Path = null;
    for (const child of bases === null ? [] : childrenOf(bases)) {
      const path =
        child.name === 'VariableName' || child.name === 'MemberExpression' ? this.#evaluate(child, scope) : null;
      base ??= path;
      if (path === null && child.name === 'CallExpression') this.#visit(child, scope);
    }
    // Its instances are those of its base.
    if (name !== null) scope.names.set(this.#source(name), base);
    const inner = new Scope(scope);
    const self = base === null ? null : [...base, GIVEN];
    const body = childOf(node, 'Body');
    for (const child of body === null ? [] : childrenOf(body)) {
      const method = child.name === 'DecoratedStatement' ? childOf(child, 'FunctionDefinition') : child;
      if (method?.name !== 'FunctionDefinition') this.#visit(child, inner);
      else {
        for (const one of childrenOf(child)) if (one.name === 'Decorator') this.#visit(one, inner);
        this.#readFunction(method, inner, self);
      }
    }
  }

  #readAssignment(node: SyntaxNode, scope: Scope): void {
    const groups: SyntaxNode[][] = [[]];
    let promised: Path = null;
    for (const child of childrenOf(node)) {
      if (child.name === 'AssignOp') groups.push([]);
      else if (child.name === 'TypeDef') promised = this.#instanceOf(child, scope);
      else groups.at(-1)?.push(child);
    }
    const value = groups.length > 1 ? (groups.pop() ?? []) : [];
    const values = value.map((one) => this.#lookAt(one, scope));
    const given = value.length === 1 ? (values[0] ?? null) : null;
    for (const group of groups) {
      for (const target of group) {
        const isOnly = group.length === 1;
        if (target.name === 'VariableName') scope.names.set(this.#source(target), isOnly ? (promised ?? given) : null);
        else if (target.name === 'MemberExpression')
          this.#assignMember(target, scope, isOnly ? (promised ?? given) : null);
        else this.#visit(target, scope);
      }
    }
  }

  // `self.client = Client()` is known in the other methods too.
  #assignMember(target: SyntaxNode, scope: Scope, given: Path): void {
    const written = this.#source(target);
    if (/^self\.\w+$/.test(written) && given !== null) {
      let top = scope;
      while (top.outer !== null) top = top.outer;
      top.names.set(written, given);
    } else this.#evaluate(target, scope);
  }

  #readWith(node: SyntaxNode, scope: Scope): void {
    let [given, isNamed]: [Path, boolean] = [null, false];
    for (const child of childrenOf(node)) {
      if (child.name === 'as') isNamed = true;
      else if (isNamed && child.name === 'VariableName') {
        scope.names.set(this.#source(child), given);
        isNamed = false;
      } else if (isExpression(child)) given = this.#evaluate(child, scope);
      else this.#visit(child, scope);
    }
  }

  #readDecorator(node: SyntaxNode, scope: Scope): void {
    const names = [...childrenOf(node)].filter(({ name }) => name === 'VariableName' || name === 'PropertyName');
    let path: Path = null;
    for (const [index, name] of names.entries()) {
      const word = this.#source(name);
      path = index === 0 ? scope.find(word) : this.#member(path, word, name.from);
      if (path !== null) this.#touch(path, name.from);
    }
    const list = childOf(node, 'ArgList');
    if (list !== null) this.#readArguments(list, scope, path, names.at(-1));
    for (const child of childrenOf(node)) {
      if (child.name === 'MemberExpression' || child.name === 'CallExpression') this.#evaluate(child, scope);
    }
  }

  #touch(path: readonly string[], offset: number): void {
    this.#touches.push({ path, line: this.#lineAt(offset), kind: 'value' });
  }

  #member(path: Path, word: string, offset: number): Path {
    if (path !== null && path.length < MAX_PATH) return [...path, word];
    this.#members.push({ name: word, line: this.#lineAt(offset), named: new Map() });
    return null;
  }

  // What leads nowhere is read all the same.
  #lookAt(node: SyntaxNode, scope: Scope): Path {
    if (isExpression(node)) return this.#evaluate(node, scope);
    this.#visit(node, scope);
    return null;
  }

  // What an expression leads to, without noting it.
  #pathOf(node: SyntaxNode, scope: Scope): Path {
    const [first = '', ...rest] = this.#source(node).split('.');
    const found = scope.find(first.trim());
    return found === null ? null : [...found, ...rest.map((one) => one.trim())];
  }

  #evaluate(node: SyntaxNode, scope: Scope): Path {
    if (this.#depth > MAX_DEPTH) return null;
    this.#depth += 1;
    const path = this.#lead(node, scope);
    this.#depth -= 1;
    return path;
  }

  #lead(node: SyntaxNode, scope: Scope): Path {
    if (node.name === 'VariableName') {
      const path = scope.find(this.#source(node));
      if (path !== null) this.#touch(path, node.from);
      return path;
    }
    if (node.name === 'MemberExpression') {
      const kept = node.to - node.from < 100 ? scope.find(this.#source(node)) : null;
      if (kept !== null) return kept;
      const [object, ...others] = [...childrenOf(node)];
      const property = childOf(node, 'PropertyName');
      const path = object === undefined ? null : this.#lookAt(object, scope);
      if (property === null) {
        for (const one of others) this.#visit(one, scope);
        return null;
      }
      const found = this.#member(path, this.#source(property), property.from);
      if (found !== null) this.#touch(found, property.from);
      return found;
    }
    if (node.name === 'CallExpression') {
      const [called] = [...childrenOf(node)];
      const list = childOf(node, 'ArgList');
      const path = called === undefined ? null : this.#lookAt(called, scope);
      if (list !== null) this.#readArguments(list, scope, path, called);
      return path === null ? null : [...path, GIVEN];
    }
    if (node.name === 'AwaitExpression' || node.name === 'ParenthesizedExpression') {
      let found: Path = null;
      for (const child of childrenOf(node)) {
        if (isExpression(child)) found = this.#evaluate(child, scope);
        else this.#visit(child, scope);
      }
      return found;
    }
    this.#visit(node, scope);
    return null;
  }

  #readArguments(list: SyntaxNode, scope: Scope, path: Path, called: SyntaxNode | undefined): void {
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
      if (isNamed) named.set(this.#source(first), this.#lineAt(first.from));
      else if (first.name === '**' || first.name === '*') isOpen = true;
      else places += 1;
      for (const one of isNamed ? part.slice(2) : part) {
        const given = this.#lookAt(one, scope);
        const word = called && this.#source(called);
        if (given !== null && /^(?:getattr|vars|dir|hasattr|setattr)$/.test(word ?? '')) {
          this.#open.push({ path: given, line: this.#lineAt(list.from) });
        }
      }
    }
    if (path !== null) this.#calls.push({ path, line: this.#lineAt(list.from), named, isOpen, places });
    else if (called?.name === 'MemberExpression' && named.size > 0) {
      const name = this.#source(called).split('.').at(-1)?.trim() ?? '';
      this.#members.push({ name, line: this.#lineAt(list.from), named });
    }
  }
}

function isExpression({ name }: SyntaxNode): boolean {
  return /^(?:VariableName|MemberExpression|CallExpression|AwaitExpression|ParenthesizedExpression)$/.test(name);
}
