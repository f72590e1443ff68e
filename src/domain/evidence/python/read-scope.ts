// What the statements of a module or of a class bind, branch by branch.
import { branchOf } from './conditions.ts';
import type { Definition, PythonClass, PythonImport, PythonValue } from './model.ts';
import { readClass } from './read-class.ts';
import { definedName, readFunction, readParameters, undecorated } from './read-function.ts';
import { childOf, childrenOf, dottedName, type SyntaxNode, sourceOf } from './syntax.ts';

export interface Scope {
  text: string;
  names: Map<string, Definition[]>;
  // The dotted module that a relative import leads to; null where it leads out of the package.
  absolute(dots: number, module: string): string | null;
  onStar?(module: string): void;
  // `__all__` is given, or added to.
  onAll?(values: readonly SyntaxNode[], isAdded: boolean): void;
  // A name is annotated.
  onField?(name: string, node: SyntaxNode, hasValue: boolean): void;
  depth: number;
}

// Branches inside of each other beyond this are left out.
const MAX_DEPTH = 40;
const MAX_ALIAS_LENGTH = 500;

export function readStatements(scope: Scope, body: SyntaxNode, isMaybe: boolean): void {
  if (scope.depth > MAX_DEPTH) return;
  scope.depth += 1;
  for (const node of childrenOf(body)) readStatement(scope, node, isMaybe);
  scope.depth -= 1;
}

function readStatement(scope: Scope, node: SyntaxNode, isMaybe: boolean): void {
  switch (node.name) {
    case 'ImportStatement':
      for (const [name, found] of imported(scope, node)) bind(scope, name, found, isMaybe);
      break;
    case 'FunctionDefinition':
    case 'ClassDefinition':
    case 'DecoratedStatement':
      readDefinition(scope, node, isMaybe);
      break;
    case 'AssignStatement':
      readAssignment(scope, node, isMaybe);
      break;
    case 'UpdateStatement':
      if (isAllName(scope, node.firstChild)) scope.onAll?.([...childrenOf(node)].slice(2), true);
      break;
    case 'ExpressionStatement':
      readCall(scope, node);
      break;
    case 'DeleteStatement':
      if (isMaybe) break;
      for (const one of childrenOf(node))
        if (one.name === 'VariableName') scope.names.delete(sourceOf(scope.text, one));
      break;
    case 'TypeDefinition':
      bind(scope, definedName(scope.text, node), plainValue(), isMaybe);
      break;
    case 'IfStatement':
      readBranches(scope, node, isMaybe);
      break;
    case 'TryStatement':
      readAttempts(scope, node, isMaybe);
      break;
    case 'StatementGroup':
      readStatements(scope, node, isMaybe);
      break;
    case 'WithStatement':
    case 'ForStatement':
    case 'WhileStatement':
      for (const body of childrenOf(node)) {
        if (body.name === 'Body') readStatements(scope, body, isMaybe || node.name !== 'WithStatement');
      }
      break;
  }
}

function bind(scope: Scope, name: string | null, found: Definition, isMaybe: boolean): void {
  if (name === null) return;
  const known = scope.names.get(name);
  if (isMaybe && known) known.push(found);
  else scope.names.set(name, [found]);
}

function plainValue(): PythonValue {
  return { kind: 'value', alias: null, madeBy: null };
}

function readDefinition(scope: Scope, node: SyntaxNode, isMaybe: boolean): void {
  const { definition, decorators } = undecorated(node);
  const name = definition && definedName(scope.text, definition);
  if (!definition || name === null) return;
  const found =
    definition.name === 'ClassDefinition'
      ? readClass(scope, definition, name, decorators)
      : readFunction(scope.text, definition, name, decorators);
  bind(scope, name, found, isMaybe);
}

// The groups between the signs of an assignment: targets first, the value last.
function readAssignment(scope: Scope, node: SyntaxNode, isMaybe: boolean): void {
  const groups: SyntaxNode[][] = [[]];
  let annotation: SyntaxNode | null = null;
  for (const child of childrenOf(node)) {
    if (child.name === 'AssignOp') groups.push([]);
    else if (child.name === 'TypeDef') annotation = child;
    else groups.at(-1)?.push(child);
  }
  const value = groups.length > 1 ? (groups.pop() ?? []) : [];
  for (const group of groups) {
    const [target] = group;
    if (!target) continue;
    if (annotation !== null && target.name === 'VariableName') {
      scope.onField?.(sourceOf(scope.text, target), node, value.length > 0);
      // Without a value nothing is bound.
      if (value.length === 0) continue;
    }
    if (group.length === 1 && target.name === 'VariableName') {
      if (isAllName(scope, target)) scope.onAll?.(value, false);
      bind(scope, sourceOf(scope.text, target), boundValue(scope.text, value), isMaybe);
    } else bindTargets(scope, group, isMaybe);
  }
}

