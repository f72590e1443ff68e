// Where a word stands in source files as a name or as a whole text; comments do not count.
import ts from 'typescript-api';
import { extensionOf, parseScript } from './parse.ts';
import type { SourceFile } from './project.ts';
import { isComponent } from './script-blocks.ts';
import type { Place } from './use.ts';

const MOST_PLACES = 50;

export function placesOfWord(sources: readonly SourceFile[], word: string): Place[] {
  const found: Place[] = [];
  if (word === '') return found;
  for (const { path, text } of sources) {
    if (found.length >= MOST_PLACES) break;
    if (text.includes(word)) found.push(...wordIn(path, text, word));
  }
  return found;
}

function wordIn(path: string, text: string, word: string): Place[] {
  const parsed = isComponent(path) || path.endsWith('.py') ? null : parseScript(path, text, extensionOf(path));
  if (!parsed) return [{ file: path, line: text.slice(0, text.indexOf(word)).split('\n').length }];
  const places: Place[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isIdentifier(node) || ts.isStringLiteralLike(node)) && node.text === word) {
      places.push({ file: path, line: parsed.tree.getLineAndCharacterOfPosition(node.getStart(parsed.tree)).line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed.tree);
  return places;
}
