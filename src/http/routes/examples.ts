// Examples written by hand, where realistic values explain more than generated ones.
import { frame } from '../kernel/event-frame.ts';

const RELEASE_ID = 'rel_7QmZ4tKdXwRv2BnYc8LhA';
const SOURCE_ID = 'src_7QmZ4tKdXwRv2BnYc8LhA';
const ORG_ID = 'org_7QmZ4tKdXwRv2BnYc8LhA';
const EVENT_ID = 'evt_7QmZ4tKdXwRv2BnYc8LhA';
const PUBLISHED = '2026-03-04T09:30:00.000Z';

export const releaseBody = {
  version: 'v2.0.0',
  title: 'Acme CLI 2.0',
  content: '### Removed\n- The `--legacy` flag; use `--compat` instead.',
  url: 'https://github.com/acme/cli/releases/tag/v2.0.0',
  publishedAt: PUBLISHED,
};

export const comparedPackagesExample = {
  status: 'compared',
  from: '1.4.0',
  to: '2.0.0',
  types: 'own',
  findings: [
    {
      kind: 'export_removed',
      name: 'legacyMode',
      subpath: '.',
      certainty: 'proven',
      was: 'function',
      is: null,
      text: '`legacyMode` is no longer exported',
    },
  ],
  more: 0,
  counts: { proven: 1, likely: 0 },
  comparedAt: '2026-03-05T06:00:00.000Z',
};

export const whatsChangedExample = {
  status: 'resolved',
  package: 'acme-cli',
  ecosystem: null,
  from: '1.4.0',
  to: 'latest',
  fromVersion: 'v1.4.0',
  toVersion: 'v2.0.0',
  source: {
    sourceId: SOURCE_ID,
    sourceSlug: 'acme-cli',
    orgSlug: 'acme',
    name: 'Acme CLI',
    type: 'github',
    url: 'https://github.com/acme/cli',
    latestVersion: 'v2.0.0',
    lastFetchedAt: '2026-03-05T06:00:00.000Z',
  },
  matchedBy: 'slug',
  entries: [
    {
      id: RELEASE_ID,
      version: 'v2.0.0',
      publishedAt: PUBLISHED,
      title: 'Acme CLI 2.0',
      summary: 'The `--legacy` flag was removed; use `--compat` instead.',
      breaking: 'major',
      migrationNotes: 'Replace `--legacy` by `--compat`.',
      importance: 4,
      security: false,
      prerelease: false,
      composition: { bugs: 0, features: 0, enhancements: 1 },
      url: 'https://github.com/acme/cli/releases/tag/v2.0.0',
      webUrl: `http://localhost:8080/release/${RELEASE_ID}`,
    },
  ],
  count: 1,
  total: 1,
  summary: { breaking: { major: 1, minor: 0, none: 0, unknown: 0 }, firstBreaking: 'v2.0.0', unnoted: 0, security: 0 },
  worst: 'major',
  judgement: 'breaks',
  judgedBy: ['notes'],
  undocumented: false,
  steps: [
    {
      kind: 'rename',
      text: 'Replace `--legacy` by `--compat`.',
      versions: ['v2.0.0'],
      releaseIds: [RELEASE_ID],
      from: 'notes',
    },
  ],
  omittedPrereleases: 0,
  history: {
    lowest: 'v1.0.0',
    highest: 'v2.0.0',
    checkedAt: '2026-03-05T06:00:00.000Z',
    tracked: true,
    complete: true,
    published: 1,
    withoutNotes: [],
    withoutNotesCount: 0,
  },
  truncated: false,
};

export const whatsChangedBatchExample = {
  items: [
    { index: 0, ...whatsChangedExample },
    {
      index: 1,
      error: { code: 'bad_request', type: 'validation', message: 'from: is not a version or a range' },
    },
  ],
  truncated: false,
};

export const whatsChangedBatchBody = {
  items: [
    { package: 'acme-cli', from: '1.4.0', to: 'latest' },
    { package: 'left-pad', ecosystem: 'npm', from: '^1.2.0', to: '1.3.0' },
  ],
};

export const manifestExample = {
  version: 2,
  name: 'Acme',
  category: 'devops',
  products: [{ name: 'Acme CLI', slug: 'acme-cli', releases: [{ github: 'acme/cli', canonical: true }] }],
};

export const webhookBody = { url: 'https://hooks.acme.example/releases', scope: 'org', orgSlug: 'acme' };

export const webhookExample = {
  id: 'whk_7QmZ4tKdXwRv2BnYc8LhA',
  userId: null,
  scope: 'org',
  orgId: ORG_ID,
  orgSlug: 'acme',
  orgName: 'Acme',
  stackName: null,
  sourceId: null,
  sourceSlug: null,
  sourceName: null,
  productId: null,
  productSlug: null,
  productName: null,
  releaseType: null,
  excludePrereleases: false,
  minBreaking: 'major',
  minImportance: null,
  security: true,
  url: 'https://hooks.acme.example/releases',
  description: null,
  format: 'json',
  enabled: true,
  disabledReason: null,
  secretVersion: 1,
  previousKeyExpiresAt: null,
  createdAt: PUBLISHED,
  updatedAt: PUBLISHED,
  lastSuccessAt: null,
  lastErrorAt: null,
  lastErrorMsg: null,
  consecutiveFailures: 0,
  consecutiveLostEvents: 0,
  failureStreakStartedAt: null,
  deliveryHealth: 'healthy',
  deliveryHealthSummary: 'No deliveries yet.',
  signingKey: '5d41402abc4b2a76b9719d911017c592ae0f3e7c6a8d9b42b1c5e0d2a4f64f6f',
  standardSecret: 'whsec_XUFAKrxLKna5cZ2REBfFkq4PPnxqjZtCscXg0qT2T28=',
};

const event = { id: EVENT_ID, seq: 1042, type: 'release.created', release: { id: RELEASE_ID, version: 'v2.0.0' } };

export const streamExample = frame('ready', '{"seq":1041}') + frame('release.created', JSON.stringify(event), EVENT_ID);

const reading = {
  id: 'rdg_9vY1mJm3TgqkJ2xW7nQbXA',
  state: 'running',
  parts: [{ part: 'listing', state: 'running', text: 'Reading its versions from npm' }],
  startedAt: '2026-03-01T12:00:00.000Z',
  waitAhead: 0,
  ecosystem: 'npm',
  package: '@acme/cli',
  from: '1.0.0',
  to: 'latest',
  endedAt: null,
};

export const readingStreamExample = frame('reading', JSON.stringify(reading)) + frame('bye', '{"reason":"ended"}');
