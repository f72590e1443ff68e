// What a Python file does with what it imports: names, members of instances, arguments by their names. Nothing is executed.
import { nestsTooDeep } from '../evidence/python/nesting.ts';
import { imported } from '../evidence/python/read-scope.ts';
import { childOf, childrenOf, parsePython, type SyntaxNode, sourceOf } from '../evidence/python/syntax.ts';
import { ExpressionReader, isExpression } from './python-expressions.ts';
import { GIVEN, NotedUses, type Path, type PythonFileUses, Scope } from './python-noted.ts';

// Null for a file that nests deeper than people write: nobody knows what it does.
export function readPythonFile(text: string): PythonFileUses | null {
  return nestsTooDeep(text) ? null : new FileReader(text).read();
}

class FileReader {
  readonly #text: string;
  readonly #noted: NotedUses;
  readonly #later: (() => void)[] = [];
  readonly #expressions: ExpressionReader;

  constructor(text: string) {
    this.#text = text;
    this.#noted = new NotedUses(text);
    this.#expressions = new ExpressionReader(text, this.#noted, (node, scope) => this.#visit(node, scope));
  }

  read(): PythonFileUses {
    this.#visit(parsePython(this.#text).root, new Scope(null));
    // Functions run after the names of the module are bound.
    for (const run of this.#later) run();
    return this.#noted;
  }

  #source(node: SyntaxNode): string {
    return sourceOf(this.#text, node);
  }

  #visit(node: SyntaxNode, scope: Scope): void {
    this.#expressions.within(() => this.#read(node, scope));
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
        this.#expressions.evaluate(node, scope);
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
      this.#noted.stars.push({ module, line: this.#noted.lineAt(node.from) });
      this.#noted.touches.push({ path: module.split('.'), line: this.#noted.lineAt(node.from), kind: 'import' });
    };
    const whole = this.#source(node);
    const isFrom = whole.startsWith('from');
    for (const [local, { module, name }] of imported({ text: this.#text, absolute, onStar }, node)) {
      if (local === null || module === '') continue;
      const path = [...module.split('.'), ...(name === null ? [] : [name])];
      scope.names.set(local, path);
      this.#noted.touches.push({ path, line: this.#lineOfName(node, name ?? module), kind: 'import' });
    }
    if (isFrom) return;
    // `import a.b` binds the first part and loads all of it.
    for (const [module = ''] of whole.matchAll(/[\w.]+/g)) {
      if (module.includes('.'))
        this.#noted.touches.push({ path: module.split('.'), line: this.#noted.lineAt(node.from), kind: 'import' });
    }
  }

  #lineOfName(node: SyntaxNode, name: string): number {
    let isBehind = node.firstChild?.name !== 'from';
    for (const child of childrenOf(node)) {
      if (child.name === 'import') isBehind = true;
      else if (isBehind && child.name === 'VariableName' && this.#source(child) === name)
        return this.#noted.lineAt(child.from);
    }
    return this.#noted.lineAt(node.from);
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
    const path = this.#expressions.pathOf(type, scope);
    return path === null ? null : [...path, GIVEN];
  }

  #readClass(node: SyntaxNode, scope: Scope): void {
    const name = childOf(node, 'VariableName');
    const bases = childOf(node, 'ArgList');
    let base: Path = null;
    for (const child of bases === null ? [] : childrenOf(bases)) {
      const path =
        child.name === 'VariableName' || child.name === 'MemberExpression'
          ? this.#expressions.evaluate(child, scope)
          : null;
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
    const values = value.map((one) => this.#expressions.lookAt(one, scope));
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
    } else this.#expressions.evaluate(target, scope);
  }

  #readWith(node: SyntaxNode, scope: Scope): void {
    let [given, isNamed]: [Path, boolean] = [null, false];
    for (const child of childrenOf(node)) {
      if (child.name === 'as') isNamed = true;
      else if (isNamed && child.name === 'VariableName') {
        scope.names.set(this.#source(child), given);
        isNamed = false;
      } else if (isExpression(child)) given = this.#expressions.evaluate(child, scope);
      else this.#visit(child, scope);
    }
  }

  #readDecorator(node: SyntaxNode, scope: Scope): void {
    const names = [...childrenOf(node)].filter(({ name }) => name === 'VariableName' || name === 'PropertyName');
    let path: Path = null;
    for (const [index, name] of names.entries()) {
      const word = this.#source(name);
      path = index === 0 ? scope.find(word) : this.#expressions.member(path, word, name.from);
      if (path !== null) this.#noted.touch(path, name.from);
    }
    const list = childOf(node, 'ArgList');
    if (list !== null) this.#expressions.readArguments(list, scope, path, names.at(-1));
    for (const child of childrenOf(node)) {
      if (child.name === 'MemberExpression' || child.name === 'CallExpression')
        this.#expressions.evaluate(child, scope);
    }
  }
}
