// Questions to the full-text index that take several statements. Such a procedure runs where the connection is: on a read
// thread as one message, elsewhere statement by statement.
import { CompiledQuery, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { CandidateQuery, CountQuery, DocumentCount, FullTextCandidates, FullTextQuery } from '../dialect.ts';
import { kyselyOf } from '../query-builder.ts';
import type { Queries } from '../schema/index.ts';
import { TEXTS } from './full-text-tables.ts';
import {
  countMatches,
  matchAmongKeys,
  matchFullText,
  matchingKeys,
  type RunStatement,
  risingKeys,
  risingNewest,
} from './match.ts';

export const PROCEDURES = { countDocuments, findCandidates, matchAmongKeys, matchFullText };

type Procedures = typeof PROCEDURES;
export type ProcedureName = keyof Procedures;
type ProcedureQuery<Name extends ProcedureName> = Parameters<Procedures[Name]>[1];
type ProcedureResult<Name extends ProcedureName> = Awaited<ReturnType<Procedures[Name]>>;

type CallProcedure = (name: ProcedureName, query: unknown) => Promise<unknown>;

const threads = new WeakMap<Queries, CallProcedure>();

// From now on procedures of these queries run on threads.
export function runOnThreads(queries: Queries, call: CallProcedure): void {
  threads.set(queries, call);
}

export function runProcedure<Name extends ProcedureName>(
  db: Queries,
  name: Name,
  query: ProcedureQuery<Name>,
): Promise<ProcedureResult<Name>> {
  const call = threads.get(db);
  if (call) return call(name, query) as Promise<ProcedureResult<Name>>;
  const procedure = PROCEDURES[name] as (run: RunStatement, query: unknown) => Promise<ProcedureResult<Name>>;
  return procedure(async (sql, parameters) => (await db.executeQuery(compiled(sql, parameters))).rows as never, query);
}

function compiled(sql: string, parameters: readonly unknown[]): CompiledQuery {
  return CompiledQuery.raw(sql, [...parameters]);
}

// Queries over a driver that hands out connections to several callers at a time.
export function manyConnections(driver: Driver): Queries {
  return kyselyOf({
    createAdapter: () => new ManyConnectionsAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  });
}

// The query builder uses one connection at a time for this engine.
class ManyConnectionsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

// Selects the candidates for ranking, and estimates how common a term is. The caller sets a range of keys in which a
// query is cheap.

// Documents of a term are counted up to this number, newest first; the rest is estimated.
const COUNTED = 4_000;
// The density of a range is estimated from this part of it.
const SLICES = 16;
// Slightly more than needed, so that one step is usually enough.
const SPARE = 1.25;

type PartialQuery = Pick<FullTextQuery, 'columns' | 'oneIn' | 'limit'>;

async function findCandidates(run: RunStatement, query: CandidateQuery): Promise<FullTextCandidates> {
  const { tiers, most, sparse, sliceKey, ...requested } = query;
  const columns = TEXTS[query.index];
  const all = sparse ? await risingKeys(run, { ...requested, columns, limit: most + 1 }) : null;
  const newestOf = (part: PartialQuery) => {
    const whole: FullTextQuery = { ...requested, ...part };
    if (all) return newestAmong(run, whole, all);
    return sparse || sliceKey === null ? matchingKeys(run, whole, 'DESC') : slicedNewest(run, whole, sliceKey);
  };
  const found = all ?? (await newestOf({ columns, limit: most + 1 }));
  if (found.length <= most) return { keys: found, complete: true, lowestKey: query.minKey };
  const newest = found.slice(0, most);
  const lowestKey = newest.at(-1) ?? query.maxKey;
  if (tiers === null) return { keys: newest, complete: false, lowestKey };
  const limit = Math.ceil(most / 2);
  const best = await newestOf({ columns: tiers.head, limit });
  const near = nearQuestion(query.groups.length, tiers, columns);
  const good = near ? await newestOf({ ...near, limit }) : [];
  return { keys: [...new Set([...best, ...good, ...newest])].slice(0, most), complete: false, lowestKey };
}

// The newest documents of a tier among these keys, no further back than needed.
async function newestAmong(run: RunStatement, query: FullTextQuery, all: readonly number[]): Promise<number[]> {
  const { limit } = query;
  const keys: number[] = [];
  let seen = 0;
  let size = 2 * limit;
  while (keys.length < limit && seen < all.length) {
    const part = all.slice(seen, seen + size);
    const range = { minKey: part.at(-1) ?? 0, maxKey: part[0] ?? 0, limit: limit - keys.length };
    keys.push(...(await risingNewest(run, { ...query, ...range })));
    seen += part.length;
    size = Math.ceil((SPARE * seen * (limit - keys.length)) / Math.max(1, keys.length));
  }
  return keys;
}

// A single group is near wherever it occurs in these columns.
function nearQuestion(
  groups: number,
  { near }: NonNullable<CandidateQuery['tiers']>,
  columns: FullTextQuery['columns'],
): Pick<FullTextQuery, 'columns' | 'oneIn'> | null {
  if (near.length === 0) return null;
  return groups > 1 ? { columns, oneIn: near } : { columns: near };
}

// Common matches are read in descending order, which ends soon; rare ones in ascending order.
async function slicedNewest(run: RunStatement, query: FullTextQuery, sliceKey: number): Promise<number[]> {
  const { minKey, limit } = query;
  const slice = await risingNewest(run, { ...query, minKey: sliceKey });
  if (slice.length === limit || sliceKey <= minKey) return slice;
  if (slice.length * SLICES >= 2 * limit) return matchingKeys(run, query, 'DESC');
  const rest = await risingNewest(run, { ...query, maxKey: sliceKey - 1, limit: limit - slice.length });
  return [...slice, ...rest];
}

async function countDocuments(run: RunStatement, { index, group, minKey, sparse }: CountQuery): Promise<DocumentCount> {
  const query: FullTextQuery = {
    index,
    groups: [group],
    columns: TEXTS[index],
    required: [],
    excluded: [],
    minKey,
    maxKey: Number.MAX_SAFE_INTEGER,
    limit: COUNTED + 1,
  };
  const rising = sparse || minKey > 0 ? await countMatches(run, query, 'ASC') : null;
  const { docs, lowest } = rising && rising.docs <= COUNTED ? rising : await countMatches(run, query, 'DESC');
  return { docs, lowestKey: docs > COUNTED ? lowest : null };
}
