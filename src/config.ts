// The one place that reads the environment. Everything that is wrong is reported at once, at start.
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65535);
const quota = z.coerce.number().int().min(0);
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
const origin = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine((url) => url.pathname === '/' && !url.search && !url.hash && !url.username, 'must be an origin without path')
  .transform((url) => url.origin);

const environment = z.object({
  REGISTRY_PORT: port.default(8080),
  REGISTRY_HOST: z.string().min(1).default('127.0.0.1'),
  REGISTRY_DATA_DIR: z.string().min(1).default('./data'),
  REGISTRY_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  REGISTRY_DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
  REGISTRY_BASE_URL: origin.optional(),
  REGISTRY_WEB_URL: origin.optional(),
  REGISTRY_NAME: z.string().min(1).max(120).optional(),
  REGISTRY_SITE_NAME: z.string().min(1).max(120).default('Release Registry'),
  REGISTRY_CONTACT: z.string().min(1).optional(),
  REGISTRY_ROOT_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  REGISTRY_RATE_PUBLIC: quota.default(120),
  REGISTRY_RATE_ACCOUNT: quota.default(300),
  REGISTRY_RATE_TOKEN: quota.default(600),
  REGISTRY_METRICS: z.enum(['token', 'public', 'off']).default('token'),
  REGISTRY_METRICS_TOKEN: z.string().min(16).optional(),
  REGISTRY_TRUSTED_ORIGINS: list.default([]),
  REGISTRY_TRUSTED_PROXIES: list.default([]),
  REGISTRY_CACHE: z.enum(['on', 'off']).default('on'),
  REGISTRY_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  databasePool: number;
  baseUrl: string;
  webUrl: string;
  name: string;
  siteName: string;
  contact: string | null;
  rootKey: string | null;
  rates: { public: number; account: number; token: number };
  metrics: { access: 'token' | 'public' | 'off'; token: string | null };
  trustedOrigins: string[];
  trustedProxies: string[];
  cache: boolean;
  logLevel: string;
}

export class ConfigError extends Error {}

export function readConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = environment.safeParse(present);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`The configuration is not usable:\n${lines.join('\n')}`);
  }
  const value = result.data;
  const baseUrl = value.REGISTRY_BASE_URL ?? `http://localhost:${value.REGISTRY_PORT}`;
  const webUrl = value.REGISTRY_WEB_URL ?? baseUrl;
  return {
    port: value.REGISTRY_PORT,
    host: value.REGISTRY_HOST,
    dataDir: value.REGISTRY_DATA_DIR,
    databaseUrl: value.REGISTRY_DATABASE_URL ?? null,
    databasePool: value.REGISTRY_DATABASE_POOL,
    baseUrl,
    webUrl,
    name: value.REGISTRY_NAME ?? new URL(baseUrl).hostname,
    siteName: value.REGISTRY_SITE_NAME,
    contact: value.REGISTRY_CONTACT ?? null,
    rootKey: value.REGISTRY_ROOT_KEY ?? null,
    rates: {
      public: value.REGISTRY_RATE_PUBLIC,
      account: value.REGISTRY_RATE_ACCOUNT,
      token: value.REGISTRY_RATE_TOKEN,
    },
    metrics: { access: value.REGISTRY_METRICS, token: value.REGISTRY_METRICS_TOKEN ?? null },
    trustedOrigins: [...new Set([baseUrl, webUrl, ...value.REGISTRY_TRUSTED_ORIGINS])],
    trustedProxies: value.REGISTRY_TRUSTED_PROXIES,
    cache: value.REGISTRY_CACHE === 'on',
    logLevel: value.REGISTRY_LOG_LEVEL,
  };
}
