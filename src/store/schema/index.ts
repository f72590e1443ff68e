// The tables of the database, by subject: each file holds row types with the closed sets and JSON shapes of their columns.
// Booleans are 0/1, timestamps ISO text in UTC, JSON is text; the same on both engines.
import type { Kysely, Transaction } from 'kysely';
import type { AccountTables } from './accounts.ts';
import type { AdvisoryTables } from './advisories.ts';
import type { DigestTables } from './digest.ts';
import type { EvidenceTables } from './evidence.ts';
import type { InsightTables } from './insight.ts';
import type { JobTables } from './jobs.ts';
import type { OAuthTables } from './oauth.ts';
import type { OperationTables } from './operation.ts';
import type { OrgTables } from './orgs.ts';
import type { PackageTables } from './packages.ts';
import type { ReadingTables } from './readings.ts';
import type { ReleaseTables } from './releases.ts';
import type { ReportTables } from './reports.ts';
import type { RepositoryTables } from './repositories.ts';
import type { SearchTables } from './search.ts';
import type { ShownUpgradeTables } from './shown-upgrades.ts';
import type { SourceTables } from './sources.ts';
import type { StackTables } from './stacks.ts';
import type { TaxonomyTables } from './taxonomy.ts';
import type { WebhookTables } from './webhooks.ts';

export type Queries = Kysely<Schema>;
export type Tx = Transaction<Schema>;

export interface Schema
  extends AccountTables,
    AdvisoryTables,
    DigestTables,
    EvidenceTables,
    InsightTables,
    JobTables,
    OAuthTables,
    OperationTables,
    OrgTables,
    PackageTables,
    ReadingTables,
    ReleaseTables,
    ReportTables,
    RepositoryTables,
    SearchTables,
    ShownUpgradeTables,
    SourceTables,
    StackTables,
    TaxonomyTables,
    WebhookTables {}
