// What is reached from a place where a value is read: members, calls and elements, and whether the value goes on from there.
import ts from 'typescript-api';
import { CALLED, ELEMENT, INSTANCE } from '../touch.ts';
import { HANDS_BOTH } from './expressions.ts';
import type { LineAt } from './mentions.ts';
import type { Origins } from './origins.ts';

interface Climbed {
  steps: { name: string; line: number; given: number | null }[];
  end: ts.Node;
  isComputed: boolean;
  isType: boolean;
}

// Follows the names, calls and elements that are reached from a node.
export function climb(root: ts.Node, origins: Origins, lineAt: LineAt): Climbed {
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

// `import('x').then((x) => …)`: the parameter is followed.
export function isTracked(steps: Climbed['steps'], end: ts.Node): boolean {
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
export function flowsAway(node: ts.Node): boolean {
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
