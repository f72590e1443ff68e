import type { QueryGroup, QueryTerm } from '../../domain/search-text/query-terms.ts';
import { stem } from '../../domain/search-text/stem.ts';
import type { FullTextQuery } from '../dialect.ts';
import { CLASSES } from './text-vector.ts';

/** A query as a tsquery literal of stems. All text stands in quotes, so nothing in it is ever read as an operator. */
export function textQuery({ groups, columns, required, excluded }: FullTextQuery): string {
  const classes = columns.map((column) => CLASSES[column]).join('');
  return [
    ...groups.map((group) => groupQuery(group, classes)),
    ...required.map(quote),
    ...excluded.map((term) => `!${quote(term)}`),
  ].join(' & ');
}

function groupQuery(group: QueryGroup, classes: string): string {
  return `(${group.map((term) => termQuery(term, classes)).join(' | ')})`;
}

function termQuery(term: QueryTerm, classes: string): string {
  switch (term.kind) {
    case 'exact':
      return quote(term.term);
    case 'phrase':
      return `(${term.words.map((word) => `${quote(stem(word))}:${classes}`).join(' <-> ')})`;
    case 'prefix':
      return `${quote(stem(term.word))}:*${classes}`;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
