// The pattern by which a value is taken apart.
import ts from 'typescript-api';
import { keyOf } from './scopes.ts';

export function patternOf(node: ts.Node): ts.ObjectBindingPattern | ts.ObjectLiteralExpression | null {
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

export function takenNames(pattern: ts.ObjectBindingPattern | ts.ObjectLiteralExpression): Taken[] {
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
