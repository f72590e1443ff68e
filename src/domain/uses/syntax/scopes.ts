// Which declaration a name means at a place: the scopes of a file and what each of their names was given.
import ts from 'typescript-api';

// What a name may stand for.
export type Meaning =
  // An import: the module and the path of names inside of it.
  | { kind: 'module'; specifier: string; path: readonly string[]; isType: boolean; node: ts.Node }
  // The value of an expression, taken apart by the keys.
  | { kind: 'value'; expression: ts.Expression; keys: readonly Key[] }
  // A parameter: what it holds is known only for callbacks of promises.
  | {
      kind: 'parameter';
      owner: ts.SignatureDeclaration;
      index: number;
      keys: readonly Key[];
      type?: ts.TypeNode | undefined;
    }
  // A declared type tells what the value is an instance of.
  | { kind: 'instance'; type: ts.TypeNode }
  | { kind: 'function'; node: ts.FunctionLikeDeclaration }
  | { kind: 'class'; node: ts.ClassLikeDeclaration }
  | { kind: 'alias'; reference: ts.EntityName }
  | { kind: 'type'; type: ts.TypeNode }
  | { kind: 'other' };

// One step of taking a value apart. A rest keeps the path; a computed key may be any name.
export type Key = { name: string } | { position: number } | 'rest' | 'computed';

export interface Binding {
  meanings: Meaning[];
}

class Scope {
  readonly names = new Map<string, Binding>();
  readonly parent: Scope | null;
  // Whether `var` is declared here.
  readonly isFunction: boolean;

  constructor(parent: Scope | null, isFunction: boolean) {
    this.parent = parent;
    this.isFunction = isFunction;
  }

  find(name: string): Binding | null {
    for (let scope: Scope | null = this; scope; scope = scope.parent) {
      const binding = scope.names.get(name);
      if (binding) return binding;
    }
    return null;
  }

  add(name: string, meaning: Meaning): void {
    const binding = this.names.get(name);
    if (binding) binding.meanings.push(meaning);
    else this.names.set(name, { meanings: [meaning] });
  }
}

export type Scopes = ReadonlyMap<ts.Node, Scope>;

export function scopesOf(file: ts.SourceFile): Scopes {
  const scopes = new Map<ts.Node, Scope>();
  const assigned: { scope: Scope; target: ts.Expression; value: ts.Expression }[] = [];

  const visit = (node: ts.Node, outer: Scope): void => {
    declareOutside(node, outer);
    const scope = opensScope(node) ? new Scope(outer, isFunctionScope(node)) : outer;
    if (scope !== outer) scopes.set(node, scope);
    declareInside(node, scope, outer);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      assigned.push({ scope, target: node.left, value: node.right });
    }
    ts.forEachChild(node, (child) => visit(child, scope));
  };
  const root = new Scope(null, true);
  scopes.set(file, root);
  ts.forEachChild(file, (child) => visit(child, root));
  for (const { scope, target, value } of assigned) assign(scope, target, value, []);
  return scopes;
}

export function scopeAt(scopes: Scopes, node: ts.Node): Scope {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    const scope = scopes.get(at);
    if (scope) return scope;
  }
  throw new RangeError('a node outside of its file');
}

function opensScope(node: ts.Node): boolean {
  return (
    isFunctionScope(node) ||
    ts.isBlock(node) ||
    ts.isCaseBlock(node) ||
    ts.isForStatement(node) ||
    ts.isForInStatement(node) ||
    ts.isForOfStatement(node) ||
    ts.isCatchClause(node) ||
    ts.isClassLike(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isMappedTypeNode(node) ||
    ts.isConditionalTypeNode(node) ||
    ts.isEnumDeclaration(node)
  );
}

function isFunctionScope(node: ts.Node): boolean {
  return ts.isFunctionLike(node) || ts.isModuleBlock(node) || ts.isClassStaticBlockDeclaration(node);
}

// Names that a declaration adds to the scope around it.
function declareOutside(node: ts.Node, scope: Scope): void {
  if (ts.isFunctionDeclaration(node)) {
    if (node.name) scope.add(node.name.text, { kind: 'function', node });
  } else if (ts.isClassDeclaration(node)) {
    if (node.name) scope.add(node.name.text, { kind: 'class', node });
  } else if (ts.isTypeAliasDeclaration(node)) {
    scope.add(node.name.text, { kind: 'type', type: node.type });
  } else if (ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node)) {
    scope.add(node.name.text, { kind: 'other' });
  } else if (
    ts.isModuleDeclaration(node) &&
    ts.isIdentifier(node.name) &&
    !(node.flags & ts.NodeFlags.GlobalAugmentation)
  ) {
    scope.add(node.name.text, { kind: 'other' });
  } else if (ts.isImportDeclaration(node)) {
    declareImports(node, scope);
  } else if (ts.isImportEqualsDeclaration(node)) {
    const { moduleReference: from } = node;
    if (!ts.isExternalModuleReference(from)) scope.add(node.name.text, { kind: 'alias', reference: from });
    else if (ts.isStringLiteralLike(from.expression)) {
      scope.add(node.name.text, {
        kind: 'module',
        specifier: from.expression.text,
        path: [],
        isType: node.isTypeOnly,
        node: node.name,
      });
    }
  }
}

