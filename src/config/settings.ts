// Every setting of the service, by section: its schema, its default and its meaning. `config.ts` reads the environment by
// this list; the texts of `docs/configuration.md` (by `tools/docs.ts`) and `registry help config` are made from it below.
import { z } from 'zod';
import {
  decimalNumber,
  flag,
  hosts,
  list,
  scopedRegistries,
  secret,
  setting,
  upstream,
  wholeNumber,
} from './fields.ts';
import { logs, server, storage } from './service-settings.ts';

// Settings of outbound requests: sites that are fetched, embedders and models.

// A polling interval from six minutes to thirty days.
const pollHours = decimalNumber(0.1, 720);

const reading = {
  REGISTRY_EGRESS_ALLOW: setting('private hosts or CIDRs that the service may reach', hosts.default([])),
  REGISTRY_EGRESS_DENY: setting('hosts or CIDRs that the service never reaches', hosts.default([])),
  REGISTRY_POLL_NORMAL_HOURS: setting(
    'how often sources of priority `normal` are asked, 0.1 to 720 hours',
    pollHours.default(4),
  ),
  REGISTRY_POLL_LOW_HOURS: setting('the same for priority `low`; at least that of `normal`', pollHours.default(24)),
  REGISTRY_HOST_DELAY_MS: setting(
    'pause between two requests to one host, in milliseconds',
    wholeNumber(0, 60_000).default(1000),
  ),
  REGISTRY_DEMAND_SWEEP: setting(
    '`true` looks at night for manifests of domains that were asked for in vain',
    flag.default('false'),
  ),
  REGISTRY_GITHUB_TOKEN: setting(
    'token that raises the budget of GitHub reads; `GITHUB_TOKEN` counts where it is absent',
    z.string().min(1).optional(),
  ),
  REGISTRY_GITHUB_API_URL: setting(
    'address of the GitHub API; `GITHUB_API_URL` counts where it is absent',
    upstream.default('https://api.github.com'),
  ),
  REGISTRY_GITHUB_RAW_URL: setting(
    'address of raw files on GitHub',
    upstream.default('https://raw.githubusercontent.com'),
  ),
  REGISTRY_GITHUB_WEB_URL: setting('address of the GitHub pages', upstream.default('https://github.com')),
  REGISTRY_ITUNES_URL: setting('address of the app store lookup', upstream.default('https://itunes.apple.com')),
  REGISTRY_YOUTUBE_URL: setting('address of YouTube', upstream.default('https://www.youtube.com')),
  REGISTRY_VIMEO_URL: setting('address of Vimeo', upstream.default('https://vimeo.com')),
  REGISTRY_WISTIA_URL: setting('address of Wistia', upstream.default('https://fast.wistia.com')),
  REGISTRY_NPM_URL: setting('address of the npm registry', upstream.default('https://registry.npmjs.org')),
  REGISTRY_PYPI_URL: setting('address of the Python package index', upstream.default('https://pypi.org')),
  REGISTRY_CLIENT_PACKAGE: setting(
    'npm name under which the client is published, if it is; pages then show `npx <name> check` instead of `registry check`',
    z
      .string()
      .regex(/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/, 'is no name of an npm package')
      .optional(),
  ),
  REGISTRY_PACKAGE_REGISTRIES: setting(
    'npm registries beside the public one, by scope: `@acme=https://npm.acme.example`; what they list is private, and one on a private address also needs `REGISTRY_EGRESS_ALLOW`',
    scopedRegistries.default(new Map()),
  ),
  REGISTRY_EVIDENCE: setting(
    '`on` or `off`: published packages are downloaded and compared, so that an answer shows what the package itself says',
    z.enum(['on', 'off']).default('on'),
  ),
  REGISTRY_EVIDENCE_DAILY_MB: setting(
    'megabytes of packages that may be downloaded per day to be compared',
    wholeNumber(0).default(2000),
  ),
  REGISTRY_RENDERER_URL: setting('a service that renders pages that need a browser', upstream.optional()),
};

