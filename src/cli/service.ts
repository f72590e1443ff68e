// What every server command begins with: configuration, database, log.
import { type App, createApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { CommandFailure, type Environment, type FlagValues, textFlag } from './command.ts';
import { createLog, stderrWriter } from './log.ts';

export interface ServiceOptions {
  env: Environment;
  flags: FlagValues;
}

export function configFor({ env, flags }: ServiceOptions): Config {
  return readConfig(environmentFor({ env, flags }));
}

// A flag counts more than the variable of the same meaning, here and in child processes.
export function environmentFor({ env, flags }: ServiceOptions): Environment {
  const port = textFlag(flags, 'port');
  const host = textFlag(flags, 'host');
  return { ...env, ...(port === undefined ? {} : { REGISTRY_PORT: port }), ...(host ? { REGISTRY_HOST: host } : {}) };
}

// An app whose database is up to date; with `--no-migrate` it has to be so already.
export async function openService(options: ServiceOptions): Promise<App> {
  const app = await openUnmigrated(options);
  try {
    if (options.flags['no-migrate']) await refusePending(app);
    const applied = await app.ctx.store.migrate();
    if (applied.length > 0) app.ctx.log.info({ migrations: applied }, 'migrations applied');
    warnOfOpenings(app);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

export function openUnmigrated(options: ServiceOptions): Promise<App> {
  const config = configFor(options);
  return createApp(config, { log: createLog(config.logLevel, stderrWriter(config.logFormat)) });
}

// What is admitted here no longer stands behind the guard of outbound requests.
function warnOfOpenings({ ctx }: App): void {
  const { allow } = ctx.config.egress;
  if (allow.length > 0) ctx.log.warn({ allow }, 'REGISTRY_EGRESS_ALLOW admits private targets');
}

async function refusePending({ ctx }: App): Promise<void> {
  const pending = await ctx.store.migrationsPending();
  if (pending.length === 0) return;
  throw new CommandFailure(`migrations are pending (${pending.join(', ')}); run \`registry migrate\` first`);
}
