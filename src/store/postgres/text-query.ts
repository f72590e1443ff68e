import { stem } from '../../domain/search-text/analysis.ts';
import type { QueryGroup, QueryTerm } from '../../domain/search-text/query-terms.ts';
import type { FullTextColumn, FullTextTerms } from '../dialect.ts';
import { CLASSES } from './text-vector.ts';

const ALL_CLASSES = Object.keys(CLASSES).length;

// A query as a tsquery literal of stems. All text is quoted, so nothing in it is read as an operator.
export function textQuery({ groups, columns, oneIn, required, excluded }: FullTextTerms): string {
  return [
    ...groups.map((group) => groupQuery(group, classesOf(columns))),
    ...(oneIn ? [anyGroup(groups, oneIn)] : []),
    ...required.map((terms) => `(${terms.map(quote).join(' | ')})`),
    ...excluded.map((term) => `!${quote(term)}`),
  ].join(' & ');
}

// At least one of the groups, in these columns.
export function anyGroup(groups: readonly QueryGroup[], columns: readonly FullTextColumn[]): string {
  return `(${groups.map((group) => groupQuery(group, classesOf(columns))).join(' | ')})`;
}

// A query for every class needs no recheck of the document after the index.
function classesOf(columns: readonly FullTextColumn[]): string {
  return columns.length === ALL_CLASSES ? '' : columns.map((column) => CLASSES[column]).join('');
}

function groupQuery(group: QueryGroup, classes: string): string {
  return `(${group.map((term) => termQuery(term, classes)).join(' | ')})`;
}

function termQuery(term: QueryTerm, classes: string): string {
  switch (term.kind) {
    case 'exact':
      return quote(term.term);
    case 'phrase':
      return `(${term.words.map((word) => label(quote(stem(word)), classes)).join(' <-> ')})`;
    case 'prefix':
      return `${quote(stem(term.word))}:*${classes}`;
  }
}

function label(lexeme: string, classes: string): string {
  return classes === '' ? lexeme : `${lexeme}:${classes}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
