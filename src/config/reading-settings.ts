// Settings of outbound requests: sites that are fetched, embedders and models.
import { z } from 'zod';
import { decimalNumber, flag, hosts, setting, upstream, wholeNumber } from './fields.ts';

// A polling interval from six minutes to thirty days.
const pollHours = decimalNumber(0.1, 720);

export const reading = {
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
  REGISTRY_RENDERER_URL: setting('a service that renders pages that need a browser', upstream.optional()),
};

export const search = {
  REGISTRY_EMBEDDER: setting(
    'what turns text into vectors: `local`, `endpoint` or `off`',
    z.enum(['local', 'endpoint', 'off']).default('local'),
  ),
  REGISTRY_EMBED_URL: setting('OpenAI-compatible service for `REGISTRY_EMBEDDER=endpoint`', upstream.optional()),
  REGISTRY_EMBED_NAME: setting('model of that service', z.string().min(1).optional()),
  REGISTRY_EMBED_KEY: setting('key of that service', z.string().min(1).optional()),
  REGISTRY_EMBED_QUERY_PREFIX: setting('text put before each query', z.string().default('')),
  REGISTRY_EMBED_DOCUMENT_PREFIX: setting('text put before each document', z.string().default('')),
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
