// Parses a changelog in YAML in a time that grows with its length and no faster, whatever the text is.
import type { CST, ParsedNode } from 'yaml';
import { yaml } from './yaml-markdown.ts';

// Changelogs nest a few levels; deeper ones are read as plain text.
const DEEPEST = 64;

class UnreadableYaml extends Error {}

// The content of the first document; null for a text that is no valid YAML or nests too deeply. Parsing ends at the first
// error, because a hostile text has one at every character.
export function parseYaml(text: string): ParsedNode | null {
  const { Composer } = yaml();
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent', strict: false });
  const onError = (_source: unknown, _code: string, message: string, isWarning?: boolean) => {
    if (!isWarning) throw new UnreadableYaml(message);
  };
  Object.assign(composer, { onError });
  try {
    for (const document of composer.compose(tokensOf(text), true, text.length)) {
      return document.errors.length > 0 ? null : document.contents;
    }
    return null;
  } catch (error) {
    if (error instanceof UnreadableYaml) return null;
    throw error;
  }
}

function* tokensOf(text: string): Generator<CST.Token> {
  const { Lexer, Parser } = yaml();
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) yield valid(token);
    if (parser.stack.length > DEEPEST) throw new UnreadableYaml('nests too deeply');
  }
  for (const token of parser.end()) yield valid(token);
}

function valid(token: CST.Token): CST.Token {
  if (token.type === 'error') throw new UnreadableYaml(token.message);
  return token;
}
