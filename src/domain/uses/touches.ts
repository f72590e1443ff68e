// Every place of a file where a module, or a name that comes from one, is touched.
import ts from 'typescript-api';
import { CALLED, ELEMENT, HANDS_BOTH, type How, INSTANCE, type Origin, Origins } from './origins.ts';
import { keyOf, scopesOf } from './scopes.ts';

export interface Touch {
  specifier: string;
  // Names from the module inwards, with the steps of `origins.ts` between them, and the line of each.
  path: readonly string[];
  lines: readonly number[];
  // How many names of the path were reached elsewhere and are only carried by what is read here.
  carried: number;
  line: number;
  // `import`: the name is only bound here.
  kind: 'import' | 'value' | 'type';
  how: How;
  // What the path leads to goes where it cannot be followed.
  isOpen: boolean;
  // A member of it is read by a name that is known only at run time.
  isComputed: boolean;
  // How many arguments the first call behind the names has; null when there is none, or when that is not known.
  given: number | null;
}

interface Reading {
  origins: Origins;
  touches: Touch[];
  // Lines of loads whose module is known only at run time.
  dynamic: number[];
}

interface Climbed {
  steps: { name: string; line: number; given: number | null }[];
  end: ts.Node;
  isComputed: boolean;
  isType: boolean;
}

const MOCKS = new Set(['mock', 'doMock', 'unmock', 'dontMock', 'setMock', 'resolve']);

export function touchesOf(file: ts.SourceFile, lineOf = (position: number) => lineIn(file, position)): Reading {
  const origins = new Origins(scopesOf(file));
  const touches: Touch[] = [];
  const dynamic: number[] = [];
  const lineAt = (node: ts.Node) => lineOf(node.getStart(file));

  const bind = (specifier: string, path: readonly string[], node: ts.Node, how: How = 'import') => {
    const line = lineAt(node);
    touches.push({ ...about(specifier, path, line), kind: 'import', how });
  };

  const touch = (root: ts.Node, from: readonly Origin[], isLoad = false): void => {
    if (from.length === 0) return;
    const line = lineAt(root);
    const { steps, end, isComputed, isType } = climb(root, origins, lineAt);
    const promised = isLoad && ['then', 'catch', 'finally'].includes(steps[0]?.name ?? '');
    const pattern = patternOf(end);
    for (const origin of from) {
      const own = promised ? [] : steps;
      const base = {
        specifier: origin.specifier,
        path: [...origin.path, ...own.map(({ name }) => name)],
        lines: [...origin.path.map(() => line), ...own.map((step) => step.line)],
        carried: origin.path.length,
        line,
        how: origin.how,
        given: own.find(({ given }) => given !== null)?.given ?? null,
      };
      const isBinding = isLoad && own.length === 0;
      if (pattern) {
        for (const taken of takenNames(pattern)) {
          const at = lineAt(taken.node);
          touches.push({
            ...base,
            path: [...base.path, ...taken.path],
            lines: [...base.lines, ...taken.path.map(() => at)],
            line: at,
            kind: isBinding ? 'import' : 'value',
            isOpen: taken.isOpen,
            isComputed: taken.isOpen,
          });
        }
        if (isBinding) touches.push({ ...base, kind: 'import', isOpen: false, isComputed: false });
        continue;
      }
      const isOpen = isComputed || (promised ? !isTracked(steps, end) : flowsAway(end));
      const kind = isBinding && !isOpen ? 'import' : isType ? 'type' : 'value';
      touches.push({ ...base, kind, isOpen, isComputed });
    }
  };

  const visit = (node: ts.Node): void => {
    if (ts.isJsxClosingElement(node)) return;
    if (ts.isImportDeclaration(node)) {
      visitImport(node, bind);
      return;
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      visitReExport(node, touches, lineAt);
      return;
    }
    if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
      const { expression } = node.moduleReference;
      if (ts.isStringLiteralLike(expression)) bind(expression.text, [], node, 'require');
      return;
    }
    if (ts.isImportTypeNode(node)) visitImportType(node, touches, lineAt);
    else if (ts.isCallExpression(node)) {
      const loaded = origins.loaded(node);
      if (loaded) touch(node, [loaded], true);
      else if (origins.howLoaded(node) && !isLocalLoad(node)) dynamic.push(lineAt(node));
      else {
        touch(node, origins.ofHolder(node));
        visitMock(node, bind);
      }
    } else if (ts.isPropertyAccessExpression(node)) {
      touch(node, origins.ofHolder(node));
    } else if (ts.isIdentifier(node)) {
      if (isReference(node)) touch(node, origins.ofName(node));
    } else if (node.kind === ts.SyntaxKind.ThisKeyword || node.kind === ts.SyntaxKind.SuperKeyword) {
      touch(node, origins.ofThis(node));
    } else if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) {
      visitAugmentation(node, node.name.text, touches, lineAt);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const { fileName, pos } of file.typeReferenceDirectives) {
    touches.push({ ...about(fileName, [], lineOf(pos)), kind: 'import', how: 'import' });
  }
  return { origins, touches, dynamic };
}

