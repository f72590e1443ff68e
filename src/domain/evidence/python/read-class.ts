// A class as it is written: its bases, its members, and what its methods put on instances.
import type { PythonClass } from './model.ts';
import { decoratorNames } from './read-function.ts';
import { readStatements, type Scope } from './read-scope.ts';
import { childOf, childrenOf, dottedName, nodesBelow, type SyntaxNode, sourceOf } from './syntax.ts';

// What matters of a field stands at its beginning.
const MAX_FIELD_LENGTH = 2000;

export function readClass(
  outer: Scope,
  node: SyntaxNode,
  name: string,
  decorators: readonly SyntaxNode[],
): PythonClass {
  const { text } = outer;
  const found: PythonClass = {
    kind: 'class',
    name,
    bases: [],
    hasMetaclass: false,
    decorators: decoratorNames(text, decorators),
    decoration: decorators.map((one) => sourceOf(text, one).slice(0, 500)).join('\n'),
    members: new Map(),
    instanceNames: new Set(),
    fields: [],
  };
  const list = childOf(node, 'ArgList');
  if (list !== null) Object.assign(found, basesOf(text, list));
  const body = childOf(node, 'Body');
  if (body === null) return found;
  readStatements(
    {
      text,
      names: found.members,
      absolute: outer.absolute,
      depth: outer.depth,
      onField(field, statement, hasValue) {
        const written = sourceOf(text, statement).slice(0, MAX_FIELD_LENGTH);
        const value = hasValue ? written : '';
        found.instanceNames.add(field);
        if (/:\s*["']?(?:[\w.]+\.)?(?:ClassVar|InitVar\s*\[\s*ClassVar)\b/.test(written)) return;
        if (/=\s*(?:[\w.]+\.)?(?:field|ib|Factory)\([^)]*\binit\s*=\s*False/.test(value)) return;
        const isMade = /=\s*(?:[\w.]+\.)?(?:field|ib|attrib)\(/.test(value);
        found.fields.push({
          name: field,
          hasDefault: hasValue && (!isMade || /\b(?:default|default_factory|factory)\s*=/.test(value)),
          isKeywordOnly: isMade && /\bkw_only\s*=\s*True/.test(value),
        });
      },
    },
    body,
    false,
  );
  addInstanceNames(text, body, found.instanceNames);
  return found;
}

function basesOf(text: string, list: SyntaxNode): Pick<PythonClass, 'bases' | 'hasMetaclass'> {
  const bases: (string | null)[] = [];
  let hasMetaclass = false;
  let isKeyword = false;
  const all = [...childrenOf(list)];
  for (const [index, child] of all.entries()) {
    if (child.name === ',' || child.name === '(' || child.name === ')') isKeyword = false;
    else if (child.name === 'AssignOp' || child.name === '**' || child.name === '*') isKeyword = true;
    else if (all[index + 1]?.name === 'AssignOp') {
      // An abstract class is made by a metaclass that changes none of its names.
      const value = all[index + 2];
      const isPlain = value !== undefined && /(?:^|\.)(?:ABCMeta|EnumMeta|type)$/.test(sourceOf(text, value));
      hasMetaclass ||= sourceOf(text, child) === 'metaclass' && !isPlain;
    } else if (!isKeyword) bases.push(dottedName(text, child));
  }
  return { bases, hasMetaclass };
}

// `self.name = …` anywhere in its methods, whatever the first parameter is called.
function addInstanceNames(text: string, body: SyntaxNode, names: Set<string>): void {
  for (const node of nodesBelow(body)) {
    if (node.name !== 'MemberExpression') continue;
    const parent = node.parent?.name;
    if (parent !== 'AssignStatement' && parent !== 'UpdateStatement' && parent !== 'TupleExpression') continue;
    const [, name] =
      /^(?:self|cls|this|inst|obj|instance|rv)\s*\.\s*(\w+)$/.exec(sourceOf(text, node).slice(0, MAX_FIELD_LENGTH)) ??
      [];
    if (name !== undefined) names.add(name);
  }
}