function bindTargets(scope: Scope, group: readonly SyntaxNode[], isMaybe: boolean): void {
  for (const target of group) {
    if (target.name === 'VariableName') bind(scope, sourceOf(scope.text, target), plainValue(), isMaybe);
    else if (target.name === 'TupleExpression' || target.name === 'ArrayExpression') {
      for (const one of childrenOf(target)) {
        if (one.name === 'VariableName') bind(scope, sourceOf(scope.text, one), plainValue(), isMaybe);
      }
    } else if (target.name === 'MemberExpression') addMember(scope, target);
  }
}

// `Class.name = …` behind the class.
function addMember({ text, names }: Scope, target: SyntaxNode): void {
  const [owner = '', member, ...more] = sourceOf(text, target).split('.');
  if (member === undefined || more.length > 0 || !/^\w+$/.test(member)) return;
  const found = names.get(owner)?.find((one): one is PythonClass => one.kind === 'class');
  found?.members.set(member, [plainValue()]);
}

function boundValue(text: string, value: readonly SyntaxNode[]): Definition {
  const [only, more] = value;
  if (!only || more) return plainValue();
  if (only.name === 'LambdaExpression') {
    const list = childOf(only, 'ParamList');
    const parameters = list === null ? [] : readParameters(text, list);
    return { kind: 'function', name: '', parameters, decorators: [], handsOn: null, isWrapper: false };
  }
  const dotted = only.to - only.from > MAX_ALIAS_LENGTH ? null : dottedName(text, only);
  if (dotted !== null && dotted === sourceOf(text, only)) return { kind: 'value', alias: dotted, madeBy: null };
  const madeBy = only.name === 'CallExpression' ? dottedName(text, only.firstChild) : null;
  return { kind: 'value', alias: null, madeBy };
}

function isAllName({ text }: Scope, node: SyntaxNode | null): boolean {
  return node !== null && sourceOf(text, node) === '__all__';
}

// `__all__.extend(…)`, `__all__.append(…)`
function readCall(scope: Scope, node: SyntaxNode): void {
  const call = childOf(node, 'CallExpression');
  const called = call && dottedName(scope.text, call.firstChild);
  if (!call || !called || !/^__all__\.(?:extend|append)$/.test(called)) return;
  const list = childOf(call, 'ArgList');
  if (list) scope.onAll?.([...childrenOf(list)].slice(1, -1), true);
}

function readBranches(scope: Scope, node: SyntaxNode, isMaybe: boolean): void {
  let condition: string | null = null;
  let isOpen = isMaybe;
  for (const child of childrenOf(node)) {
    if (child.name === 'if' || child.name === 'elif' || child.name === 'else') condition = null;
    else if (child.name !== 'Body') condition = sourceOf(scope.text, child);
    else {
      const branch = condition === null ? 'taken' : branchOf(condition);
      if (branch === 'taken' || branch === 'unknown') readStatements(scope, child, isOpen || branch === 'unknown');
      if (branch === 'taken') return;
      isOpen ||= branch === 'unknown';
    }
  }
}

// What is tried counts first; what follows a failure is another way.
function readAttempts(scope: Scope, node: SyntaxNode, isMaybe: boolean): void {
  let part = 'try';
  for (const child of childrenOf(node)) {
    if (['try', 'except', 'else', 'finally'].includes(child.name)) part = child.name;
    else if (child.name === 'Body') readStatements(scope, child, isMaybe || part === 'except');
  }
}

export function imported(
  scope: Pick<Scope, 'text' | 'absolute' | 'onStar'>,
  node: SyntaxNode,
): [string | null, PythonImport][] {
  const tokens = [...childrenOf(node)].map((child) => ({ kind: child.name, text: sourceOf(scope.text, child) }));
  const at = tokens.findIndex(({ kind }) => kind === 'import');
  const isFrom = tokens[0]?.kind === 'from';
  const items = itemsOf(tokens.slice(at + 1));
  if (!isFrom) {
    return items.map(({ name, alias }) => {
      const [first = name] = name.split('.');
      return [alias ?? first, { kind: 'import', module: alias ? name : first, name: null }];
    });
  }
  const origin = tokens
    .slice(1, at)
    .map(({ text }) => text)
    .join('');
  const [, dots = '', path = ''] = /^([.]*)(.*)$/.exec(origin) ?? [];
  const module = scope.absolute(dots.length, path);
  if (module === null) return [];
  return items.flatMap(({ name, alias }): [string, PythonImport][] => {
    if (name !== '*') return [[alias ?? name, { kind: 'import', module, name }]];
    scope.onStar?.(module);
    return [];
  });
}

function itemsOf(tokens: readonly { kind: string; text: string }[]): { name: string; alias: string | null }[] {
  const items: { name: string; alias: string | null }[] = [];
  let [name, alias, isAlias] = ['', '', false];
  const end = () => {
    if (name !== '') items.push({ name, alias: alias || null });
    [name, alias, isAlias] = ['', '', false];
  };
  for (const { kind, text } of tokens) {
    if (kind === ',') end();
    else if (kind === 'as') isAlias = true;
    else if (kind !== 'VariableName' && kind !== '.' && kind !== '*') continue;
    else if (isAlias) alias += text;
    else name += text;
  }
  end();
  return items;
}
