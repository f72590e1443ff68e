// Observes the statements of a transaction and derives from them what its commit changes. It sees every statement, so
// no function has to declare its changes and none can forget to.
import type { CompiledQuery, DatabaseConnection, Driver, Dialect as KyselyDialect } from 'kysely';
import { withDriver } from '../query-builder.ts';
import type { Tx } from '../schema/index.ts';
import { type CommitChange, EVERYTHING } from './change-feed.ts';
import { effectOf } from './shown-tables.ts';

const ID = /^(org|prod|src|rel)_[0-9A-Za-z]{21}$/;
const MIN_ID_LENGTH = 25;
const MAX_ID_LENGTH = 26;
// A commit that affects more entities than this invalidates everything: looking them up would take longer than reading
// again.
const MAX_SOURCES = 64;
const MAX_RELEASES = 2000;
const CHUNK = 500;

type NamedIds = Record<'org' | 'prod' | 'src' | 'rel', Set<string>>;

const isNamedKind = (kind: string): kind is keyof NamedIds => ['org', 'prod', 'src', 'rel'].includes(kind);

class WriteRecord {
  everything = false;
  lists = false;
  readonly ids: NamedIds = { org: new Set(), prod: new Set(), src: new Set(), rel: new Set() };

  observe({ sql, parameters }: CompiledQuery): void {
    if (this.everything) return;
    const { effect, isInsert } = effectOf(sql);
    if (effect === 'nothing') return;
    this.lists = true;
    if (effect === 'everything') this.everything = true;
    if (effect === 'source' || effect === 'owner') this.#name(effect, idsIn(parameters), isInsert);
  }

  // A statement that names no row of its kind may change any row. New rows name their own source.
  #name(effect: 'source' | 'owner', named: NamedIds, isInsert: boolean): void {
    const own = effect === 'owner' ? [named.org, named.prod] : [named.src, named.rel];
    if (own.every((ids) => ids.size === 0)) {
      this.everything = true;
      return;
    }
    const kinds = effect === 'owner' ? (['org', 'prod'] as const) : (['src', 'rel'] as const);
    for (const kind of kinds) {
      if (kind === 'rel' && isInsert && named.src.size > 0) continue;
      for (const id of named[kind]) this.ids[kind].add(id);
    }
  }
}

function idsIn(parameters: readonly unknown[], found?: NamedIds): NamedIds {
  const ids: NamedIds = found ?? { org: new Set(), prod: new Set(), src: new Set(), rel: new Set() };
  for (const value of parameters) {
    if (Array.isArray(value)) idsIn(value, ids);
    if (typeof value !== 'string' || value.length < MIN_ID_LENGTH || value.length > MAX_ID_LENGTH) continue;
    const kind = value.slice(0, value.indexOf('_'));
    if (ID.test(value) && isNamedKind(kind)) ids[kind].add(value);
  }
  return ids;
}

const watched = new WeakSet<DatabaseConnection>();
const records = new WeakMap<DatabaseConnection, WriteRecord>();

// The connections of this dialect can be observed.
export function watchedDialect(dialect: KyselyDialect): KyselyDialect {
  return withDriver(dialect, watchedDriver);
}

function watchedDriver(driver: Driver): Driver {
  const acquire = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await acquire(options);
    if (!watched.has(connection)) watch(connection);
    return connection;
  };
  return driver;
}

function watch(connection: DatabaseConnection): void {
  watched.add(connection);
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = (query, options) => {
    records.get(connection)?.observe(query);
    return execute(query, options);
  };
}

// What a transaction has written, as far as its statements say it.
export interface WriteSummary extends CommitChange {
  // Sources whose products and orgs are changed as well.
  sources: readonly string[];
}

interface WriteWatch {
  // Looks up the sources of releases that were named without them.
  findSources(): Promise<void>;
  summary(): WriteSummary;
  stop(): void;
}

const ALL: WriteSummary = { ...EVERYTHING, sources: [] };

// Observes the statements of a transaction until it is stopped.
export async function watchStatements(tx: Tx): Promise<WriteWatch> {
  const connection = await tx.getExecutor().provideConnection(async (one) => one);
  const record = new WriteRecord();
  records.set(connection, record);
  return {
    async findSources() {
      const { ids } = record;
      if (record.everything || ids.rel.size === 0) return;
      const sources = ids.rel.size > MAX_RELEASES ? null : await sourcesOf(tx, ids.rel);
      if (sources === null) record.everything = true;
      else for (const id of sources) ids.src.add(id);
      ids.rel.clear();
    },
    summary() {
      const { everything, lists, ids } = record;
      if (everything || ids.rel.size > 0 || ids.src.size > MAX_SOURCES) return ALL;
      return { everything, lists, ids: [...ids.org, ...ids.prod], sources: [...ids.src] };
    },
    stop() {
      records.delete(connection);
    },
  };
}

// Null when one of the releases no longer exists.
async function sourcesOf(tx: Tx, ids: ReadonlySet<string>): Promise<Set<string> | null> {
  const sources = new Set<string>();
  const releases = [...ids];
  for (let start = 0; start < releases.length; start += CHUNK) {
    const part = releases.slice(start, start + CHUNK);
    const rows = await tx.selectFrom('releases').select('source_id').where('id', 'in', part).execute();
    if (rows.length < part.length) return null;
    for (const row of rows) sources.add(row.source_id);
  }
  return sources;
}

// The change with the products and orgs of the sources; of everything when one of the sources no longer exists.
export async function withOwners(tx: Tx, { sources, ...known }: WriteSummary): Promise<CommitChange> {
  if (known.everything || sources.length === 0) return known;
  const rows = await tx.selectFrom('sources').select(['org_id', 'product_id']).where('id', 'in', sources).execute();
  if (rows.length < sources.length) return EVERYTHING;
  const owners = rows.flatMap(({ org_id, product_id }) => [org_id, product_id].filter((id) => id !== null));
  return { ...known, ids: [...new Set([...sources, ...owners, ...known.ids])] };
}