function lineIn(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}

function about(specifier: string, path: readonly string[], line: number) {
  return {
    specifier,
    path,
    lines: path.map(() => line),
    carried: 0,
    line,
    isOpen: false,
    isComputed: false,
    given: null,
  };
}

type Bind = (specifier: string, path: readonly string[], node: ts.Node, how?: How) => void;
type LineAt = (node: ts.Node) => number;

function visitImport({ importClause, moduleSpecifier }: ts.ImportDeclaration, bind: Bind): void {
  if (!ts.isStringLiteralLike(moduleSpecifier)) return;
  const specifier = moduleSpecifier.text;
  bind(specifier, [], moduleSpecifier);
  if (importClause?.name) bind(specifier, ['default'], importClause.name);
  const bindings = importClause?.namedBindings;
  if (bindings && ts.isNamedImports(bindings)) {
    for (const element of bindings.elements) bind(specifier, [(element.propertyName ?? element.name).text], element);
  }
}

function visitReExport(node: ts.ExportDeclaration, touches: Touch[], lineAt: LineAt): void {
  const { moduleSpecifier, exportClause, isTypeOnly } = node;
  if (!moduleSpecifier || !ts.isStringLiteralLike(moduleSpecifier)) return;
  const kind = isTypeOnly ? 'type' : 'value';
  if (exportClause && ts.isNamedExports(exportClause)) {
    for (const element of exportClause.elements) {
      const path = [(element.propertyName ?? element.name).text];
      touches.push({ ...about(moduleSpecifier.text, path, lineAt(element)), kind, how: 'import' });
    }
    touches.push({ ...about(moduleSpecifier.text, [], lineAt(node)), kind: 'import', how: 'import' });
  } else {
    touches.push({ ...about(moduleSpecifier.text, [], lineAt(node)), kind, how: 'import', isOpen: true });
  }
}

// `import('x').Y`, `typeof import('x')`
function visitImportType(node: ts.ImportTypeNode, touches: Touch[], lineAt: LineAt): void {
  const { argument, qualifier, isTypeOf } = node;
  if (!ts.isLiteralTypeNode(argument) || !ts.isStringLiteralLike(argument.literal)) return;
  const names: string[] = [];
  for (let at: ts.EntityName | undefined = qualifier; at; at = ts.isQualifiedName(at) ? at.left : undefined) {
    names.unshift(ts.isQualifiedName(at) ? at.right.text : at.text);
  }
  let outer: ts.Node = node;
  while (ts.isParenthesizedTypeNode(outer.parent)) outer = outer.parent;
  while (ts.isIndexedAccessTypeNode(outer.parent) && outer.parent.objectType === outer) {
    const { indexType } = outer.parent;
    if (!ts.isLiteralTypeNode(indexType) || !ts.isStringLiteralLike(indexType.literal)) break;
    names.push(indexType.literal.text);
    outer = outer.parent;
  }
  const isOpen = names.length === 0 && isTypeOf;
  touches.push({ ...about(argument.literal.text, names, lineAt(node)), kind: 'type', how: 'import', isOpen });
}

