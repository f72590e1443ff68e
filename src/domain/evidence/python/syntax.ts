// The syntax tree of a Python file, and the few questions that its readers ask of it. Nothing of the file is ever executed.
import { parser } from '@lezer/python';

export type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

export interface PythonText {
  text: string;
  root: SyntaxNode;
}

export function parsePython(text: string): PythonText {
  return { text, root: parser.parse(text).topNode };
}

export function* childrenOf(node: SyntaxNode): Generator<SyntaxNode> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) yield child;
}

export function childOf(node: SyntaxNode, name: string): SyntaxNode | null {
  return childrenOf(node).find((child) => child.name === name) ?? null;
}

export function sourceOf(text: string, node: { from: number; to: number }): string {
  return text.slice(node.from, node.to);
}

// `a.b.c` of names alone; null for any other expression. What stands in brackets behind it is left out: `Generic[T]`.
export function dottedName(text: string, node: SyntaxNode | null): string | null {
  const parts: string[] = [];
  for (let at = node; at !== null; at = at.firstChild) {
    if (at.name === 'VariableName') return [sourceOf(text, at), ...parts.reverse()].join('.');
    if (at.name !== 'MemberExpression') return null;
    const property = childOf(at, 'PropertyName');
    if (property !== null) parts.push(sourceOf(text, property));
  }
  return null;
}

const PLAIN_STRING = /^(?:[rRuUbB]{0,2})("""|'''|"|')([\s\S]*)\1$/;

// Longer texts are no names.
const MAX_STRING_LENGTH = 1000;

// What a plain string says; null for one that is put together.
export function stringValue(text: string, node: SyntaxNode): string | null {
  if (node.name !== 'String') return null;
  if (node.to - node.from > MAX_STRING_LENGTH) return null;
  return PLAIN_STRING.exec(sourceOf(text, node))?.[2] ?? null;
}

// Every string below a node, in order, without looking into what nests too deep.
export function* stringsBelow(text: string, node: SyntaxNode): Generator<string> {
  for (const below of nodesBelow(node)) {
    const value = stringValue(text, below);
    if (value !== null) yield value;
  }
}

// All nodes below one, without a call for each level: strangers nest as deep as they like.
export function* nodesBelow(node: SyntaxNode): Generator<SyntaxNode> {
  const cursor = node.cursor();
  const end = node.to;
  const isInside = () => cursor.from < end || (cursor.from === end && cursor.to === end);
  if (!cursor.firstChild()) return;
  do {
    if (!isInside()) return;
    yield cursor.node;
  } while (cursor.next());
}
