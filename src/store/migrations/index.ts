import { catalog } from './001-catalog.ts';
import { releases } from './002-releases.ts';
import { curation } from './003-curation.ts';
import { operation } from './004-operation.ts';
import { ingest } from './005-ingest.ts';
import { search } from './006-search.ts';
import { vectors } from './007-vectors.ts';
import { accounts } from './008-accounts.ts';
import { webhooks } from './009-webhooks.ts';
import { following } from './010-following.ts';
import { insight } from './011-insight.ts';
import { texts } from './012-texts.ts';
import { repositories } from './013-repositories.ts';
import { walking } from './014-walking.ts';
import { hashedSecrets } from './015-hashed-secrets.ts';
import { parserVersion } from './016-parser-version.ts';
import { derivations } from './017-derivations.ts';
import { history } from './018-history.ts';
import { chunkWords } from './019-chunk-words.ts';
import { orderTime } from './020-order-time.ts';
import { vectorTexts } from './021-vector-texts.ts';
import { facets } from './022-facets.ts';
import { dayTotals } from './023-day-totals.ts';
import { sourceMemory } from './024-source-memory.ts';
import { dataChanges } from './025-data-changes.ts';
import { registryTotals } from './026-registry-totals.ts';
import { claimLocation } from './028-claim-location.ts';
import { rootFingerprint } from './029-root-fingerprint.ts';
import { feedVersion } from './030-feed-version.ts';
import { addressChanges } from './031-address-changes.ts';
import { suppressedBy } from './032-suppressed-by.ts';
import { holds } from './033-holds.ts';
import { knownDevices } from './034-known-devices.ts';
import { publishedVersions } from './035-published-versions.ts';
import { homeLists } from './036-home-lists.ts';
import { evidence } from './037-evidence.ts';
import { meaning } from './038-meaning.ts';
import { stacks } from './039-stacks.ts';
import { digest } from './040-digest.ts';
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [
  catalog,
  releases,
  curation,
  operation,
  ingest,
  search,
  vectors,
  accounts,
  webhooks,
  following,
  insight,
  texts,
  repositories,
  walking,
  hashedSecrets,
  parserVersion,
  derivations,
  history,
  chunkWords,
  orderTime,
  vectorTexts,
  facets,
  dayTotals,
  sourceMemory,
  dataChanges,
  registryTotals,
  claimLocation,
  rootFingerprint,
  feedVersion,
  addressChanges,
  suppressedBy,
  holds,
  knownDevices,
  publishedVersions,
  homeLists,
  evidence,
  meaning,
  stacks,
  digest,
];
