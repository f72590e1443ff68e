// Values of YAML as text: scalars as they are written, lists and mappings as lists of markdown.
import { createRequire } from 'node:module';
import type { Pair } from 'yaml';

const load = createRequire(import.meta.url);
let parser: typeof import('yaml') | undefined;

// Loaded with the first changelog in YAML, because few are and the library has dozens of files.
export function yaml(): typeof import('yaml') {
  parser ??= load('yaml') as typeof import('yaml');
  return parser;
}

const DEEPEST = 6;

// The lines of the file that a node was parsed from.
export function sourceOf(node: unknown, text: string): string[] {
  const range = yaml().isNode(node) ? node.range : null;
  return range ? text.slice(range[0], range[1]).split('\n') : [];
}

// A value as lines of markdown: lists stay lists, and each key of a mapping precedes its value.
export function linesOf(node: unknown, depth: number, source: string): string[] {
  const indent = '  '.repeat(depth);
  if (yaml().isSeq(node) && depth < DEEPEST) {
    return node.items.flatMap((item) => {
      const [first, ...rest] = yaml().isScalar(item) ? textOf(item).split('\n') : [];
      if (first !== undefined) return [`${indent}- ${first}`, ...rest.map((line) => `${indent}  ${line}`)];
      return linesOf(item, depth, source);
    });
  }
  if (yaml().isMap(node) && depth < DEEPEST) {
    return (node.items as Pair[]).flatMap((pair) => {
      const name = textOf(pair.key);
      if (yaml().isScalar(pair.value) || pair.value === null)
        return [`${indent}- ${name}: ${textOf(pair.value)}`.trimEnd()];
      return [`${indent}- ${name}:`, ...linesOf(pair.value, depth + 1, source)];
    });
  }
  // Deeper values stay as they are written.
  if (yaml().isMap(node) || yaml().isSeq(node)) return sourceOf(node, source).map((line) => `${indent}${line.trim()}`);
  const text = textOf(node);
  return text === '' ? [] : text.split('\n').map((line) => `${indent}${line}`);
}

// A scalar as written, because `1.10` is a version and no number.
export function textOf(node: unknown): string {
  if (!yaml().isScalar(node)) return '';
  return (node.source ?? String(node.value ?? '')).trim();
}

export function titleCase(key: string): string {
  const words = key.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
