// The keys of matching documents. Descending order returns the newest first and stops early, but steps over every entry
// of every word, and notices the lower end of its range only at the next match below it, however far that is. Ascending
// order skips entries that cannot match and ends with the index, but must reach the end before it knows the newest.
import type { QueryGroup, QueryTerm } from '../../domain/search-text/query-terms.ts';
import type { FullTextColumn, FullTextQuery, FullTextTerms, KeyedQuery } from '../dialect.ts';
import { type ColumnNames, statements, TABLES } from './full-text-tables.ts';

// The maximum number of results of a search in ascending order.
const MAX_RISING = 5_000;

type KeyOrder = 'ASC' | 'DESC';

// The rows of a statement with a fixed text.
export type RunStatement = <R>(sql: string, parameters: readonly unknown[]) => Promise<R[]>;

export const MATCH = {
  ASC: statements(({ name }) => matching(name, 'ASC')),
  DESC: statements(({ name }) => matching(name, 'DESC')),
};
const COUNT = {
  ASC: statements(({ name }) => counting(matching(name, 'ASC'))),
  DESC: statements(({ name }) => counting(matching(name, 'DESC'))),
};

export async function matchingKeys(run: RunStatement, query: FullTextQuery, order: KeyOrder): Promise<number[]> {
  if (query.groups.length === 0 || query.required.some((terms) => terms.length === 0)) return [];
  const rows = await run<{ key: number }>(MATCH[order][query.index], parametersOf(query));
  return rows.map((row) => row.key);
}

// The newest matches in ascending order, unless there are too many.
export async function risingNewest(run: RunStatement, query: FullTextQuery): Promise<number[]> {
  const keys = await risingKeys(run, query);
  return keys?.slice(0, query.limit) ?? matchingKeys(run, query, 'DESC');
}

// All matches of the range, newest first; null when ascending order finds too many.
export async function risingKeys(run: RunStatement, query: FullTextQuery): Promise<number[] | null> {
  const keys = await matchingKeys(run, { ...query, limit: MAX_RISING }, 'ASC');
  return keys.length === MAX_RISING ? null : keys.reverse();
}

// Slightly more than needed, so that one step is usually enough.
const SPARE = 1.15;

// The newest matches of a query with filters. The newest documents that pass the filters are found without the words,
// and the words are matched by skipping, no further back than those documents reach. Once none of them matches, matches
// are the rarer part, and the rest is searched in descending order.
async function filteredNewest(run: RunStatement, query: FullTextQuery): Promise<number[]> {
  const { groups, required, limit } = query;
  if (groups.length === 0 || required.some((terms) => terms.length === 0)) return [];
  const filters = { ...query, groups: required.map(exactGroup), required: [] };
  const keys: number[] = [];
  let { maxKey } = query;
  let seen = 0;
  let size = Math.min(MAX_RISING - 1, Math.ceil(SPARE * limit));
  while (keys.length < limit) {
    const passing = await matchingKeys(run, { ...filters, maxKey, limit: size }, 'DESC');
    const lowest = passing.at(-1);
    if (lowest === undefined) break;
    const found = await risingNewest(run, { ...query, minKey: lowest, maxKey, limit: limit - keys.length });
    keys.push(...found);
    if (passing.length < size) break;
    maxKey = lowest - 1;
    if (found.length === 0) {
      keys.push(...(await matchingKeys(run, { ...query, maxKey, limit: limit - keys.length }, 'DESC')));
      break;
    }
    seen += passing.length;
    size = Math.min(MAX_RISING - 1, Math.ceil((SPARE * seen * (limit - keys.length)) / keys.length));
  }
  return keys;
}

export function matchFullText(run: RunStatement, query: FullTextQuery): Promise<number[]> {
  if (query.sparse) return risingNewest(run, query);
  return query.required.length > 0 ? filteredNewest(run, query) : matchingKeys(run, query, 'DESC');
}

function exactGroup(terms: readonly string[]): QueryGroup {
  return terms.map((term) => ({ kind: 'exact', term }));
}

const SEEK = statements(
  ({ name }) => `SELECT ${name}.rowid AS key FROM json_each(?) AS wanted CROSS JOIN ${name}
    WHERE ${name} MATCH ? AND ${name}.rowid = wanted.value`,
);

// A query for one word in one document takes about half a millisecond, because it opens each segment of the index.
const MAX_SEEKS = 24;

// Each key is a new query of the index, which finds the first match of all before it skips to the key. That match is at
// the start of the entries of a single word, but may be far away for a phrase or several words: so each group is
// queried separately, and phrases are not.
export async function matchAmongKeys(run: RunStatement, query: KeyedQuery): Promise<number[] | null> {
  const { index, groups, columns } = query;
  const terms = groups.flat();
  if (!terms.every(isSingleWord) || query.keys.length * terms.length > MAX_SEEKS) return null;
  let keys = query.keys;
  for (const group of groups) {
    if (keys.length === 0) break;
    const words = matchExpression({ groups: [group], columns, required: [], excluded: [] }, TABLES[index].columns);
    const rows = await run<{ key: number }>(SEEK[index], [JSON.stringify(keys), words]);
    keys = rows.map((row) => row.key);
  }
  return groups.length === 0 ? [] : [...keys];
}

function isSingleWord(term: QueryTerm): boolean {
  return term.kind === 'exact' || (term.kind === 'phrase' && term.words.length === 1);
}

interface MatchCount {
  docs: number;
  lowest: number | null;
}

export async function countMatches(run: RunStatement, query: FullTextQuery, order: KeyOrder): Promise<MatchCount> {
  const [count] = await run<MatchCount>(COUNT[order][query.index], parametersOf(query));
  return count ?? { docs: 0, lowest: null };
}

function parametersOf(query: FullTextQuery): unknown[] {
  return [matchExpression(query, TABLES[query.index].columns), query.minKey, query.maxKey, query.limit];
}

function matching(table: string, order: KeyOrder): string {
  return `SELECT rowid AS key FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN ? AND ?
    ORDER BY rowid ${order} LIMIT ?`;
}

function counting(matches: string): string {
  return `SELECT count(*) AS docs, min(key) AS lowest FROM (${matches})`;
}

// A query in the syntax of FTS5. All text is quoted, so nothing in it is read as an operator.
function matchExpression(query: FullTextTerms, names: ColumnNames): string {
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
