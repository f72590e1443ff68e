// The start of every server command: configuration, database, log.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../app.ts';
import { ConfigError } from '../config/error.ts';
import { type Config, readConfig } from '../config.ts';
import { prepareDataFolder } from '../store/data-folder.ts';
import { DATABASE_FILE } from '../store/open.ts';
import { CommandFailure, type Environment, type FlagValues, textFlag } from './command.ts';
import { databaseFailure, databaseName, reasonOf } from './database-name.ts';
import { createLog, stderrWriter } from './log.ts';
import { unknownVariables } from './unknown-variables.ts';

interface ServiceOptions {
  env: Environment;
  flags: FlagValues;
}

// All errors are reported at once, those of the data folder and the flags included.
function configFor({ env, flags }: ServiceOptions): Config {
  const environment = environmentFor({ env, flags });
  const [config, faults] = attempt(() => readConfig(environment));
  const unknown = flags['strict-config'] ? unknownVariables(env) : [];
  const all = [...faults, ...unknown, ...folderFaults(environment)].map((fault) => nameFlag(fault, flags));
  if (config === null || all.length > 0) throw new ConfigError(all);
  return config;
}

function attempt(read: () => Config): [Config | null, readonly string[]] {
  try {
    return [read(), []];
  } catch (error) {
    if (error instanceof ConfigError) return [null, error.faults];
    throw error;
  }
}

function folderFaults({ REGISTRY_DATABASE_URL: url, REGISTRY_DATA_DIR: folder }: Environment): string[] {
  if (url) return [];
  const dataDir = folder || './data';
  try {
    prepareDataFolder(dataDir, DATABASE_FILE, { narrow: false });
    return [];
  } catch (error) {
    return [`REGISTRY_DATA_DIR: ${dataDir} cannot be written (${reasonOf(error)})`];
  }
}

// The error names the flag that was given, not the environment variable that it stands for.
function nameFlag(fault: string, flags: FlagValues): string {
  for (const flag of ['port', 'host']) {
    const variable = `REGISTRY_${flag.toUpperCase()}`;
    if (flags[flag] !== undefined && fault.startsWith(`${variable}:`)) return fault.replace(variable, `--${flag}`);
  }
  return fault;
}

// A flag takes precedence over its environment variable, here and in child processes.
export function environmentFor({ env, flags }: ServiceOptions): Environment {
  const port = textFlag(flags, 'port');
  const host = textFlag(flags, 'host');
  return {
    ...env,
    ...(port === undefined ? {} : { REGISTRY_PORT: port }),
    ...(host === undefined ? {} : { REGISTRY_HOST: host }),
  };
}

// Opens an app with an up-to-date database; with `--no-migrate` it must be up to date already.
export async function openService(options: ServiceOptions): Promise<App> {
  const app = await openUnmigrated(options);
  try {
    if (options.flags['no-migrate']) await refusePending(app);
    const applied = await app.ctx.store.migrate();
    if (applied.length > 0) app.ctx.log.info({ migrations: applied }, 'migrations applied');
    for (const told of unknownVariables(options.env)) app.ctx.log.warn(told);
    warnOfOpenings(app);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

// For a command that only shows what it would do: it makes no folder, no database and no table. Null when there is no
// registry yet.
export async function openUnchanged(options: ServiceOptions): Promise<App | null> {
  if (!(await hasDatabase(options.env))) return null;
  return openService({ ...options, flags: { ...options.flags, 'no-migrate': true } });
}

// For a command that only reads what is there, and makes nothing where nothing is.
export async function openExisting(options: ServiceOptions): Promise<App> {
  if (!(await hasDatabase(options.env))) {
    const dataDir = options.env.REGISTRY_DATA_DIR || './data';
    throw new CommandFailure(`there is no registry in ${databaseName({ databaseUrl: null, dataDir })}`);
  }
  return openUnmigrated(options);
}

async function hasDatabase({ REGISTRY_DATABASE_URL: url, REGISTRY_DATA_DIR: folder }: Environment): Promise<boolean> {
  if (url) return true;
  const found = await stat(join(folder || './data', DATABASE_FILE)).catch(() => null);
  return (found?.size ?? 0) > 0;
}

export async function openUnmigrated(options: ServiceOptions): Promise<App> {
  const config = configFor(options);
  // Loaded after the configuration is checked, so that its errors are reported at once.
  const { createApp } = await import('../app.ts');
  const log = createLog(config.logLevel, stderrWriter(config.logFormat));
  const app = await createApp(config, { log }).catch((error) => {
    throw error instanceof ConfigError ? error : databaseFailure(config, error);
  });
  try {
    await app.ctx.store.ping();
    return app;
  } catch (error) {
    await app.close();
    throw databaseFailure(config, error);
  }
}

// Targets that are allowed here bypass the guard of outbound requests.
function warnOfOpenings({ ctx }: App): void {
  const { allow } = ctx.config.egress;
  if (allow.length > 0) ctx.log.warn({ allow }, 'REGISTRY_EGRESS_ALLOW admits private targets');
}

async function refusePending({ ctx }: App): Promise<void> {
  const pending = await ctx.store.migrationsPending();
  if (pending.length === 0) return;
  throw new CommandFailure(`migrations are pending (${pending.join(', ')}); run \`registry migrate\` first`);
}