// `vi.mock('x')`, `require.resolve('x')`: the module is meant, none of its names.
function visitMock({ expression: callee, arguments: [argument] }: ts.CallExpression, bind: Bind): void {
  if (!argument || !ts.isStringLiteralLike(argument) || !ts.isPropertyAccessExpression(callee)) return;
  if (!MOCKS.has(callee.name.text)) return;
  const owner = callee.expression.getText();
  if (/^(?:jest|vi|require|import\.meta|td)$/.test(owner)) bind(argument.text, [], argument);
}

// `declare module 'x' { interface Y { … } }` adds to names of the module.
function visitAugmentation(node: ts.ModuleDeclaration, specifier: string, touches: Touch[], lineAt: LineAt): void {
  if (/[*]/.test(specifier)) return;
  touches.push({ ...about(specifier, [], lineAt(node)), kind: 'import', how: 'import' });
  if (!node.body || !ts.isModuleBlock(node.body)) return;
  for (const statement of node.body.statements) {
    if (!ts.isInterfaceDeclaration(statement) && !ts.isModuleDeclaration(statement)) continue;
    touches.push({ ...about(specifier, [statement.name.text], lineAt(statement)), kind: 'type', how: 'import' });
  }
}

// The start of a path that is put together shows that it is a file of the project.
function isLocalLoad({ arguments: [argument] }: ts.CallExpression): boolean {
  if (!argument) return true;
  const first = ts.isTemplateExpression(argument) ? argument.head.text : leftmostText(argument);
  return /^(?:\.{0,2}\/|file:|data:|node:|~\/|@\/)/.test(first);
}

function leftmostText(expression: ts.Expression): string {
  let node = expression;
  while (ts.isBinaryExpression(node)) node = node.left;
  return ts.isStringLiteralLike(node) ? node.text : '';
}

// Follows the names, calls and elements that are reached from a node.
function climb(root: ts.Node, origins: Origins, lineAt: LineAt): Climbed {
  const steps: Climbed['steps'] = [];
  let node = root;
  let isType = false;
  for (;;) {
    const { parent } = node;
    const add = (name: string, at: ts.Node, given: number | null = null) => {
      steps.push({ name, line: lineAt(at), given });
      node = parent;
    };
    if (ts.isPropertyAccessExpression(parent) && parent.expression === node) add(parent.name.text, parent.name);
    else if (ts.isQualifiedName(parent) && parent.left === node) add(parent.right.text, parent.right);
    else if (ts.isElementAccessExpression(parent) && parent.expression === node) {
      const { argumentExpression: key } = parent;
      const name = ts.isNumericLiteral(key) ? ELEMENT : origins.text(key);
      if (name === null) return { steps, end: parent, isComputed: true, isType };
      add(name, key);
    } else if (ts.isCallExpression(parent) && parent.expression === node) {
      const given = parent.arguments.some(ts.isSpreadElement) ? null : parent.arguments.length;
      add(CALLED, node, given);
    } else if (ts.isNewExpression(parent) && parent.expression === node) add(INSTANCE, node);
    else if (ts.isTaggedTemplateExpression(parent) && parent.tag === node) add(CALLED, node);
    else if (ts.isIndexedAccessTypeNode(parent) && parent.objectType === node) {
      const { indexType } = parent;
      if (!ts.isLiteralTypeNode(indexType) || !ts.isStringLiteralLike(indexType.literal)) {
        return { steps, end: parent, isComputed: true, isType: true };
      }
      add(indexType.literal.text, indexType);
    } else if (isSameValue(parent, node)) node = parent;
    else if (ts.isTypeReferenceNode(parent) || ts.isTypeQueryNode(parent) || ts.isParenthesizedTypeNode(parent)) {
      isType = true;
      node = parent;
    } else return { steps, end: node, isComputed: false, isType };
  }
}

