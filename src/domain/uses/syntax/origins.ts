// From which module a value comes: aliases, destructuring, `require`, dynamic imports, parameters of callbacks and functions that
// hand a module on are followed through a file.
import ts from 'typescript-api';
import { CALLED, ELEMENT, EXTENDED, type How, type Origin } from '../touch.ts';
import { awaitedElements, HANDS_BOTH, HANDS_RIGHT, isCreateRequire, returnsOf, unwrapped } from './expressions.ts';
import { DEEPEST, distinct, instances, stepped, takenApart } from './origin-paths.ts';
import { type Binding, type Key, type Meaning, type Scopes, scopeAt } from './scopes.ts';

// Helpers of compilers that hand a module through.
const INTEROP =
  /^_*(?:importDefault|importStar|interopRequireDefault|interopRequireWildcard|interop_require_(?:default|wildcard)|toESM|toCommonJS|interopDefault)$/;
const ACTUAL = new Set(['importActual', 'requireActual', 'importMock', 'requireMock', 'importOriginal']);

export class Origins {
  readonly #scopes: Scopes;
  readonly #known = new Map<Binding, readonly Origin[]>();
  // Each expression is followed once: functions that call each other would be followed without end.
  readonly #values = new Map<ts.Expression, readonly Origin[]>();
  #depth = 0;

  constructor(scopes: Scopes) {
    this.#scopes = scopes;
  }

