// Ends statements that take too long. SQLite runs on the thread that asks, where nothing can interrupt it: so on a connection of
// its own each table is hidden behind a view of the same name, whose rows look at the clock now and then. A row costs as
// much as a random number. Statements that name one table alone take no longer than a walk over it, and do without.
import { DatabaseSync, type StatementSync } from 'node:sqlite';

// A row in so many looks at the clock.
const ROWS_PER_LOOK = 256;
const CODE = 'STATEMENT_TOO_LONG';

// `statement` is for the log; it has no values.
class StatementTooLong extends Error {
  readonly code = CODE;
  readonly statement: string;

  constructor(statement: string) {
    super('the statement took too long');
    this.statement = statement;
  }
}

export function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === CODE;
}

export class DeadlineConnection {
  readonly #path: string;
  readonly #limitMs: number;
  #database: DatabaseSync | null = null;
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(path: string, limitMs: number) {
    this.#path = path;
    this.#limitMs = limitMs;
  }

  // Null for a statement that runs as it is: it reads one table, or a view would change its plan.
  prepare(sql: string, plain: DatabaseSync): StatementSync | null {
    // A view has no indexes that a statement could name, the tables of the full-text index are no ordinary ones, and a plan is told
    // at once.
    if (/\b(?:INDEXED BY|MATCH)\b|^\s*EXPLAIN\b/.test(sql) || (sql.match(/\b(?:from|join)\b/gi)?.length ?? 0) < 2)
      return null;
    // Opened with the first statement: most tables are made after the first connection.
    this.#database ??= this.#open();
    return planOf(this.#database, sql) === planOf(plain, sql) ? this.#database.prepare(sql) : null;
  }

  run<T>(sql: string, work: () => T): T {
    this.#endsAt = performance.now() + this.#limitMs;
    try {
      return work();
    } catch (error) {
      throw isTooLong(error) ? new StatementTooLong(sql) : error;
    } finally {
      // Statements that are prepared and run elsewhere have none.
      this.#endsAt = Number.POSITIVE_INFINITY;
    }
  }

  close(): void {
    if (this.#database?.isOpen) this.#database.close();
  }

  #open(): DatabaseSync {
    const database = new DatabaseSync(this.#path, { readOnly: true, timeout: 0 });
    database.exec('PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY');
    database.function('look_at_clock', (_key) => {
      if (performance.now() > this.#endsAt) throw new StatementTooLong('');
      return 1;
    });
    for (const { name, key } of tablesOf(database)) {
      const looks = `random() & ${ROWS_PER_LOOK - 1} OR look_at_clock(${key})`;
      database.exec(`CREATE TEMP VIEW "${name}" AS SELECT * FROM main."${name}" WHERE ${looks}`);
    }
    return database;
  }
}

// Without the names of tables and the numbers of subqueries.
function planOf(database: DatabaseSync, sql: string): string {
  const lines = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as unknown as { detail: string }[];
  return lines
    .map(({ detail }) => detail.replace(/^(SCAN|SEARCH) (?:main\.)?\w+/, '$1').replace(/\(subquery-\d+\)/g, ''))
    .join('\n');
}

interface Table {
  name: string;
  // A column that every index of the table has, so that indexes still cover statements.
  key: string;
}

function tablesOf(database: DatabaseSync): Table[] {
  const tables = database
    .prepare(
      `SELECT t.name, t.wr AS "withoutRowid", (SELECT c.name FROM pragma_table_info(t.name) c WHERE c.pk = 1) AS pk
       FROM pragma_table_list t WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'`,
    )
    .all() as unknown as { name: string; withoutRowid: number; pk: string | null }[];
  return tables.map(({ name, withoutRowid, pk }) => ({ name, key: withoutRowid === 1 ? `"${pk}"` : 'rowid' }));
}
