// Describes the database without its password, and why it cannot be used.
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { CommandFailure } from './command.ts';

type DatabaseLocation = Pick<Config, 'databaseUrl' | 'dataDir'>;

export function databaseName({ databaseUrl, dataDir }: DatabaseLocation): string {
  if (!databaseUrl) return join(resolve(dataDir), 'registry.db');
  try {
    const { host, pathname } = new URL(databaseUrl);
    return `PostgreSQL, ${host}${pathname}`;
  } catch {
    // The driver also accepts lists of hosts and sockets, which are not URLs.
    return 'PostgreSQL, as configured by REGISTRY_DATABASE_URL';
  }
}

export function databaseFailure(location: DatabaseLocation, error: unknown): CommandFailure {
  const advice = location.databaseUrl ? 'check REGISTRY_DATABASE_URL' : 'check REGISTRY_DATA_DIR';
  const name = databaseName(location);
  return new CommandFailure(`cannot use the database (${name}): ${reasonOf(error)}; ${advice}`, { cause: error });
}

// Node reports a refused connection to several addresses as one error without a message.
export function reasonOf(error: unknown): string {
  const causes = error instanceof AggregateError ? error.errors : [error];
  const texts = causes.map((cause) => (cause instanceof Error ? cause.message || cause.name : String(cause)));
  return [...new Set(texts)].join('; ');
}
