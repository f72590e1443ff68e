// The one place that reads the environment. Everything that is wrong is reported at once, at start.
import { z } from 'zod';
import {
  decimalNumber,
  hosts,
  list,
  networks,
  origin,
  origins,
  secret,
  upstream,
  wholeNumber,
} from './contract/config-fields.ts';

const port = wholeNumber(0, 65_535);
const quota = wholeNumber(0);
// From six minutes to thirty days.
const pollHours = decimalNumber(0.1, 720);
const flag = z.enum(['true', 'false'], 'must be true or false');

// Every variable has a row in docs/configuration.md.
export const variables = z.object({
  REGISTRY_PORT: port.default(8080),
  REGISTRY_HOST: z.string().min(1).default('127.0.0.1'),
  REGISTRY_DATA_DIR: z.string().min(1).default('./data'),
  REGISTRY_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  REGISTRY_DATABASE_POOL: wholeNumber(2, 200).default(10),
  REGISTRY_DATABASE_TIMEOUT_MS: wholeNumber(0, 3_600_000).default(30_000),
  REGISTRY_BASE_URL: origin.optional(),
  REGISTRY_WEB_URL: origin.optional(),
  REGISTRY_NAME: z.string().min(1).max(120).optional(),
  REGISTRY_SITE_NAME: z.string().min(1).max(120).default('Release Registry'),
  REGISTRY_FEED_AUTHORITY: z
    .string()
    .regex(/^[a-z0-9.-]+$/, 'must be a host name')
    .optional(),
  REGISTRY_CONTACT: z.string().min(1).optional(),
  REGISTRY_ROOT_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  REGISTRY_SECRET: secret.optional(),
  REGISTRY_SECRET_PREVIOUS: list.pipe(z.array(secret)).default([]),
  REGISTRY_SIGNUP: z.enum(['open', 'closed']).default('open'),
  REGISTRY_COOKIE_DOMAIN: z.string().min(1).optional(),
  REGISTRY_DEVICE_CLIENTS: list.default([]),
  REGISTRY_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  REGISTRY_MAIL_FROM: z.string().min(3).optional(),
  REGISTRY_GITHUB_ID: z.string().min(1).optional(),
  REGISTRY_GITHUB_SECRET: z.string().min(1).optional(),
  REGISTRY_GOOGLE_ID: z.string().min(1).optional(),
  REGISTRY_GOOGLE_SECRET: z.string().min(1).optional(),
  REGISTRY_WEBHOOK_RATE: quota.default(600),
  REGISTRY_EMBEDDER: z.enum(['local', 'endpoint', 'off']).default('local'),
  REGISTRY_EMBED_URL: upstream.optional(),
  REGISTRY_EMBED_KEY: z.string().min(1).optional(),
  REGISTRY_EMBED_NAME: z.string().min(1).optional(),
  REGISTRY_EMBED_QUERY_PREFIX: z.string().default(''),
  REGISTRY_EMBED_DOCUMENT_PREFIX: z.string().default(''),
  REGISTRY_SEARCH_RANK_CAP: wholeNumber(1000, 1_000_000).default(20_000),
  REGISTRY_RATE_PUBLIC: quota.default(120),
  REGISTRY_RATE_ACCOUNT: quota.default(300),
  REGISTRY_RATE_TOKEN: quota.default(600),
  REGISTRY_METRICS: z.enum(['token', 'public', 'off']).default('token'),
  REGISTRY_METRICS_TOKEN: z.string().min(16).optional(),
  REGISTRY_LOOKUPS: z.enum(['public', 'write', 'off']).default('public'),
  REGISTRY_LOOKUP_DAILY: quota.default(200),
  REGISTRY_DEMAND_SWEEP: flag.default('false'),
  REGISTRY_TRUSTED_ORIGINS: origins.default([]),
  REGISTRY_TRUSTED_PROXIES: networks.default([]),
  REGISTRY_GITHUB_API_URL: upstream.default('https://api.github.com'),
  REGISTRY_GITHUB_RAW_URL: upstream.default('https://raw.githubusercontent.com'),
  REGISTRY_GITHUB_WEB_URL: upstream.default('https://github.com'),
  REGISTRY_GITHUB_TOKEN: z.string().min(1).optional(),
  REGISTRY_ITUNES_URL: upstream.default('https://itunes.apple.com'),
  REGISTRY_YOUTUBE_URL: upstream.default('https://www.youtube.com'),
  REGISTRY_VIMEO_URL: upstream.default('https://vimeo.com'),
  REGISTRY_WISTIA_URL: upstream.default('https://fast.wistia.com'),
  REGISTRY_RENDERER_URL: upstream.optional(),
  REGISTRY_MODEL_PROVIDER: z.enum(['openai', 'anthropic']).default('openai'),
  REGISTRY_MODEL_URL: upstream.optional(),
  REGISTRY_MODEL_KEY: z.string().min(1).optional(),
  REGISTRY_MODEL_NAME: z.string().min(1).optional(),
  REGISTRY_MODEL_DAILY_TOKENS: wholeNumber(1).optional(),
  REGISTRY_COVERAGE_COSINE: decimalNumber(0, 1).default(0.9),
  REGISTRY_MEDIA_STORE: z
    .string()
    .regex(/^(?![a-z][a-z0-9+.-]+:\/\/)/i, 'must be a directory')
    .optional(),
  REGISTRY_EGRESS_ALLOW: hosts.default([]),
  REGISTRY_EGRESS_DENY: hosts.default([]),
  REGISTRY_POLL_NORMAL_HOURS: pollHours.default(4),
  REGISTRY_POLL_LOW_HOURS: pollHours.default(24),
  REGISTRY_HOST_DELAY_MS: wholeNumber(0, 60_000).default(1000),
  REGISTRY_CACHE: z.enum(['on', 'off']).default('on'),
  REGISTRY_LOG_FORMAT: z.enum(['auto', 'json', 'pretty']).default('auto'),
  REGISTRY_REQUEST_LOG: flag.default('false'),
  REGISTRY_DRAIN_MS: wholeNumber(0, 8000).default(5000),
  REGISTRY_HSTS_SUBDOMAINS: flag.default('false'),
  REGISTRY_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

const environment = variables.refine((value) => value.REGISTRY_POLL_LOW_HOURS >= value.REGISTRY_POLL_NORMAL_HOURS, {
  path: ['REGISTRY_POLL_LOW_HOURS'],
  message: 'must be at least REGISTRY_POLL_NORMAL_HOURS',
});

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  databasePool: number;
  // How long a statement may take on a database server; 0: as long as it likes.
  databaseTimeoutMs: number;
  baseUrl: string;
  webUrl: string;
  name: string;
  siteName: string;
  // The name in the ids of feeds; null: the host that the service had at its first start.
  feedAuthority: string | null;
  contact: string | null;
  rootKey: string | null;
  // Current: null on a database server that was given none.
  secrets: { current: Uint8Array | null; previous: Uint8Array[] };
  signup: 'open' | 'closed';
  cookieDomain: string | null;
  // Client ids that may start a device login, besides the command line's own.
  deviceClients: string[];
  mail: { url: string; from: string } | null;
  social: { github: OAuthApp | null; google: OAuthApp | null };
  // Deliveries a minute to one subscription; 0: as many as there are.
  webhookRate: number;
  embedder:
    | { kind: 'local' | 'off' }
    | {
        kind: 'endpoint';
        url: string;
        key: string | null;
        name: string;
        queryPrefix: string;
        documentPrefix: string;
      };
  searchRankCap: number;
  rates: { public: number; account: number; token: number };
  metrics: { access: 'token' | 'public' | 'off'; token: string | null };
  // Who may have repositories looked up, and how many new sources a day that may make.
  lookups: { access: 'public' | 'write' | 'off'; daily: number };
  // Whether domains that were asked for in vain are probed at night.
  demandSweep: boolean;
  trustedOrigins: string[];
  trustedProxies: string[];
  // Where the services that sources live on are asked.
  upstream: {
    githubApiUrl: string;
    githubRawUrl: string;
    githubWebUrl: string;
    githubToken: string | null;
    itunesUrl: string;
    youtubeUrl: string;
    vimeoUrl: string;
    wistiaUrl: string;
    rendererUrl: string | null;
  };
  // How often sources of each priority are asked.
  pollHours: { normal: number; low: number };
  egress: { allow: string[]; deny: string[]; hostDelayMs: number };
  // Null: none is configured. Nothing but agent sources misses it.
  model: {
    provider: 'openai' | 'anthropic';
    url: string;
    key: string | null;
    name: string;
    dailyTokens: number | null;
  } | null;
  // How near two releases must be in meaning to be taken for one launch.
  coverageCosine: number;
  // The folder in which copies of images are kept; null: none are.
  mediaStore: string | null;
  cache: boolean;
  logLevel: string;
  logFormat: 'auto' | 'json' | 'pretty';
  // Every request at level info instead of debug.
  requestLog: boolean;
  // How long a stopping server still answers, so that load balancers notice.
  drainMs: number;
  // The promise of https also holds for hosts below this one.
  hstsSubdomains: boolean;
}

interface OAuthApp {
  id: string;
  secret: string;
}

// Everything that is wrong, each fault with the name of its variable in front.
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

type Values = Record<string, string | undefined>;

export function readConfig(env: Values): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = environment.safeParse(withSharedNames(present));
  const wrong = result.success ? [] : result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  const faults = [...wrong, ...missingPartners(present)];
  if (!result.success || faults.length > 0) throw new ConfigError(faults);
  const value = result.data;
  const baseUrl = value.REGISTRY_BASE_URL ?? `http://localhost:${value.REGISTRY_PORT}`;
  const webUrl = value.REGISTRY_WEB_URL ?? baseUrl;
  return {
    port: value.REGISTRY_PORT,
    host: value.REGISTRY_HOST,
    dataDir: value.REGISTRY_DATA_DIR,
    databaseUrl: value.REGISTRY_DATABASE_URL ?? null,
    databasePool: value.REGISTRY_DATABASE_POOL,
    databaseTimeoutMs: value.REGISTRY_DATABASE_TIMEOUT_MS,
    baseUrl,
    webUrl,
    name: value.REGISTRY_NAME ?? new URL(baseUrl).hostname,
    siteName: value.REGISTRY_SITE_NAME,
    feedAuthority: value.REGISTRY_FEED_AUTHORITY ?? null,
    contact: value.REGISTRY_CONTACT ?? null,
    rootKey: value.REGISTRY_ROOT_KEY ?? null,
    secrets: { current: value.REGISTRY_SECRET ?? null, previous: value.REGISTRY_SECRET_PREVIOUS },
    signup: value.REGISTRY_SIGNUP,
    cookieDomain: value.REGISTRY_COOKIE_DOMAIN ?? null,
    deviceClients: value.REGISTRY_DEVICE_CLIENTS,
    mail: value.REGISTRY_SMTP_URL
      ? { url: value.REGISTRY_SMTP_URL, from: value.REGISTRY_MAIL_FROM ?? `registry@${new URL(baseUrl).hostname}` }
      : null,
    social: {
      github: oauthApp(value.REGISTRY_GITHUB_ID, value.REGISTRY_GITHUB_SECRET),
      google: oauthApp(value.REGISTRY_GOOGLE_ID, value.REGISTRY_GOOGLE_SECRET),
    },
    webhookRate: value.REGISTRY_WEBHOOK_RATE,
    embedder: embedderOf(value),
    searchRankCap: value.REGISTRY_SEARCH_RANK_CAP,
    rates: {
      public: value.REGISTRY_RATE_PUBLIC,
      account: value.REGISTRY_RATE_ACCOUNT,
      token: value.REGISTRY_RATE_TOKEN,
    },
    metrics: { access: value.REGISTRY_METRICS, token: value.REGISTRY_METRICS_TOKEN ?? null },
    lookups: { access: value.REGISTRY_LOOKUPS, daily: value.REGISTRY_LOOKUP_DAILY },
    demandSweep: value.REGISTRY_DEMAND_SWEEP === 'true',
    trustedOrigins: [...new Set([baseUrl, webUrl, ...value.REGISTRY_TRUSTED_ORIGINS])],
    trustedProxies: value.REGISTRY_TRUSTED_PROXIES,
    upstream: {
      githubApiUrl: value.REGISTRY_GITHUB_API_URL,
      githubRawUrl: value.REGISTRY_GITHUB_RAW_URL,
      githubWebUrl: value.REGISTRY_GITHUB_WEB_URL,
      githubToken: value.REGISTRY_GITHUB_TOKEN ?? null,
      itunesUrl: value.REGISTRY_ITUNES_URL,
      youtubeUrl: value.REGISTRY_YOUTUBE_URL,
      vimeoUrl: value.REGISTRY_VIMEO_URL,
      wistiaUrl: value.REGISTRY_WISTIA_URL,
      rendererUrl: value.REGISTRY_RENDERER_URL ?? null,
    },
    model:
      value.REGISTRY_MODEL_URL && value.REGISTRY_MODEL_NAME
        ? {
            provider: value.REGISTRY_MODEL_PROVIDER,
            url: value.REGISTRY_MODEL_URL,
            key: value.REGISTRY_MODEL_KEY ?? null,
            name: value.REGISTRY_MODEL_NAME,
            dailyTokens: value.REGISTRY_MODEL_DAILY_TOKENS ?? null,
          }
        : null,
    pollHours: { normal: value.REGISTRY_POLL_NORMAL_HOURS, low: value.REGISTRY_POLL_LOW_HOURS },
    egress: {
      allow: value.REGISTRY_EGRESS_ALLOW,
      deny: value.REGISTRY_EGRESS_DENY,
      hostDelayMs: value.REGISTRY_HOST_DELAY_MS,
    },
    coverageCosine: value.REGISTRY_COVERAGE_COSINE,
    mediaStore: value.REGISTRY_MEDIA_STORE ?? null,
    cache: value.REGISTRY_CACHE === 'on',
    logLevel: value.REGISTRY_LOG_LEVEL,
    logFormat: value.REGISTRY_LOG_FORMAT,
    requestLog: value.REGISTRY_REQUEST_LOG === 'true',
    drainMs: value.REGISTRY_DRAIN_MS,
    hstsSubdomains: value.REGISTRY_HSTS_SUBDOMAINS === 'true',
  };
}

