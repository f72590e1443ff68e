// Where a word stands in source files as a name or as a whole text; comments do not count.
import ts from 'typescript-api';
import type { SourceFile } from '../project.ts';
import { extensionOf, isComponent } from '../script-blocks.ts';
import { parseScript } from './parse.ts';

// The lines of each of the words.
export function linesOfWords(source: SourceFile, words: readonly string[]): ReadonlyMap<string, number[]> {
  const { path, text } = source;
  try {
    const parsed = isComponent(path) || path.endsWith('.py') ? null : parseScript(path, text, extensionOf(path));
    return parsed ? linesIn(parsed.tree, words) : firstLines(text, words);
  } catch (error) {
    // Syntax that nests without end.
    if (error instanceof RangeError) return firstLines(text, words);
    throw error;
  }
}

function linesIn(tree: ts.SourceFile, words: readonly string[]): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>(words.map((word) => [word, []]));
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) {
      found.get(node.text)?.push(tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function firstLines(text: string, words: readonly string[]): ReadonlyMap<string, number[]> {
  return new Map(
    words.map((word) => {
      const at = text.indexOf(word);
      return [word, at < 0 ? [] : [text.slice(0, at).split('\n').length]];
    }),
  );
}
