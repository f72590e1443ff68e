// Every place of a file where a module, or a name that comes from one, is touched.
import ts from 'typescript-api';
import { CALLED, type How, type Origin, type Touch } from '../touch.ts';
import { climb, flowsAway, isTracked } from './climb.ts';
import {
  about,
  isLocalLoad,
  visitAugmentation,
  visitImport,
  visitImportType,
  visitMock,
  visitReExport,
} from './mentions.ts';
import { Origins } from './origins.ts';
import { keyOf, scopesOf } from './scopes.ts';

interface Reading {
  origins: Origins;
  touches: Touch[];
  // Lines of loads whose module is known only at run time.
  dynamic: number[];
}

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
        given: own.find(({ name }) => name === CALLED)?.given ?? null,
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
      const kind = isBinding && !isOpen ? 'import' : isType ? 'type' : isTested(end) ? 'tested' : 'value';
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

function isTested(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) &&
    parent.right === node &&
    parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword
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