const search = {
  REGISTRY_EMBEDDER: setting(
    'what turns text into vectors: `local`, `endpoint` or `off`',
    z.enum(['local', 'endpoint', 'off']).default('local'),
  ),
  REGISTRY_EMBED_URL: setting('OpenAI-compatible service for `REGISTRY_EMBEDDER=endpoint`', upstream.optional()),
  REGISTRY_EMBED_NAME: setting('model of that service', z.string().min(1).optional()),
  REGISTRY_EMBED_KEY: setting('key of that service', z.string().min(1).optional()),
  REGISTRY_EMBED_QUERY_PREFIX: setting('text put before each query', z.string().default('')),
  REGISTRY_EMBED_DOCUMENT_PREFIX: setting('text put before each document', z.string().default('')),
  REGISTRY_PGVECTOR: setting(
    '`auto` or `off`: the vector index is in PostgreSQL where the extension `vector` (0.7 or later) is installed or can be',
    z.enum(['auto', 'off']).default('auto'),
  ),
  REGISTRY_SEARCH_RANK_CAP: setting(
    'rows that PostgreSQL ranks for a common word, newest first',
    wholeNumber(1000, 1_000_000).default(20_000),
  ),
  REGISTRY_COVERAGE_COSINE: setting(
    'how near two releases must be in meaning to count as one launch, 0 to 1',
    decimalNumber(0, 1).default(0.9),
  ),
  REGISTRY_MODEL_URL: setting(
    'model service for agent sources and better words in summaries; one on a private address also needs `REGISTRY_EGRESS_ALLOW`',
    upstream.optional(),
  ),
  REGISTRY_MODEL_NAME: setting('model of that service', z.string().min(1).optional()),
  REGISTRY_MODEL_PROVIDER: setting(
    'protocol of that service: `openai` or `anthropic`',
    z.enum(['openai', 'anthropic']).default('openai'),
  ),
  REGISTRY_MODEL_KEY: setting('key of that service', z.string().min(1).optional()),
  REGISTRY_MODEL_DAILY_TOKENS: setting('tokens that may be spent per day', wholeNumber(1).optional(), 'no limit'),
};

// Settings of secrets and accounts, and what callers may do in a minute.

const quota = wholeNumber(0);

const accounts = {
  REGISTRY_ROOT_KEY: setting(
    "the operator's key, at least 32 characters",
    z.string().min(32, 'must have at least 32 characters').optional(),
    'on SQLite generated into `root.key` (mode 0600); on PostgreSQL none, and write routes stay closed',
  ),
  REGISTRY_SECRET: setting(
    'key behind everything encrypted or signed, at least 32 bytes as hex or base64',
    secret.optional(),
    'on SQLite generated into `service.secret` (mode 0600); on PostgreSQL none, and accounts and webhooks answer 503',
  ),
  REGISTRY_SECRET_PREVIOUS: setting(
    'earlier secrets, until `registry migrate --reencrypt` has run',
    list.pipe(z.array(secret)).default([]),
  ),
  REGISTRY_SIGNUP: setting('`open` or `closed` for new accounts', z.enum(['open', 'closed']).default('open')),
  REGISTRY_COOKIE_DOMAIN: setting('domain of the session cookie', z.string().min(1).optional(), 'the host alone'),
  REGISTRY_DEVICE_CLIENTS: setting('further client ids that may start a device login', list.default([])),
  REGISTRY_SMTP_URL: setting(
    '`smtp://` or `smtps://` server for verification and reset links',
    z.url({ protocol: /^smtps?$/ }).optional(),
    'no mail',
  ),
  REGISTRY_MAIL_FROM: setting(
    'sender of mails',
    z.string().min(3).optional(),
    '`registry@` and the host of the base URL',
  ),
  REGISTRY_GITHUB_ID: setting(
    'client id for sign-in with GitHub; needs its secret',
    z.string().min(1).optional(),
    'off',
  ),
  REGISTRY_GITHUB_SECRET: setting('client secret for sign-in with GitHub', z.string().min(1).optional(), 'off'),
  REGISTRY_GOOGLE_ID: setting(
    'client id for sign-in with Google; needs its secret',
    z.string().min(1).optional(),
    'off',
  ),
  REGISTRY_GOOGLE_SECRET: setting('client secret for sign-in with Google', z.string().min(1).optional(), 'off'),
};