function oauthApp(id: string | undefined, secret: string | undefined): OAuthApp | null {
  return id && secret ? { id, secret } : null;
}

function embedderOf(value: z.output<typeof environment>): Config['embedder'] {
  const { REGISTRY_EMBEDDER: kind, REGISTRY_EMBED_URL: url, REGISTRY_EMBED_NAME: name } = value;
  if (kind !== 'endpoint' || !url || !name) return { kind: kind === 'endpoint' ? 'off' : kind };
  return {
    kind: 'endpoint',
    url,
    key: value.REGISTRY_EMBED_KEY ?? null,
    name,
    queryPrefix: value.REGISTRY_EMBED_QUERY_PREFIX,
    documentPrefix: value.REGISTRY_EMBED_DOCUMENT_PREFIX,
  };
}

// Variables that mean something together only: the first is useless without the second.
const PARTNERS: readonly [variable: string, partner: string][] = [
  ['REGISTRY_GITHUB_ID', 'REGISTRY_GITHUB_SECRET'],
  ['REGISTRY_GITHUB_SECRET', 'REGISTRY_GITHUB_ID'],
  ['REGISTRY_GOOGLE_ID', 'REGISTRY_GOOGLE_SECRET'],
  ['REGISTRY_GOOGLE_SECRET', 'REGISTRY_GOOGLE_ID'],
  ['REGISTRY_MODEL_URL', 'REGISTRY_MODEL_NAME'],
  ['REGISTRY_MODEL_NAME', 'REGISTRY_MODEL_URL'],
];

function missingPartners(present: Values): string[] {
  const alone = PARTNERS.filter(([variable, partner]) => present[variable] && !present[partner]);
  const endpoint = present.REGISTRY_EMBEDDER === 'endpoint' ? ['REGISTRY_EMBED_URL', 'REGISTRY_EMBED_NAME'] : [];
  return [
    ...alone.map(([variable, partner]) => `${variable}: needs ${partner} as well`),
    ...endpoint.filter((name) => !present[name]).map((name) => `REGISTRY_EMBEDDER: endpoint needs ${name} as well`),
  ];
}

// Names that other tools on the machine use for the same thing; the registry's own spelling counts more.
const SHARED_NAMES = ['GITHUB_TOKEN', 'GITHUB_API_URL'];

function withSharedNames(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const shared = SHARED_NAMES.flatMap((name) => (env[name] === undefined ? [] : [[`REGISTRY_${name}`, env[name]]]));
  return { ...Object.fromEntries(shared), ...env };
}
