// Runs the same tests on both engines, each app on a fresh database that is deleted afterwards.
import { randomBytes } from 'node:crypto';
import { existsSync, openSync, writeSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { type App, type AppOverrides, createApp } from '../../src/app.ts';
import { createLog } from '../../src/cli/log.ts';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { QUICK_PASSWORDS } from './passwords.ts';
import {
  createDatabase,
  dropDatabase,
  ensureFilledTemplate,
  POSTGRES_VARIABLE,
  type PostgresServer,
  startPostgres,
} from './postgres.ts';
import { FILLED_VARIABLE, scratchFolder } from './scratch.ts';

export const ROOT_KEY = 'test-root-key-0123456789-0123456789-abcdef';
export const SECRET = '5e'.repeat(32);

type EngineName = 'sqlite' | 'postgres';

export interface TestAppOptions extends AppOverrides {
  env?: Record<string, string>;
  // From `openTestDatabase`: several apps on one database simulate several processes.
  database?: Record<string, string>;
}

interface DatabaseOptions {
  migrated?: boolean;
  content?: Content;
}

// What is in a database from the start. It is made once per engine for all processes of a run, and copied.
export interface Content {
  name: string;
  fill(ctx: Context): Promise<unknown>;
}

export interface TestEngine {
  name: EngineName;
  // A migrated app; closed and deleted after the tests of this engine, or earlier by its own `close`.
  openTestApp(options?: TestAppOptions): Promise<App>;
  // The environment of a fresh database, for tests that start processes or several apps on one.
  openTestDatabase(options?: DatabaseOptions): Promise<Record<string, string>>;
}

type Cleanup = () => Promise<void>;

// REGISTRY_TEST_ENGINE=sqlite restricts a run by hand to one engine.
export const ENGINES: readonly EngineName[] = (['sqlite', 'postgres'] as const).filter((name) => {
  const only = process.env.REGISTRY_TEST_ENGINE;
  return only === undefined || only === '' || only === name;
});

export function forEachEngine(name: string, declare: (engine: TestEngine) => void): void {
  for (const engine of ENGINES) {
    describe(`${name} (${engine})`, () => {
      const cleanups: Cleanup[] = [];
      after(async () => {
        for (const cleanup of cleanups.reverse()) await cleanup();
      });
      const openTestDatabase = async ({ migrated = true, content }: DatabaseOptions = {}) => {
        const database =
          engine === 'sqlite' ? await newFile({ migrated, content }) : await newDatabase({ migrated, content });
        cleanups.push(database.remove);
        return database.env;
      };
      declare({
        name: engine,
        openTestDatabase,
        async openTestApp(options = {}) {
          const database = options.database ?? (await openTestDatabase());
          const app = await openOn({ ...database, ...options.env }, options);
          // Called late, because what is opened on top of an app extends its `close`.
          cleanups.push(() => app.close());
          return app;
        },
      });
    });
  }
}

async function openOn(env: Record<string, string>, overrides: AppOverrides): Promise<App> {
  const config = readConfig({
    REGISTRY_ROOT_KEY: ROOT_KEY,
    REGISTRY_SECRET: SECRET,
    REGISTRY_LOG_LEVEL: 'silent',
    REGISTRY_EMBEDDER: 'off',
    // Nobody answers there: tests ask no package registry but their own.
    REGISTRY_NPM_URL: 'http://127.0.0.1:9',
    REGISTRY_PYPI_URL: 'http://127.0.0.1:9',
    REGISTRY_ASK: 'off',
    ...env,
  });
  const log = sharedLog();
  const app = await createApp(config, { passwords: QUICK_PASSWORDS, ...(log ? { log } : {}), ...overrides });
  await app.ctx.store.migrate();
  let closed: Promise<void> | null = null;
  return {
    ...app,
    close: () => {
      closed ??= app.close();
      return closed;
    },
  };
}

let shared: AppOverrides['log'] | null = null;

// In a full run the services log as they would for an operator, into a folder that is scanned for credentials.
function sharedLog(): AppOverrides['log'] | null {
  const folder = process.env.REGISTRY_TEST_LOG_DIR;
  if (!folder) return null;
  if (!shared) {
    const file = openSync(join(folder, `${process.pid}.log`), 'a');
    shared = createLog('debug', (line) => writeSync(file, line));
  }
  return shared;
}

interface OwnDatabase {
  env: Record<string, string>;
  remove: Cleanup;
}

async function newFolder(): Promise<OwnDatabase & { file: string }> {
  const folder = await scratchFolder('registry-test-');
  return {
    env: { REGISTRY_DATA_DIR: folder },
    file: join(folder, 'registry.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const NOTHING: Content = { name: 'nothing', fill: async () => {} };

async function newFile({ migrated, content = NOTHING }: DatabaseOptions): Promise<OwnDatabase> {
  const database = await newFolder();
  if (!migrated) return database;
  const bytes = filledFiles.get(content.name) ?? sharedFile(content);
  filledFiles.set(content.name, bytes);
  await writeFile(database.file, await bytes, { mode: 0o600 });
  return database;
}

const filledFiles = new Map<string, Promise<Uint8Array>>();

async function sharedFile(content: Content): Promise<Uint8Array> {
  const folder = process.env[FILLED_VARIABLE];
  if (!folder) return filledFile(content);
  const path = join(folder, `${content.name}.db`);
  if (existsSync(path)) return readFile(path);
  const bytes = await filledFile(content);
  // Two processes may have made it, and a third one never reads half of it.
  await writeFile(`${path}.${process.pid}`, bytes);
  await rename(`${path}.${process.pid}`, path);
  return bytes;
}

// Copying costs a fraction of migrating and filling again.
async function filledFile({ fill }: Content): Promise<Uint8Array> {
  const database = await newFolder();
  await fillOnce(database.env, fill);
  const bytes = await readFile(database.file);
  await database.remove();
  return bytes;
}

async function fillOnce(env: Record<string, string>, fill: Content['fill']): Promise<void> {
  const app = await openOn(env, {});
  await fill(app.ctx);
  await app.close();
}

// Each connection is a process of the server that reads the catalog of the database for itself, which costs more than
// what most tests ask of it.
const POOL = '3';

async function newDatabase({ migrated, content }: DatabaseOptions): Promise<OwnDatabase> {
  const files = await newFolder();
  const template = content && (await filledTemplate(content));
  const database = await createDatabase(await adminUrl(), { migrated, template });
  return {
    env: { ...files.env, REGISTRY_DATABASE_URL: database.url, REGISTRY_DATABASE_POOL: POOL },
    remove: async () => {
      await database.drop();
      await files.remove();
    },
  };
}

const filledTemplates = new Map<string, Promise<string>>();
// The server of a run ends with it; on another one nobody else uses what this process fills.
const shares = process.env[FILLED_VARIABLE] !== undefined;
const owner = shares ? 'run' : randomBytes(4).toString('hex');

function filledTemplate({ name, fill }: Content): Promise<string> {
  const make = async () =>
    ensureFilledTemplate(await adminUrl(), `registry_${owner}_${name}`, async (url) => {
      const files = await newFolder();
      await fillOnce({ ...files.env, REGISTRY_DATABASE_URL: url }, fill);
      await files.remove();
    });
  const template = filledTemplates.get(name) ?? make();
  filledTemplates.set(name, template);
  return template;
}

let own: Promise<PostgresServer> | null = null;

// A single test file that is run by hand finds no server and starts its own.
async function adminUrl(): Promise<string> {
  const running = process.env[POSTGRES_VARIABLE];
  if (running) return running;
  own ??= startPostgres({ socket: true });
  return (await own).url;
}

after(async () => {
  if (!shares) for (const template of filledTemplates.values()) await dropDatabase(await adminUrl(), await template);
  await (await own)?.stop();
});
