// A document as a tsvector literal. Stems, positions and classes are set here and not by a text-search configuration:
// its stemmer differs from the other engine's on one word in ten, and its parser depends on the database's locale.
import { stem, wordsOf } from '../../domain/search-text/analysis.ts';
import { threadTask } from '../../threads/task.ts';
import type { FullTextColumn, FullTextRow } from '../dialect.ts';

export const CLASSES = { title: 'A', version: 'B', summary: 'C', content: 'D' } as const satisfies Record<
  FullTextColumn,
  string
>;

// Far more words than a query can have; the type refuses words of 2 kB.
const MAX_WORD = 500;
// Content comes last: the type has positions up to 16,383, so in longer notes the later phrases are lost.
const ORDER = ['title', 'version', 'summary', 'content'] as const;

export function textVector(row: FullTextRow): string {
  const positionsByLexeme = new Map<string, string>();
  let position = 1;
  for (const column of ORDER) {
    const name = CLASSES[column];
    for (const word of wordsOf(row[column])) {
      position += 1;
      const lexeme = stemOf(word);
      const known = positionsByLexeme.get(lexeme);
      positionsByLexeme.set(lexeme, known === undefined ? position + name : `${known},${position}${name}`);
    }
    // The gap prevents phrases from matching across two columns.
    position += 1;
  }
  let vector = '';
  for (const [lexeme, positions] of positionsByLexeme) vector += `'${lexeme}':${positions} `;
  for (const token of terms(row.tokens)) vector += `'${token}':1A `;
  for (const term of terms(row.scope)) vector += `'${term}' `;
  return vector;
}

export const VECTOR_MAKING = threadTask(import.meta.url, textVector);

function terms(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

const STEMS = new Map<string, string>();
const KNOWN_STEMS = 50_000;

// Nine words in ten of a note are among the commonest few thousand.
function stemOf(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  const found = stem(word.length > MAX_WORD ? word.slice(0, MAX_WORD) : word);
  if (STEMS.size >= KNOWN_STEMS) STEMS.clear();
  if (word.length <= 40) STEMS.set(word, found);
  return found;
}
