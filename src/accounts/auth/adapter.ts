// The sign-in library on our own database: its reads see what is committed, its writes are transactions of the store,
// and its names become ours.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { BetterAuthOptions } from 'better-auth';
import { type CleanedWhere, type CustomAdapter, createAdapterFactory, type DBAdapter } from 'better-auth/adapters';
import { APIError } from 'better-call';
import type { Context } from '../../context.ts';
import type { Queries, Tx } from '../../store/schema/index.ts';
import {
  columnOf,
  countRows,
  deleteRows,
  insertRow,
  type LibraryRow,
  type LibraryTable,
  type RowSelection,
  selectRows,
  toColumns,
  toFields,
  updateRows,
} from './rows.ts';
import { hashedFields, hashedWhere, knownSecrets, revealed } from './stored-secrets.ts';

const TABLES: Record<string, LibraryTable> = {
  user: 'users',
  session: 'sessions',
  account: 'identities',
  verification: 'verifications',
  jwks: 'jwks',
  deviceCode: 'device_codes',
  oauthClient: 'oauth_clients',
  oauthResource: 'oauth_resources',
  oauthClientResource: 'oauth_client_resources',
  oauthRefreshToken: 'oauth_refresh_tokens',
  oauthAccessToken: 'oauth_access_tokens',
  oauthConsent: 'oauth_consents',
};

// Accounts and grants must survive a power cut; rows that expire by themselves need not.
const LASTING: ReadonlySet<LibraryTable> = new Set(['users', 'identities', 'oauth_clients', 'oauth_consents', 'jwks']);

// A device may be decided once. The library reads first and writes afterwards, so two decisions could pass together
// without this condition.
const UNDECIDED: CleanedWhere = {
  field: 'status',
  operator: 'eq',
  value: 'pending',
  connector: 'AND',
  mode: 'sensitive',
};
const DECIDED = { error: 'invalid_request', error_description: 'this code was decided on before' };

export interface LibraryAdapter {
  database(options: BetterAuthOptions): DBAdapter;
  // The context of what the library is doing now, its transaction included.
  context(): Context;
}

export function createLibraryAdapter(ctx: Context): LibraryAdapter {
  // The library does not hand its transaction to all that runs inside one. With one writer, a second transaction would
  // wait for the first for ever, so whatever runs inside joins.
  const running = new AsyncLocalStorage<Tx>();
  const within = <T>(work: () => Promise<T>): Promise<T> =>
    running.getStore() ? work() : ctx.store.transaction((tx) => running.run(tx, work), 'catalog');
  const operations = createOperations({
    read: () => running.getStore() ?? ctx.store.read,
    write(table, work) {
      const tx = running.getStore();
      return tx ? work(tx) : ctx.store.transaction(work, LASTING.has(table) ? 'catalog' : 'bookkeeping');
    },
  });
  const database = (options: BetterAuthOptions) => {
    const adapter: DBAdapter = createAdapterFactory({
      config: {
        adapterId: 'registry',
        supportsBooleans: false,
        supportsDates: false,
        supportsJSON: false,
        supportsArrays: false,
        transaction: (work) => within(() => work(adapter)),
      },
      adapter: () => operations,
    })(options);
    return adapter;
  };
  return { database, context: () => ({ ...ctx, tx: running.getStore() }) };
}

interface DatabaseAccess {
  read(): Queries;
  write<T>(table: LibraryTable, work: (tx: Queries) => Promise<T>): Promise<T>;
}

function createOperations({ read, write }: DatabaseAccess): CustomAdapter {
  const update = async (model: string, where: CleanedWhere[], change: LibraryRow) => {
    const table = tableOf(model);
    const rows = await write(table, (tx) => updateRows(tx, table, { where: hashedWhere(model, where), change }));
    return shown(model, rows, knownSecrets(model, where));
  };
  const remove = async (model: string, where: CleanedWhere[], most?: number) => {
    const table = tableOf(model);
    const rows = await write(table, (tx) => deleteRows(tx, table, { where: hashedWhere(model, where), most }));
    return shown(model, rows, knownSecrets(model, where));
  };
  const select = async (model: string, selection: RowSelection) => {
    const where = selection.where ?? [];
    const rows = await selectRows(read(), tableOf(model), { ...selection, where: hashedWhere(model, where) });
    return shown(model, rows, knownSecrets(model, where));
  };
  return {
    async create<T>({ model, data }: { model: string; data: T }) {
      const table = tableOf(model);
      const fields = data as LibraryRow;
      const row = await write(table, (tx) => insertRow(tx, table, toColumns(hashedFields(model, fields))));
      return shown(model, [row], knownSecrets(model, [], fields))[0] as T;
    },
    async findOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
      return first<T>(await select(model, { where, limit: 1 }));
    },
    async findMany<T>({ model, sortBy, ...rest }: Parameters<CustomAdapter['findMany']>[0]) {
      const order = sortBy && { column: columnOf(sortBy.field), direction: sortBy.direction };
      return (await select(model, { ...rest, order })) as T[];
    },
    count: ({ model, where }) => countRows(read(), tableOf(model), hashedWhere(model, where ?? [])),
    async update<T>(input: { model: string; where: CleanedWhere[]; update: T }) {
      const change = toColumns(hashedFields(input.model, input.update as LibraryRow));
      if (tableOf(input.model) !== 'device_codes' || change.status === undefined) {
        return first<T>(await update(input.model, input.where, change));
      }
      const decided = first<T>(await update(input.model, [...input.where, UNDECIDED], change));
      if (decided === null) throw new APIError('BAD_REQUEST', DECIDED);
      return decided;
    },
    async updateMany(input) {
      const change = toColumns(hashedFields(input.model, input.update));
      return (await update(input.model, input.where, change)).length;
    },
    async delete({ model, where }) {
      await remove(model, where);
    },
    async deleteMany({ model, where }) {
      return (await remove(model, where)).length;
    },
    // Deletes one row and returns it: of several callers, one gets it.
    async consumeOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
      return first<T>(await remove(model, where, 1));
    },
    // Changes a row if it still matches: the guard behind everything that may happen once.
    async incrementOne<T>({ model, where, increment, set }: Parameters<NonNullable<CustomAdapter['incrementOne']>>[0]) {
      return first<T>(await update(model, where, toColumns(hashedFields(model, set ?? {}), increment)));
    },
  };
}

function tableOf(model: string): LibraryTable {
  const table = TABLES[model];
  if (!table) throw new Error(`the sign-in library asked for an unknown table: ${model}`);
  return table;
}

function shown(model: string, rows: readonly LibraryRow[], known: readonly string[]): LibraryRow[] {
  return rows.map((row) => revealed(model, toFields(row), known));
}

function first<T>(rows: readonly LibraryRow[]): T | null {
  return (rows[0] as T | undefined) ?? null;
}