function isSameValue(parent: ts.Node, node: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) {
    if (parent.operatorToken.kind === ts.SyntaxKind.CommaToken) return parent.right === node;
    return HANDS_BOTH.has(parent.operatorToken.kind);
  }
  if (ts.isConditionalExpression(parent)) return parent.condition !== node;
  return (
    ts.isParenthesizedExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent) ||
    ts.isNonNullExpression(parent) ||
    ts.isTypeAssertionExpression(parent) ||
    ts.isAwaitExpression(parent) ||
    (ts.isExpressionWithTypeArguments(parent) && parent.expression === node)
  );
}

// The pattern by which a value is taken apart.
function patternOf(node: ts.Node): ts.ObjectBindingPattern | ts.ObjectLiteralExpression | null {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) {
    return parent.initializer === node && ts.isObjectBindingPattern(parent.name) ? parent.name : null;
  }
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    return parent.right === node && ts.isObjectLiteralExpression(parent.left) ? parent.left : null;
  }
  return null;
}

interface Taken {
  path: readonly string[];
  node: ts.Node;
  isOpen: boolean;
}

function takenNames(pattern: ts.ObjectBindingPattern | ts.ObjectLiteralExpression): Taken[] {
  if (ts.isObjectBindingPattern(pattern)) {
    return pattern.elements.flatMap((element): Taken[] => {
      const key = keyOf(element);
      if (key === 'rest') return [];
      if (key === 'computed' || 'position' in key) return [{ path: [], node: element, isOpen: true }];
      const inner = ts.isObjectBindingPattern(element.name) ? takenNames(element.name) : [];
      const path = [key.name];
      return [
        { path, node: element, isOpen: false },
        ...inner.map((one) => ({ ...one, path: [...path, ...one.path] })),
      ];
    });
  }
  return pattern.properties.flatMap((property): Taken[] => {
    if (ts.isSpreadAssignment(property) || !property.name) return [];
    if (!ts.isIdentifier(property.name) && !ts.isStringLiteralLike(property.name)) {
      return [{ path: [], node: property, isOpen: true }];
    }
    return [{ path: [property.name.text], node: property, isOpen: false }];
  });
}

// `import('x').then((x) => …)`: the parameter is followed.
function isTracked(steps: Climbed['steps'], end: ts.Node): boolean {
  let node: ts.Node | undefined = steps.length > 0 ? end : undefined;
  while (node) {
    if (ts.isCallExpression(node)) {
      const [callback] = node.arguments;
      if (callback && (ts.isArrowFunction(callback) || ts.isFunctionExpression(callback))) return true;
    }
    node = (node as { expression?: ts.Node }).expression;
  }
  return false;
}

// Whether the value goes on to where names cannot be followed: into a call, a list, an object, out of the function.
function flowsAway(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isTypeQueryNode(node)) return !ts.isTypeReferenceNode(parent);
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return false;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) return false;
  if (ts.isBinaryExpression(parent)) {
    if (parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken)
      return parent.operatorToken.kind === ts.SyntaxKind.InKeyword;
    return parent.right === node && !ts.isIdentifier(parent.left) && !ts.isObjectLiteralExpression(parent.left);
  }
  return !(
    ts.isExpressionStatement(parent) ||
    ts.isHeritageClause(parent) ||
    ts.isDecorator(parent) ||
    ts.isIfStatement(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isPrefixUnaryExpression(parent) ||
    ts.isTypeOfExpression(parent) ||
    ts.isVoidExpression(parent) ||
    ts.isDeleteExpression(parent) ||
    ts.isTemplateSpan(parent) ||
    ts.isJsxOpeningLikeElement(parent) ||
    ts.isImportEqualsDeclaration(parent) ||
    ts.isTypePredicateNode(parent)
  );
}

// Whether a name stands for what was declared, and is neither a declaration nor the name of a member.
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent)) {
    return ts.isQualifiedName(parent) ? parent.left === node : parent.expression === node;
  }
  if (ts.isExportSpecifier(parent)) return (parent.propertyName ?? parent.name) === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isJsxAttribute(parent) || ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)) return false;
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return false;
  if (ts.isBinaryExpression(parent) && parent.left === node) {
    return parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken;
  }
  if (ts.isJsxOpeningLikeElement(parent)) return !/^[a-z]/.test(node.text);
  return (parent as { name?: ts.Node }).name !== node;
}
