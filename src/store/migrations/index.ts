// All migrations in their order. Each is loaded when it is applied, because most starts have none to apply.
import type { Migration } from './migration.ts';

interface ListedMigration {
  number: number;
  name: string;
  load(): Promise<Migration>;
}

export const MIGRATIONS: readonly ListedMigration[] = [
  { number: 1, name: 'catalog', load: async () => (await import('./001-catalog.ts')).catalog },
  { number: 2, name: 'releases', load: async () => (await import('./002-releases.ts')).releases },
  { number: 3, name: 'curation', load: async () => (await import('./003-curation.ts')).curation },
  { number: 4, name: 'operation', load: async () => (await import('./004-operation.ts')).operation },
  { number: 5, name: 'ingest', load: async () => (await import('./005-ingest.ts')).ingest },
  { number: 6, name: 'search', load: async () => (await import('./006-search.ts')).search },
  { number: 7, name: 'vectors', load: async () => (await import('./007-vectors.ts')).vectors },
  { number: 8, name: 'accounts', load: async () => (await import('./008-accounts.ts')).accounts },
  { number: 9, name: 'webhooks', load: async () => (await import('./009-webhooks.ts')).webhooks },
  { number: 10, name: 'following', load: async () => (await import('./010-following.ts')).following },
  { number: 11, name: 'insight', load: async () => (await import('./011-insight.ts')).insight },
  { number: 12, name: 'texts', load: async () => (await import('./012-texts.ts')).texts },
  { number: 13, name: 'repositories', load: async () => (await import('./013-repositories.ts')).repositories },
  { number: 14, name: 'walking', load: async () => (await import('./014-walking.ts')).walking },
  { number: 15, name: 'hashed-secrets', load: async () => (await import('./015-hashed-secrets.ts')).hashedSecrets },
  { number: 16, name: 'parser-version', load: async () => (await import('./016-parser-version.ts')).parserVersion },
  { number: 17, name: 'derivations', load: async () => (await import('./017-derivations.ts')).derivations },
  { number: 18, name: 'history', load: async () => (await import('./018-history.ts')).history },
  { number: 19, name: 'chunk-words', load: async () => (await import('./019-chunk-words.ts')).chunkWords },
  { number: 20, name: 'order-time', load: async () => (await import('./020-order-time.ts')).orderTime },
  { number: 21, name: 'vector-texts', load: async () => (await import('./021-vector-texts.ts')).vectorTexts },
  { number: 22, name: 'facets', load: async () => (await import('./022-facets.ts')).facets },
  { number: 23, name: 'day-totals', load: async () => (await import('./023-day-totals.ts')).dayTotals },
  { number: 24, name: 'source-memory', load: async () => (await import('./024-source-memory.ts')).sourceMemory },
  { number: 25, name: 'data-changes', load: async () => (await import('./025-data-changes.ts')).dataChanges },
  { number: 26, name: 'registry-totals', load: async () => (await import('./026-registry-totals.ts')).registryTotals },
  { number: 28, name: 'claim-location', load: async () => (await import('./028-claim-location.ts')).claimLocation },
  {
    number: 29,
    name: 'root-fingerprint',
    load: async () => (await import('./029-root-fingerprint.ts')).rootFingerprint,
  },
  { number: 30, name: 'feed-version', load: async () => (await import('./030-feed-version.ts')).feedVersion },
  { number: 31, name: 'address-changes', load: async () => (await import('./031-address-changes.ts')).addressChanges },
  { number: 32, name: 'suppressed-by', load: async () => (await import('./032-suppressed-by.ts')).suppressedBy },
  { number: 33, name: 'holds', load: async () => (await import('./033-holds.ts')).holds },
  { number: 34, name: 'known-devices', load: async () => (await import('./034-known-devices.ts')).knownDevices },
  {
    number: 35,
    name: 'published-versions',
    load: async () => (await import('./035-published-versions.ts')).publishedVersions,
  },
  { number: 36, name: 'home-lists', load: async () => (await import('./036-home-lists.ts')).homeLists },
  { number: 37, name: 'evidence', load: async () => (await import('./037-evidence.ts')).evidence },
  { number: 38, name: 'meaning', load: async () => (await import('./038-meaning.ts')).meaning },
  { number: 39, name: 'stacks', load: async () => (await import('./039-stacks.ts')).stacks },
  { number: 40, name: 'digest', load: async () => (await import('./040-digest.ts')).digest },
  { number: 41, name: 'newest-hits', load: async () => (await import('./041-newest-hits.ts')).newestHits },
  { number: 42, name: 'upgrade-steps', load: async () => (await import('./042-upgrade-steps.ts')).upgradeSteps },
  { number: 43, name: 'private-scopes', load: async () => (await import('./043-private-scopes.ts')).privateScopes },
  { number: 44, name: 'current-stacks', load: async () => (await import('./044-current-stacks.ts')).currentStacks },
  { number: 45, name: 'by-version', load: async () => (await import('./045-by-version.ts')).byVersion },
  { number: 46, name: 'dist-tags', load: async () => (await import('./046-dist-tags.ts')).distTags },
  { number: 47, name: 'readings', load: async () => (await import('./047-readings.ts')).readings },
  { number: 60, name: 'advisories', load: async () => (await import('./060-advisories.ts')).advisories },
];