  ofName(name: ts.Identifier): readonly Origin[] {
    const binding = scopeAt(this.#scopes, name).find(name.text);
    return binding ? this.#ofBinding(binding) : [];
  }

  // The names of the whole file that come from modules.
  atTop(file: ts.SourceFile): ReadonlyMap<string, readonly Origin[]> {
    const names = scopeAt(this.#scopes, file).names;
    const found = [...names].map(([name, binding]) => [name, this.#ofBinding(binding)] as const);
    return new Map(found.filter(([, origins]) => origins.length > 0));
  }

  of(expression: ts.Expression): readonly Origin[] {
    const known = this.#values.get(expression);
    if (known) return known;
    // Functions that call each other in a circle hand nothing on.
    this.#values.set(expression, []);
    this.#depth += 1;
    const found = this.#depth > DEEPEST ? [] : distinct(this.#evaluate(expression));
    this.#depth -= 1;
    this.#values.set(expression, found);
    return found;
  }

  // The module that a call loads; null when it is no such call.
  loaded(call: ts.CallExpression): Origin | null {
    const how = this.howLoaded(call);
    const [argument] = call.arguments;
    const specifier = how && argument ? this.text(argument) : null;
    return how && specifier !== null ? { specifier, path: [], how } : null;
  }

  howLoaded({ expression: callee }: ts.CallExpression): How | null {
    if (callee.kind === ts.SyntaxKind.ImportKeyword) return 'dynamic';
    if (ts.isIdentifier(callee)) return this.#isRequire(callee) ? 'require' : null;
    if (ts.isCallExpression(callee)) return isCreateRequire(callee) ? 'require' : null;
    if (!ts.isPropertyAccessExpression(callee)) return null;
    if (ACTUAL.has(callee.name.text)) return 'dynamic';
    return callee.name.text === 'require' && ts.isIdentifier(callee.expression) && callee.expression.text === 'module'
      ? 'require'
      : null;
  }

  // A text that is known without running the program.
  text(expression: ts.Expression): string | null {
    const plain = unwrapped(expression);
    if (ts.isStringLiteralLike(plain)) return plain.text;
    if (!ts.isIdentifier(plain)) return null;
    const binding = scopeAt(this.#scopes, plain).find(plain.text);
    const [meaning] = binding?.meanings.length === 1 ? binding.meanings : [];
    if (meaning?.kind !== 'value' || meaning.keys.length > 0) return null;
    const value = unwrapped(meaning.expression);
    return ts.isStringLiteralLike(value) ? value.text : null;
  }

  // What a function of the file returns, or an object of it holds, where that comes from a module.
  ofHolder(node: ts.CallExpression | ts.PropertyAccessExpression): readonly Origin[] {
    if (ts.isCallExpression(node)) return ts.isIdentifier(node.expression) ? this.#returnedBy(node.expression) : [];
    const value = this.#property(node.expression, node.name.text);
    return value ? this.of(value) : [];
  }

  // The classes that the class around `this` or `super` is made from.
  ofThis(node: ts.Node): readonly Origin[] {
    let at: ts.Node | undefined = node.parent;
    while (at && !ts.isClassLike(at)) {
      if (ts.isFunctionDeclaration(at) || ts.isFunctionExpression(at)) return [];
      at = at.parent;
    }
    return at ? instances(this.#bases(at)) : [];
  }

  #isRequire(name: ts.Identifier): boolean {
    const binding = scopeAt(this.#scopes, name).find(name.text);
    if (!binding) return name.text === 'require';
    return binding.meanings.some((meaning) => {
      if (meaning.kind !== 'value' || meaning.keys.length > 0) return false;
      const value = unwrapped(meaning.expression);
      return ts.isCallExpression(value) && isCreateRequire(value);
    });
  }

  #ofBinding(binding: Binding): readonly Origin[] {
    const known = this.#known.get(binding);
    if (known) return known;
    // A name that is given itself in a circle has no origin of its own.
    this.#known.set(binding, []);
    const found = distinct(binding.meanings.flatMap((meaning) => this.#ofMeaning(meaning)));
    this.#known.set(binding, found);
    return found;
  }

  #ofMeaning(meaning: Meaning): readonly Origin[] {
    switch (meaning.kind) {
      case 'module': {
        const isRequire = ts.isImportEqualsDeclaration(meaning.node.parent);
        return [{ specifier: meaning.specifier, path: meaning.path, how: isRequire ? 'require' : 'import' }];
      }
      case 'value':
        return this.#apart(meaning.expression, meaning.keys);
      case 'parameter': {
        const given = takenApart(this.#ofParameter(meaning), meaning.keys);
        return meaning.type && meaning.keys.length === 0 ? [...given, ...this.#ofType(meaning.type)] : given;
      }
      case 'instance':
        return this.#ofType(meaning.type);
      case 'class':
        return stepped(this.#bases(meaning.node), EXTENDED);
      case 'alias':
        return this.#ofEntity(meaning.reference);
      case 'type':
        return ts.isTypeReferenceNode(meaning.type) ? this.#ofEntity(meaning.type.typeName) : [];
      default:
        return [];
    }
  }

  #bases(node: ts.ClassLikeDeclaration): readonly Origin[] {
    const base = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
    return base ? this.of(base.expression) : [];
  }

  #ofType(type: ts.TypeNode): readonly Origin[] {
    if (ts.isTypeReferenceNode(type)) return instances(this.#ofEntity(type.typeName));
    if (ts.isTypeQueryNode(type)) return this.#ofEntity(type.exprName);
    return [];
  }

  #ofEntity(name: ts.EntityName): readonly Origin[] {
    if (ts.isIdentifier(name)) return this.ofName(name);
    return stepped(this.#ofEntity(name.left), name.right.text);
  }

  #apart(expression: ts.Expression, keys: readonly Key[]): readonly Origin[] {
    const [first, ...rest] = keys;
    if (typeof first === 'object' && 'position' in first) {
      const element = awaitedElements(expression)?.[first.position];
      if (element) return takenApart(this.of(element), rest);
    }
    if (typeof first === 'object' && 'name' in first) {
      const value = this.#property(expression, first.name);
      if (value) return this.#apart(value, rest);
    }
    return takenApart(this.of(expression), keys);
  }

  // The value of a property of an object that is written down in the file.
  #property(object: ts.Expression, name: string): ts.Expression | null {
    let plain = unwrapped(object);
    if (ts.isIdentifier(plain)) {
      const binding = scopeAt(this.#scopes, plain).find(plain.text);
      const [meaning] = binding?.meanings.length === 1 ? binding.meanings : [];
      if (meaning?.kind !== 'value' || meaning.keys.length > 0) return null;
      plain = unwrapped(meaning.expression);
    }
    if (!ts.isObjectLiteralExpression(plain)) return null;
    for (const property of plain.properties) {
      if (ts.isShorthandPropertyAssignment(property) && property.name.text === name) return property.name;
      if (!ts.isPropertyAssignment(property)) continue;
      if ((ts.isIdentifier(property.name) || ts.isStringLiteralLike(property.name)) && property.name.text === name) {
        return property.initializer;
      }
    }
    return null;
  }

  // `import('x').then((x) => …)`
  #ofParameter({ owner, index }: Meaning & { kind: 'parameter' }): readonly Origin[] {
    const call = owner.parent;
    if (index !== 0 || !call || !ts.isCallExpression(call) || call.arguments[0] !== owner) return [];
    if (!ts.isPropertyAccessExpression(call.expression) || call.expression.name.text !== 'then') return [];
    return this.of(call.expression.expression);
  }

  #evaluate(expression: ts.Expression): readonly Origin[] {
    const node = unwrapped(expression);
    if (ts.isIdentifier(node)) return this.ofName(node);
    if (node.kind === ts.SyntaxKind.ThisKeyword || node.kind === ts.SyntaxKind.SuperKeyword) return this.ofThis(node);
    if (ts.isPropertyAccessExpression(node)) {
      const value = this.#property(node.expression, node.name.text);
      return value ? this.of(value) : stepped(this.of(node.expression), node.name.text);
    }
    if (ts.isElementAccessExpression(node)) {
      const key = this.text(node.argumentExpression);
      return stepped(this.of(node.expression), key ?? ELEMENT);
    }
    if (ts.isCallExpression(node)) return this.#ofCall(node);
    if (ts.isNewExpression(node)) return instances(this.of(node.expression));
    if (ts.isConditionalExpression(node)) return [...this.of(node.whenTrue), ...this.of(node.whenFalse)];
    if (ts.isClassExpression(node)) return stepped(this.#bases(node), EXTENDED);
    if (ts.isBinaryExpression(node)) {
      if (HANDS_RIGHT.has(node.operatorToken.kind)) return this.of(node.right);
      return HANDS_BOTH.has(node.operatorToken.kind) ? [...this.of(node.left), ...this.of(node.right)] : [];
    }
    return [];
  }

  #ofCall(call: ts.CallExpression): readonly Origin[] {
    const loaded = this.loaded(call);
    if (loaded) return [loaded];
    const { expression: callee } = call;
    const [argument] = call.arguments;
    const name = ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
    if (INTEROP.test(name) && argument) return this.of(argument);
    const returned = ts.isIdentifier(callee) ? this.#returnedBy(callee) : [];
    return returned.length > 0 ? returned : stepped(this.of(callee), CALLED);
  }

  // What a function of the file returns, where that is a module or a part of one.
  #returnedBy(name: ts.Identifier): readonly Origin[] {
    const binding = scopeAt(this.#scopes, name).find(name.text);
    return (binding?.meanings ?? []).flatMap((meaning) => {
      const value = meaning.kind === 'value' && meaning.keys.length === 0 ? unwrapped(meaning.expression) : null;
      const node = meaning.kind === 'function' ? meaning.node : value;
      if (!node || !(ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isArrowFunction(node))) {
        return [];
      }
      return returnsOf(node).flatMap((returned) => this.of(returned));
    });
  }
}
