// Functions and their decorators as they are written.
import type { PythonFunction, PythonParameter } from './model.ts';
import { childOf, childrenOf, dottedName, type SyntaxNode, sourceOf } from './syntax.ts';

// The definition inside of a decorated statement, with its decorators.
export function undecorated(node: SyntaxNode): { definition: SyntaxNode | null; decorators: SyntaxNode[] } {
  if (node.name !== 'DecoratedStatement') return { definition: node, decorators: [] };
  const inner = childrenOf(node).find(({ name }) => name === 'FunctionDefinition' || name === 'ClassDefinition');
  return { definition: inner ?? null, decorators: [...childrenOf(node)].filter(({ name }) => name === 'Decorator') };
}

export function decoratorNames(text: string, decorators: readonly SyntaxNode[]): (string | null)[] {
  return decorators.map((decorator) => {
    const member = childOf(decorator, 'MemberExpression');
    if (member !== null) return dottedName(text, member);
    const names = [...childrenOf(decorator)].filter(({ name }) => name === 'VariableName' || name === 'PropertyName');
    return names.length === 0 ? null : names.map((name) => sourceOf(text, name)).join('.');
  });
}

export function definedName(text: string, node: SyntaxNode): string | null {
  const name = childOf(node, 'VariableName');
  return name === null ? null : sourceOf(text, name);
}

export function readFunction(
  text: string,
  node: SyntaxNode,
  name: string,
  decorators: readonly SyntaxNode[],
): PythonFunction {
  const list = childOf(node, 'ParamList');
  const body = childOf(node, 'Body');
  return {
    kind: 'function',
    name,
    parameters: list === null ? [] : readParameters(text, list),
    decorators: decoratorNames(text, decorators),
    isWrapper: body !== null && /\b(?:wraps|update_wrapper)\s*\(/.test(sourceOf(text, body)),
  };
}

export function readParameters(text: string, list: SyntaxNode): PythonParameter[] {
  const found: PythonParameter[] = [];
  let stars = '';
  let isKeyword = false;
  let current: PythonParameter | null = null;
  let before = list.from;
  const markPositional = (upTo: number) => {
    // The slash has no node of its own.
    if (!/(?:^|[,(\s])\/\s*$/.test(text.slice(before, upTo))) return;
    for (const one of found) if (one.kind === 'either') one.kind = 'positional';
  };
  for (const child of childrenOf(list)) {
    if (child.name === '*' || child.name === '**') stars = child.name;
    else if (child.name === ',' || child.name === ')') {
      markPositional(child.from);
      if (stars === '*') isKeyword = true;
      [stars, current] = ['', null];
    } else if (child.name === 'VariableName' && current === null) {
      current = { name: sourceOf(text, child), kind: kindOf(stars, isKeyword), hasDefault: false };
      found.push(current);
      if (stars === '*') isKeyword = true;
      stars = '';
    } else if (child.name === 'AssignOp' && current !== null) current.hasDefault = true;
    before = child.to;
  }
  return found;
}

function kindOf(stars: string, isKeyword: boolean): PythonParameter['kind'] {
  if (stars === '*') return 'all_positional';
  if (stars === '**') return 'all_keywords';
  return isKeyword ? 'keyword' : 'either';
}
