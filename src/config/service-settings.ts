// Settings of the service itself: its listener, its storage and its logs.
import { z } from 'zod';
import { flag, networks, origin, origins, setting, wholeNumber } from './fields.ts';

const port = wholeNumber(0, 65_535);

export const server = {
  REGISTRY_PORT: setting('port to listen on', port.default(8080)),
  REGISTRY_HOST: setting('address to listen on', z.string().min(1).default('127.0.0.1')),
  REGISTRY_BASE_URL: setting('public origin of the API', origin.optional(), '`http://localhost:{port}`'),
  REGISTRY_WEB_URL: setting('public origin of the pages', origin.optional(), 'the base URL'),
  REGISTRY_NAME: setting(
    'key of this service in domain manifests',
    z.string().min(1).max(120).optional(),
    'host of the base URL',
  ),
  REGISTRY_SITE_NAME: setting('name shown to people', z.string().min(1).max(120).default('Release Registry')),
  REGISTRY_CONTACT: setting(
    'mail address or page of the operators, shown to people and sent with fetches',
    z.string().min(1).optional(),
  ),
  REGISTRY_FEED_AUTHORITY: setting(
    'the name in the ids of Atom feeds; it must never change',
    z
      .string()
      .regex(/^[a-z0-9.-]+$/, 'must be a host name')
      .optional(),
    'host of the base URL at the first start',
  ),
  REGISTRY_TRUSTED_ORIGINS: setting(
    'further origins whose pages may change something with a cookie',
    origins.default([]),
  ),
  REGISTRY_TRUSTED_PROXIES: setting('addresses or CIDRs whose `X-Forwarded-For` counts', networks.default([])),
  REGISTRY_HSTS_SUBDOMAINS: setting(
    '`true` extends the promise of https to hosts below this one',
    flag.default('false'),
  ),
  REGISTRY_DRAIN_MS: setting(
    'how long a stopping server still answers while `/ready` says 503, at most 8000',
    wholeNumber(0, 8000).default(5000),
  ),
  REGISTRY_CACHE: setting('`off` answers every read from the database', z.enum(['on', 'off']).default('on')),
};

export const storage = {
  REGISTRY_DATA_DIR: setting(
    'directory of the database file and of generated secrets',
    z.string().min(1).default('./data'),
  ),
  REGISTRY_DATABASE_URL: setting(
    '`postgres://…` selects PostgreSQL',
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
      .optional(),
    'the SQLite file in the data directory',
  ),
  REGISTRY_DATABASE_DIRECT_URL: setting(
    '`postgres://…` of the server itself, when `REGISTRY_DATABASE_URL` leads to a pooler that gives each transaction another connection',
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
      .optional(),
    '`REGISTRY_DATABASE_URL`',
  ),
  REGISTRY_DATABASE_POOL: setting('PostgreSQL connections of one process, 2 to 200', wholeNumber(2, 200).default(10)),
  REGISTRY_DATABASE_TIMEOUT_MS: setting(
    'how long a statement of a request may take, 0 for no limit; migrations are exempt',
    wholeNumber(0, 3_600_000).default(30_000),
  ),
  REGISTRY_MEDIA_STORE: setting(
    'directory for copies of the images of releases, served under `/media/`; all processes must see the same one',
    z
      .string()
      .regex(/^(?![a-z][a-z0-9+.-]+:\/\/)/i, 'must be a directory')
      .optional(),
    'no copies',
  ),
};

export const logs = {
  REGISTRY_LOG_LEVEL: setting(
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
  REGISTRY_LOG_FORMAT: setting(
    '`json`, `pretty`, or `auto`: pretty on a terminal, JSON elsewhere',
    z.enum(['auto', 'json', 'pretty']).default('auto'),
  ),
  REGISTRY_REQUEST_LOG: setting('`true` logs every request at `info` instead of `debug`', flag.default('false')),
  REGISTRY_METRICS: setting(
    'who may read `/metrics`: `token`, `public` or `off`',
    z.enum(['token', 'public', 'off']).default('token'),
  ),
  REGISTRY_METRICS_TOKEN: setting('the token for `/metrics`, at least 16 characters', z.string().min(16).optional()),
};
