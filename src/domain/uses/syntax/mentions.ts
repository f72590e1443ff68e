// Places that name a module without reading a value of it: imports, re-exports, types of a module, mocks, augmentations.
import ts from 'typescript-api';
import type { How, Touch } from '../touch.ts';

const MOCKS = new Set(['mock', 'doMock', 'unmock', 'dontMock', 'setMock', 'resolve']);

export function about(specifier: string, path: readonly string[], line: number) {
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
export type LineAt = (node: ts.Node) => number;

export function visitImport({ importClause, moduleSpecifier }: ts.ImportDeclaration, bind: Bind): void {
  if (!ts.isStringLiteralLike(moduleSpecifier)) return;
  const specifier = moduleSpecifier.text;
  bind(specifier, [], moduleSpecifier);
  if (importClause?.name) bind(specifier, ['default'], importClause.name);
  const bindings = importClause?.namedBindings;
  if (bindings && ts.isNamedImports(bindings)) {
    for (const element of bindings.elements) bind(specifier, [(element.propertyName ?? element.name).text], element);
  }
}

export function visitReExport(node: ts.ExportDeclaration, touches: Touch[], lineAt: LineAt): void {
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
export function visitImportType(node: ts.ImportTypeNode, touches: Touch[], lineAt: LineAt): void {
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
export function visitMock({ expression: callee, arguments: [argument] }: ts.CallExpression, bind: Bind): void {
  if (!argument || !ts.isStringLiteralLike(argument) || !ts.isPropertyAccessExpression(callee)) return;
  if (!MOCKS.has(callee.name.text)) return;
  const owner = callee.expression.getText();
  if (/^(?:jest|vi|require|import\.meta|td)$/.test(owner)) bind(argument.text, [], argument);
}

// `declare module 'x' { interface Y { … } }` adds to names of the module.
export function visitAugmentation(
  node: ts.ModuleDeclaration,
  specifier: string,
  touches: Touch[],
  lineAt: LineAt,
): void {
  if (/[*]/.test(specifier)) return;
  touches.push({ ...about(specifier, [], lineAt(node)), kind: 'import', how: 'import' });
  if (!node.body || !ts.isModuleBlock(node.body)) return;
  for (const statement of node.body.statements) {
    if (!ts.isInterfaceDeclaration(statement) && !ts.isModuleDeclaration(statement)) continue;
    touches.push({ ...about(specifier, [statement.name.text], lineAt(statement)), kind: 'type', how: 'import' });
  }
}

// The start of a path that is put together shows that it is a file of the project.
export function isLocalLoad({ arguments: [argument] }: ts.CallExpression): boolean {
  if (!argument) return true;
  const first = ts.isTemplateExpression(argument) ? argument.head.text : leftmostText(argument);
  return /^(?:\.{0,2}\/|file:|data:|node:|~\/|@\/)/.test(first);
}

function leftmostText(expression: ts.Expression): string {
  let node = expression;
  while (ts.isBinaryExpression(node)) node = node.left;
  return ts.isStringLiteralLike(node) ? node.text : '';
}
