import type { QueryGroup, QueryTerm } from '../../domain/search-text/query-terms.ts';
import type { FullTextQuery } from '../dialect.ts';

/** A query as FTS5 writes it. All text stands in quotes, so nothing in it is ever read as an operator. */
export function matchExpression({ groups, columns, required, excluded }: FullTextQuery): string {
  const filter = `{${columns.join(' ')}} : `;
  const all = [...groups.map((group) => groupExpression(group, filter)), ...required.map(quote)].join(' AND ');
  return excluded.length === 0 ? all : `(${all}) NOT (${excluded.map(quote).join(' OR ')})`;
}

// The column filter stands before words alone: exact terms occur in no column but their own.
function groupExpression(group: QueryGroup, filter: string): string {
  const exact = group.filter((term) => term.kind === 'exact').map(termExpression);
  const words = group.filter((term) => term.kind !== 'exact').map(termExpression);
  const alternatives = words.length === 0 ? exact : [...exact, `${filter}(${words.join(' OR ')})`];
  return `(${alternatives.join(' OR ')})`;
}

function termExpression(term: QueryTerm): string {
  switch (term.kind) {
    case 'exact':
      return quote(term.term);
    case 'phrase':
      return quote(term.words.join(' '));
    case 'prefix':
      return `${quote(term.word)} *`;
  }
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
