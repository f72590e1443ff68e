// What an expression is by its syntax alone.
import ts from 'typescript-api';

export const HANDS_RIGHT = new Set([ts.SyntaxKind.CommaToken, ts.SyntaxKind.EqualsToken]);
export const HANDS_BOTH = new Set([
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

export function returnsOf(node: ts.FunctionLikeDeclaration): ts.Expression[] {
  if (!node.body) return [];
  if (!ts.isBlock(node.body)) return [node.body];
  const found: ts.Expression[] = [];
  const visit = (at: ts.Node): void => {
    if (ts.isReturnStatement(at) && at.expression) found.push(at.expression);
    if (!ts.isFunctionLike(at) && !ts.isClassLike(at)) ts.forEachChild(at, visit);
  };
  visit(node.body);
  return found;
}

// The list of `await Promise.all([…])`.
export function awaitedElements(expression: ts.Expression): readonly ts.Expression[] | null {
  const node = unwrapped(expression);
  if (ts.isArrayLiteralExpression(node)) return node.elements;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const { expression: owner, name } = node.expression;
  const [list] = node.arguments;
  const isAll = ts.isIdentifier(owner) && owner.text === 'Promise' && name.text === 'all';
  return isAll && list && ts.isArrayLiteralExpression(list) ? list.elements : null;
}

export function isCreateRequire({ expression: callee }: ts.CallExpression): boolean {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  return ts.isIdentifier(name) && name.text === 'createRequire';
}

// Without what changes nothing about a value: brackets, type assertions, `await`.
export function unwrapped(expression: ts.Expression): ts.Expression {
  let node = expression;
  while (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    ts.isAwaitExpression(node)
  ) {
    node = node.expression;
  }
  return node;
}
