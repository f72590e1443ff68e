import type { QueryGroup, QueryTerm } from '../../domain/search-text/query-terms.ts';
import type { FullTextColumn, FullTextTerms } from '../dialect.ts';

export type ColumnNames = Partial<Record<FullTextColumn, string>>;

// A query in the syntax of FTS5. All text is quoted, so nothing in it is read as an operator.
export function matchExpression(query: FullTextTerms, names: ColumnNames): string {
  const { groups, columns, oneIn, required, excluded } = query;
  const filter = columnFilter(columns, names);
  const all = [
    ...groups.map((group) => groupExpression(group, filter)),
    ...(oneIn ? [`(${groups.map((group) => groupExpression(group, columnFilter(oneIn, names))).join(' OR ')})`] : []),
    ...required.map((terms) => `(${terms.map(quote).join(' OR ')})`),
  ].join(' AND ');
  return excluded.length === 0 ? all : `(${all}) NOT (${excluded.map(quote).join(' OR ')})`;
}

interface ColumnFilter {
  text: string;
  // Without it no whole word would match elsewhere: exact terms have columns of their own.
  narrow: boolean;
}

function columnFilter(columns: readonly FullTextColumn[], names: ColumnNames): ColumnFilter {
  const columnNames = columns.flatMap((column) => names[column] ?? []);
  return { text: `{${columnNames.join(' ')}} : `, narrow: columnNames.length < Object.keys(names).length };
}

function groupExpression(group: QueryGroup, filter: ColumnFilter): string {
  // A word may also be one of its own completions, so its entries are read once.
  const bare = new Set<string>();
  const filtered = new Set<string>();
  for (const term of group) {
    const needsFilter = term.kind === 'prefix' || (term.kind === 'phrase' && filter.narrow);
    (needsFilter ? filtered : bare).add(termExpression(term));
  }
  const alternatives = filtered.size === 0 ? [...bare] : [...bare, `${filter.text}(${[...filtered].join(' OR ')})`];
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
