// Functions and their decorators as they are written.
import type { PythonFunction, PythonParameter } from './model.ts';
import { childOf, childrenOf, dottedName, nodesBelow, type SyntaxNode, sourceOf } from './syntax.ts';

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
    handsOn: body === null ? null : handedOn(text, body, name),
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
      current = {
        name: sourceOf(text, child),
        kind: kindOf(sourceOf(text, child), stars, isKeyword),
        hasDefault: false,
      };
      found.push(current);
      if (stars === '*') isKeyword = true;
      stars = '';
    } else if (child.name === 'AssignOp' && current !== null) current.hasDefault = true;
    before = child.to;
  }
  return found;
}

function kindOf(name: string, stars: string, isKeyword: boolean): PythonParameter['kind'] {
  if (stars === '*') return 'all_positional';
  if (stars === '**') return 'all_keywords';
  if (isKeyword) return 'keyword';
  // Names of this form cannot be given from outside of a class.
  return /^__\w*[^_]_?$/.test(name) ? 'positional' : 'either';
}

// What `__init__` gives to the one of its base together with all that it was given by name.
function handedOn(text: string, body: SyntaxNode, name: string): PythonFunction['handsOn'] {
  if (name !== '__init__') return null;
  const source = sourceOf(text, body);
  if (!/\.__init__\(/.test(source)) return null;
  for (const node of nodesBelow(body)) {
    if (node.name !== 'CallExpression') continue;
    const called = text.slice(node.from, Math.min(node.to, node.from + MAX_CALL_LENGTH)).split('.__init__(')[0] ?? '';
    if (!/^(?:super\([^()]{0,200}\)|[\w.]+)$/.test(called)) continue;
    const list = childOf(node, 'ArgList');
    if (list === null) continue;
    const read = argumentsOf(text, list);
    if (!read.isOpen) continue;
    const places = called.startsWith('super') ? read.places : read.places - 1;
    const taken = [...source.matchAll(/\.(?:pop|get|setdefault)\(\s*["'](\w+)["']/g)].flatMap(([, one]) => one ?? []);
    return { places, names: read.names, taken };
  }
  return null;
}

const MAX_CALL_LENGTH = 400;

function argumentsOf(text: string, list: SyntaxNode): { places: number; names: string[]; isOpen: boolean } {
  const parts: SyntaxNode[][] = [[]];
  for (const child of [...childrenOf(list)].slice(1, -1)) {
    if (child.name === ',') parts.push([]);
    else parts.at(-1)?.push(child);
  }
  const found = { places: 0, names: [] as string[], isOpen: false };
  for (const [first, second] of parts) {
    if (!first) continue;
    if (first.name === '**') found.isOpen = true;
    else if (second?.name === 'AssignOp') found.names.push(sourceOf(text, first));
    else if (first.name !== '*') found.places += 1;
  }
  return found;
}
