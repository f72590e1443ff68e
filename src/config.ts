// Turns the environment into the configuration, once, at start. Everything that is wrong is reported at once.

import type { z } from 'zod';
import { ConfigError } from './config/error.ts';
import { variables } from './config/settings.ts';
import type { Ecosystem } from './domain/ecosystems/index.ts';

// Processor time of one comparison of two packages.
const COMPARISON_LIMIT_MS = 20_000;

const environment = variables.refine((value) => value.REGISTRY_POLL_LOW_HOURS >= value.REGISTRY_POLL_NORMAL_HOURS, {
  path: ['REGISTRY_POLL_LOW_HOURS'],
  message: 'must be at least REGISTRY_POLL_NORMAL_HOURS',
});

interface OAuthApp {
  id: string;
  secret: string;
}

type EnvironmentValues = Record<string, string | undefined>;

export function readConfig(env: EnvironmentValues): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = environment.safeParse(withSharedNames(present));
  const wrong = result.success ? [] : result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  const faults = [...wrong, ...missingPartners(present)];
  if (!result.success || faults.length > 0) throw new ConfigError(faults);
  return configOf(result.data);
}

export type Config = ReturnType<typeof configOf>;

// The configuration that the rest of the program gets: names without the prefix, in groups; absent settings are null.
function configOf(value: z.output<typeof environment>) {
  const baseUrl = value.REGISTRY_BASE_URL ?? `http://localhost:${value.REGISTRY_PORT}`;
  const webUrl = value.REGISTRY_WEB_URL ?? baseUrl;
  return {
    port: value.REGISTRY_PORT,
    host: value.REGISTRY_HOST,
    dataDir: value.REGISTRY_DATA_DIR,
    databaseUrl: value.REGISTRY_DATABASE_URL ?? null,
    // Where a session lasts; the same address unless that one leads to a pooler.
    databaseDirectUrl: value.REGISTRY_DATABASE_DIRECT_URL ?? value.REGISTRY_DATABASE_URL ?? null,
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
    pgvector: value.REGISTRY_PGVECTOR,
    searchRankCap: value.REGISTRY_SEARCH_RANK_CAP,
    rates: {
      public: value.REGISTRY_RATE_PUBLIC,
      account: value.REGISTRY_RATE_ACCOUNT,
      token: value.REGISTRY_RATE_TOKEN,
    },
    metrics: { access: value.REGISTRY_METRICS, token: value.REGISTRY_METRICS_TOKEN ?? null },
    lookups: { access: value.REGISTRY_LOOKUPS, daily: value.REGISTRY_LOOKUP_DAILY },
    ask: { access: value.REGISTRY_ASK, daily: value.REGISTRY_ASK_DAILY },
    starter: value.REGISTRY_STARTER === 'on',
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
    evidence: {
      on: value.REGISTRY_EVIDENCE === 'on',
      dailyMb: value.REGISTRY_EVIDENCE_DAILY_MB,
      limitMs: COMPARISON_LIMIT_MS,
    },
    packages: {
      // Of the public registry of each ecosystem.
      urls: { npm: value.REGISTRY_NPM_URL, pypi: value.REGISTRY_PYPI_URL } satisfies Record<Ecosystem, string>,
      registries: value.REGISTRY_PACKAGE_REGISTRIES,
      // Where a page tells how to check a project.
      checkCommand: value.REGISTRY_CLIENT_PACKAGE ? `npx ${value.REGISTRY_CLIENT_PACKAGE} check` : 'registry check',
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

type EmbedderConfig =
  | { kind: 'local' | 'off' }
  | { kind: 'endpoint'; url: string; key: string | null; name: string; queryPrefix: string; documentPrefix: string };

function embedderOf(value: z.output<typeof environment>): EmbedderConfig {
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

// Variables that need another variable.
const PARTNERS: readonly [variable: string, partner: string][] = [
  ['REGISTRY_DATABASE_DIRECT_URL', 'REGISTRY_DATABASE_URL'],
  ['REGISTRY_GITHUB_ID', 'REGISTRY_GITHUB_SECRET'],
  ['REGISTRY_GITHUB_SECRET', 'REGISTRY_GITHUB_ID'],
  ['REGISTRY_GOOGLE_ID', 'REGISTRY_GOOGLE_SECRET'],
  ['REGISTRY_GOOGLE_SECRET', 'REGISTRY_GOOGLE_ID'],
  ['REGISTRY_MODEL_URL', 'REGISTRY_MODEL_NAME'],
  ['REGISTRY_MODEL_NAME', 'REGISTRY_MODEL_URL'],
];

function missingPartners(present: EnvironmentValues): string[] {
  const alone = PARTNERS.filter(([variable, partner]) => present[variable] && !present[partner]);
  const endpoint = present.REGISTRY_EMBEDDER === 'endpoint' ? ['REGISTRY_EMBED_URL', 'REGISTRY_EMBED_NAME'] : [];
  return [
    ...alone.map(([variable, partner]) => `${variable}: needs ${partner} as well`),
    ...endpoint.filter((name) => !present[name]).map((name) => `REGISTRY_EMBEDDER: endpoint needs ${name} as well`),
  ];
}

// Variables that other tools also use; the registry's own variable with its prefix takes precedence.
const SHARED_NAMES = ['GITHUB_TOKEN', 'GITHUB_API_URL'];

function withSharedNames(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const shared = SHARED_NAMES.flatMap((name) => (env[name] === undefined ? [] : [[`REGISTRY_${name}`, env[name]]]));
  return { ...Object.fromEntries(shared), ...env };
}
