// A Python file as a module: the names that it binds when it is imported.
import { type Definition, emptyModule, type PythonModule } from './model.ts';
import { nestsTooDeep } from './nesting.ts';
import { readStatements } from './read-scope.ts';
import {
  childrenOf,
  type PythonText,
  parsePython,
  type SyntaxNode,
  sourceOf,
  stringsBelow,
  stringValue,
} from './syntax.ts';

// Longer files are data; what they bind is not known.
const MAX_SOURCE_LENGTH = 3_000_000;
const DYNAMIC =
  /\bglobals\(\)\s*(?:\.update\b|\[)|\bvars\(\)\s*\[|\bsys\.modules\[\s*__name__\s*\]\s*=|^[ \t]*exec[ \t]*\(/m;

export function readModule(name: string, isPackage: boolean, text: string): PythonModule {
  const module = emptyModule(name, isPackage);
  if (text.length > MAX_SOURCE_LENGTH || nestsTooDeep(text)) return { ...module, isOpaque: true };
  const parsed = parsePython(text);
  const listed: string[] = [];
  readStatements(
    {
      text,
      names: module.names,
      depth: 0,
      absolute: (dots, path) => absoluteModule(name, isPackage, dots, path),
      onStar: (star) => module.stars.push(star),
      onAll(values, isAdded) {
        module.hasAll = true;
        if (!isAdded) listed.length = 0;
        for (const value of values) listed.push(...listedNames(text, value));
      },
    },
    parsed.root,
    false,
  );
  const isListed = module.hasAll && listed.length > 0;
  return {
    ...module,
    all: isListed ? listed : null,
    isDynamic: DYNAMIC.test(text) || isForwarding(parsed, module.names),
    lazyNames: module.names.has('__getattr__') ? new Set(stringsBelow(text, parsed.root)) : null,
  };
}

function absoluteModule(name: string, isPackage: boolean, dots: number, path: string): string | null {
  if (dots === 0) return path;
  const parts = name.split('.');
  const up = isPackage ? dots - 1 : dots;
  if (up >= parts.length) return null;
  return [...parts.slice(0, parts.length - up), ...(path === '' ? [] : [path])].join('.');
}

// The texts of a list, also of lists that are added up.
function listedNames(text: string, value: SyntaxNode): string[] {
  if (value.name === 'BinaryExpression') return [...childrenOf(value)].flatMap((one) => listedNames(text, one));
  if (value.name === 'String') return [stringValue(text, value) ?? ''];
  if (!/^(?:Array|Tuple|Parenthesized|Set)Expression$/.test(value.name)) return [];
  return [...childrenOf(value)].flatMap((one) => stringValue(text, one) ?? []);
}

// `__getattr__` that hands on whatever name it is asked for, by no list of its own.
function isForwarding({ text, root }: PythonText, names: ReadonlyMap<string, Definition[]>): boolean {
  const found = names.get('__getattr__') ?? [];
  if (found.length === 0) return false;
  const node = childrenOf(root).find((one) => /^\s*def\s+__getattr__\b/.test(sourceOf(text, one)));
  if (!node) return false;
  const source = sourceOf(text, node);
  return /\bgetattr\s*\(/.test(source) && !/\b(?:in|match)\s|==|\w\[|\.get\(/.test(source);
}
