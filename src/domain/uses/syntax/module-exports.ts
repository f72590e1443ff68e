// What a file of the project hands on of modules that it imports, under which names.
import ts from 'typescript-api';
import { type ModuleExports, type Origin, WHOLE } from '../touch.ts';
import type { Origins } from './origins.ts';

export function moduleExports(file: ts.SourceFile, origins: Origins): ModuleExports {
  const names = new Map<string, readonly Origin[]>();
  const stars: string[] = [];
  const add = (name: string, from: readonly Origin[]) => names.set(name, [...(names.get(name) ?? []), ...from]);

  const addObject = (object: ts.Expression) => {
    if (!ts.isObjectLiteralExpression(object)) return add(WHOLE, origins.of(object));
    for (const property of object.properties) {
      if (ts.isSpreadAssignment(property)) {
        for (const { specifier, path } of origins.of(property.expression)) if (path.length === 0) stars.push(specifier);
      } else if (property.name && (ts.isIdentifier(property.name) || ts.isStringLiteralLike(property.name))) {
        if (ts.isShorthandPropertyAssignment(property)) add(property.name.text, origins.ofName(property.name));
        else add(property.name.text, ts.isPropertyAssignment(property) ? origins.of(property.initializer) : []);
      }
    }
  };

  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement)) exportDeclaration(statement, { add, stars, origins });
    else if (ts.isExportAssignment(statement)) {
      if (statement.isExportEquals) addObject(statement.expression);
      else add('default', origins.of(statement.expression));
    } else if (isExported(statement)) {
      for (const { name, from } of declaredNames(statement, origins)) add(name, from);
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const target = exportTarget(node.left);
      if (target === WHOLE) addObject(node.right);
      else if (target !== null) add(target, origins.of(node.right));
    } else if (ts.isCallExpression(node)) {
      stars.push(...copiedModules(node, origins));
    }
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return { names, stars };
}

interface Found {
  add(name: string, from: readonly Origin[]): unknown;
  stars: string[];
  origins: Origins;
}

function exportDeclaration({ exportClause, moduleSpecifier }: ts.ExportDeclaration, found: Found): void {
  const specifier = moduleSpecifier && ts.isStringLiteralLike(moduleSpecifier) ? moduleSpecifier.text : null;
  if (!exportClause) {
    if (specifier !== null) found.stars.push(specifier);
  } else if (ts.isNamespaceExport(exportClause)) {
    found.add(exportClause.name.text, specifier === null ? [] : [{ specifier, path: [], how: 'import' }]);
  } else {
    for (const { name, propertyName } of exportClause.elements) {
      const inner = propertyName ?? name;
      const own = ts.isIdentifier(inner) ? found.origins.ofName(inner) : [];
      found.add(name.text, specifier === null ? own : [{ specifier, path: [inner.text], how: 'import' }]);
    }
  }
}

function isExported(node: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

function declaredNames(node: ts.Statement, origins: Origins): { name: string; from: readonly Origin[] }[] {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.flatMap(({ name }) =>
      boundNames(name).map((one) => ({ name: one.text, from: origins.ofName(one) })),
    );
  }
  if (ts.isImportEqualsDeclaration(node)) return [{ name: node.name.text, from: origins.ofName(node.name) }];
  const { name } = node as { name?: ts.Node };
  const isDefault =
    ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
  if (isDefault) return [{ name: 'default', from: [] }];
  if (!name || !ts.isIdentifier(name)) return [];
  return [{ name: name.text, from: ts.isTypeAliasDeclaration(node) ? origins.ofName(name) : [] }];
}

function boundNames(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundNames(element.name)));
}

// The name that an assignment exports; null when it exports nothing.
function exportTarget(target: ts.Expression): string | null {
  if (isModuleExports(target)) return WHOLE;
  if (!ts.isPropertyAccessExpression(target)) return null;
  const { expression: owner, name } = target;
  return isModuleExports(owner) || (ts.isIdentifier(owner) && owner.text === 'exports') ? name.text : null;
}

function isModuleExports(node: ts.Expression): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'module' &&
    node.name.text === 'exports'
  );
}

// `Object.assign(module.exports, require('x'))`, `__exportStar(require('x'), exports)`
function copiedModules({ expression: callee, arguments: given }: ts.CallExpression, origins: Origins): string[] {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : '';
  if (!/^(?:assign|_*exportStar|_*export_star|__reExport)$/.test(name)) return [];
  const isExport = (node: ts.Expression) => isModuleExports(node) || (ts.isIdentifier(node) && node.text === 'exports');
  if (!given.some(isExport)) return [];
  return given.flatMap((argument) =>
    origins.of(argument).flatMap(({ specifier, path }) => (path.length === 0 ? [specifier] : [])),
  );
}