const limits = {
  REGISTRY_RATE_PUBLIC: setting('reads per minute of an address, 0 for no limit', quota.default(120)),
  REGISTRY_RATE_ACCOUNT: setting('reads per minute of an account, 0 for no limit', quota.default(300)),
  REGISTRY_RATE_TOKEN: setting('reads per minute of a machine token, 0 for no limit', quota.default(600)),
  REGISTRY_WEBHOOK_RATE: setting('deliveries per minute to one subscription, 0 for no limit', quota.default(600)),
  REGISTRY_LOOKUPS: setting(
    'who may look up repositories on demand: `public`, `write` or `off`',
    z.enum(['public', 'write', 'off']).default('public'),
  ),
  REGISTRY_LOOKUP_DAILY: setting('new sources per day that lookups may make', quota.default(200)),
  REGISTRY_ASK: setting(
    'whose questions about packages have read what is missing: `on` for everybody, `accounts` or `off`',
    z.enum(['on', 'accounts', 'off']).default('on'),
  ),
  REGISTRY_STARTER: setting(
    '`on` or `off`: a registry that was filled by `serve --sample` then reads about 120 well-known packages, where their registries answer',
    z.enum(['on', 'off']).default('on'),
  ),
  REGISTRY_ASK_DAILY: setting('readings per day that questions may order', quota.default(20_000)),
};

interface SettingsSection {
  title: string;
  settings: Readonly<Record<string, z.ZodType>>;
}

const SECTIONS: readonly SettingsSection[] = [
  { title: 'Server', settings: server },
  { title: 'Storage', settings: storage },
  { title: 'Secrets and accounts', settings: accounts },
  { title: 'Limits', settings: limits },
  { title: 'Reading other sites', settings: reading },
  { title: 'Search and models', settings: search },
  { title: 'Logs and metrics', settings: logs },
];

export const variables = z.object({
  ...server,
  ...storage,
  ...accounts,
  ...limits,
  ...reading,
  ...search,
  ...logs,
});

export const INTRODUCTION = [
  'Everything is read from the environment once, at start; whatever is wrong is listed at once, by name. An empty value counts',
  'as absent. Lists are comma separated. Flags are `true` or `false`.',
];

interface DescribedSetting {
  name: string;
  meaning: string;
  // The default as markdown, with values in backticks.
  preset: string;
}

interface DescribedSection {
  title: string;
  settings: DescribedSetting[];
}

export function describedSections(): DescribedSection[] {
  return SECTIONS.map(({ title, settings }) => ({
    title,
    settings: Object.entries(settings).map(([name, schema]) => {
      const { description = '', absent = 'none' } = (schema.meta() ?? {}) as { description?: string; absent?: string };
      const preset: unknown = schema.safeParse(undefined).data;
      return { name, meaning: description, preset: presetText(preset, absent) };
    }),
  }));
}

function presetText(preset: unknown, absent: string): string {
  if (typeof preset !== 'string' && typeof preset !== 'number') return absent;
  return preset === '' ? 'empty' : `\`${preset}\``;
}

// The lines that `registry help config` prints.
export function configurationHelp(): string[] {
  const plain = (text: string) => text.replaceAll('`', '');
  const sections = describedSections().flatMap(({ title, settings }) => [
    '',
    `${title}:`,
    ...settings.flatMap(({ name, meaning, preset }) => [
      `  ${name}`,
      `      ${plain(meaning)}`,
      `      default: ${plain(preset)}`,
    ]),
  ]);
  return [...INTRODUCTION.map(plain), ...sections];
}