function declareImports({ importClause, moduleSpecifier }: ts.ImportDeclaration, scope: Scope): void {
  if (!importClause || !ts.isStringLiteralLike(moduleSpecifier)) return;
  const specifier = moduleSpecifier.text;
  const add = (name: ts.Identifier, path: readonly string[], isType: boolean) => {
    scope.add(name.text, { kind: 'module', specifier, path, isType, node: name });
  };
  if (importClause.name) add(importClause.name, ['default'], importClause.isTypeOnly);
  const { namedBindings } = importClause;
  if (namedBindings && ts.isNamespaceImport(namedBindings)) add(namedBindings.name, [], importClause.isTypeOnly);
  if (!namedBindings || !ts.isNamedImports(namedBindings)) return;
  for (const { name, propertyName, isTypeOnly } of namedBindings.elements) {
    add(name, [(propertyName ?? name).text], importClause.isTypeOnly || isTypeOnly);
  }
}

// Names that live inside of what a node opens.
function declareInside(node: ts.Node, scope: Scope, outer: Scope): void {
  if (ts.isFunctionLike(node)) {
    if (ts.isFunctionExpression(node) && node.name) scope.add(node.name.text, { kind: 'function', node });
    node.parameters.forEach((parameter, index) => {
      declarePattern(scope, parameter.name, [], (keys) => ({
        kind: 'parameter',
        owner: node,
        index,
        keys,
        type: parameter.type,
      }));
      const { initializer } = parameter;
      if (!initializer) return;
      declarePattern(scope, parameter.name, [], (keys) => ({ kind: 'value', expression: initializer, keys }));
    });
  } else if (ts.isClassExpression(node)) {
    if (node.name) scope.add(node.name.text, { kind: 'class', node });
  } else if (ts.isTypeParameterDeclaration(node)) {
    scope.add(node.name.text, { kind: 'other' });
  } else if (ts.isVariableDeclaration(node)) {
    declareVariable(node, scope);
  } else if (ts.isInferTypeNode(node)) {
    outer.add(node.typeParameter.name.text, { kind: 'other' });
  }
}

function declareVariable(node: ts.VariableDeclaration, scope: Scope): void {
  const isVar = ts.isVariableDeclarationList(node.parent) && (node.parent.flags & ts.NodeFlags.BlockScoped) === 0;
  let target = scope;
  while (isVar && !target.isFunction && target.parent) target = target.parent;
  const { initializer, type } = node;
  declarePattern(target, node.name, [], (keys) => {
    if (initializer) return { kind: 'value', expression: initializer, keys };
    return type && keys.length === 0 ? { kind: 'instance', type } : { kind: 'other' };
  });
  if (initializer && type && ts.isIdentifier(node.name)) target.add(node.name.text, { kind: 'instance', type });
}

function declarePattern(
  scope: Scope,
  name: ts.BindingName,
  keys: readonly Key[],
  meaning: (keys: readonly Key[]) => Meaning,
): void {
  if (ts.isIdentifier(name)) {
    scope.add(name.text, meaning(keys));
    return;
  }
  name.elements.forEach((element, position) => {
    if (ts.isOmittedExpression(element)) return;
    const key = ts.isArrayBindingPattern(name) ? { position } : keyOf(element);
    declarePattern(scope, element.name, [...keys, key], meaning);
    const { initializer } = element;
    if (initializer) {
      declarePattern(scope, element.name, [], (inner) => ({ kind: 'value', expression: initializer, keys: inner }));
    }
  });
}

export function keyOf({ dotDotDotToken, propertyName, name }: ts.BindingElement): Key {
  if (dotDotDotToken) return 'rest';
  const key = propertyName ?? name;
  if (ts.isIdentifier(key) || ts.isStringLiteralLike(key)) return { name: key.text };
  if (ts.isComputedPropertyName(key) && ts.isStringLiteralLike(key.expression)) return { name: key.expression.text };
  return 'computed';
}

// `x = value` and `({ a: x } = value)` give names that are declared elsewhere.
function assign(scope: Scope, target: ts.Expression, value: ts.Expression, keys: readonly Key[]): void {
  if (ts.isParenthesizedExpression(target)) {
    assign(scope, target.expression, value, keys);
  } else if (ts.isIdentifier(target)) {
    scope.find(target.text)?.meanings.push({ kind: 'value', expression: value, keys });
  } else if (ts.isObjectLiteralExpression(target)) {
    for (const property of target.properties) {
      if (ts.isShorthandPropertyAssignment(property)) {
        assign(scope, property.name, value, [...keys, { name: property.name.text }]);
      } else if (ts.isPropertyAssignment(property)) {
        const { name, initializer } = property;
        const key = ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? { name: name.text } : ('computed' as const);
        assign(scope, initializer, value, [...keys, key]);
      } else if (ts.isSpreadAssignment(property)) {
        assign(scope, property.expression, value, [...keys, 'rest']);
      }
    }
  } else if (ts.isArrayLiteralExpression(target)) {
    target.elements.forEach((element, position) => {
      assign(scope, element, value, [...keys, { position }]);
    });
  } else if (ts.isBinaryExpression(target) && target.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    assign(scope, target.left, value, keys);
  }
}
