// Databases on PostgreSQL: one server per run, one database per test app, copied from a migrated template.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { MIGRATIONS } from '../../src/store/migrations/index.ts';
import { postgres } from '../../src/store/postgres/dialect.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';

// The URL of a running server; `npm test` sets it for all test files.
export const POSTGRES_VARIABLE = 'REGISTRY_TEST_POSTGRES';

export interface PostgresServer {
  url: string;
  // Only for a server that no other test uses: its clients lose their connections, or wait.
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
}

interface PostgresOptions {
  // Committed data survives an immediate restart, at the cost of some speed.
  durable?: boolean;
  // Reached through a socket file where the platform has them, which is cheaper than the network.
  socket?: boolean;
}

export async function startPostgres({ durable, socket }: PostgresOptions = {}): Promise<PostgresServer> {
  const script = fileURLToPath(new URL('./postgres-process.ts', import.meta.url));
  const args = [script, ...(durable ? ['--durable'] : []), ...(socket ? ['--socket'] : [])];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [url] = await Promise.race([
    once(lines, 'line') as Promise<[string]>,
    ended.then(([code]) => Promise.reject(new Error(`the test PostgreSQL ended with ${code}`))),
  ]);
  // A test process with nothing left to do may exit; the server notices.
  child.unref();
  (child.stdout as unknown as { unref(): void }).unref();
  (child.stdin as unknown as { unref(): void }).unref();
  const ask = async (command: string) => {
    child.stdin.write(`${command}\n`);
    const [answer] = (await once(lines, 'line')) as [string];
    if (answer !== 'done') throw new Error(`the test PostgreSQL did not ${command}: ${answer}`);
  };
  return {
    url,
    restart: (mode) => ask(`restart ${mode}`),
    freeze: () => ask('freeze'),
    thaw: () => ask('thaw'),
    async stop() {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}

interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

interface CreateOptions {
  migrated?: boolean | undefined;
  // The name of the template database, which must have no connections.
  template?: string | undefined;
}

export async function createDatabase(
  adminUrl: string,
  { migrated = true, template: given }: CreateOptions = {},
): Promise<TestDatabase> {
  const template = given ?? (migrated ? await ensureTemplate(adminUrl) : 'template0');
  const name = `registry_${randomBytes(8).toString('hex')}`;
  await administrate(adminUrl, copySql(name, template));
  return {
    url: databaseUrl(adminUrl, name),
    drop: () => dropDatabase(adminUrl, name),
  };
}

function copySql(name: string, template: string): string {
  return `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`;
}

// Named by its content, so that a server that outlives a change of the schema never copies the old template.
export async function templateName(): Promise<string> {
  const statements = await Promise.all(
    MIGRATIONS.map(async ({ number, name, load }) => [number, name, (await load()).up(postgres)]),
  );
  return `registry_template_${createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16)}`;
}

// Test files share a process, and a file may start a server of its own.
const templates = new Map<string, Promise<string>>();

function ensureTemplate(adminUrl: string): Promise<string> {
  const template =
    templates.get(adminUrl) ?? templateName().then((name) => makeTemplate(adminUrl, name, migrateDatabase));
  templates.set(adminUrl, template);
  return template;
}

// A migrated template with more in it.
export async function ensureFilledTemplate(
  adminUrl: string,
  name: string,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  return makeTemplate(adminUrl, name, fill, await ensureTemplate(adminUrl));
}

// Test files start at the same time; the first one that asks makes the template and the others wait.
async function makeTemplate(
  adminUrl: string,
  name: string,
  prepare: (url: string) => Promise<void>,
  from?: string,
): Promise<string> {
  await asAdmin(adminUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return;
    const draft = `${name}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(from ? copySql(draft, from) : `CREATE DATABASE ${draft} ENCODING 'UTF8' TEMPLATE template0`);
    await prepare(databaseUrl(adminUrl, draft));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
  });
  return name;
}

export function dropDatabase(adminUrl: string, name: string): Promise<void> {
  return administrate(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function migrateDatabase(url: string): Promise<void> {
  const store = await openPostgres({ url, poolSize: 2, statementMs: 0, now: () => new Date(), onError: () => {} });
  try {
    await store.migrate();
  } finally {
    await store.close();
  }
}

// One connection per server for the whole process: a new one for every statement would cost as much as the statement.
const admins = new Map<string, pg.Pool>();

async function administrate(adminUrl: string, sql: string): Promise<void> {
  const admin = admins.get(adminUrl) ?? new pg.Pool({ connectionString: adminUrl, max: 1, allowExitOnIdle: true });
  if (!admins.has(adminUrl)) {
    admins.set(adminUrl, admin);
    // A server that a test has started is stopped and restarted while the connection is idle.
    admin.on('error', () => {});
  }
  await admin.query(sql);
}

async function asAdmin(adminUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}
