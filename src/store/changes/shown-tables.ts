// Which cached answers a statement can change, decided by the table and the columns that it writes. Every table is
// listed: a new one does not compile until its entry says where its rows are shown.
import type { Schema } from '../schema/index.ts';
import type { PackageStateRow } from '../schema/packages.ts';
import type { SourceRow } from '../schema/sources.ts';

// nothing: no cached answer shows it.
// lists: answers over the whole registry, such as search, latest releases and figures.
// source: those too, and all answers about the sources whose ids, or whose releases' ids, are among the values of the
//   statement, about their products and their orgs. A statement must not change rows of a source that it does not name.
// owner: the same for the orgs and products whose ids are among the values.
// everything: names, addresses, owners and visibility show in answers about other entities as well.
type WriteEffect = 'nothing' | 'lists' | 'source' | 'owner' | 'everything';

// An update of only the named columns has this effect; any other statement has the general one.
interface ColumnRule {
  columns: Readonly<Record<string, WriteEffect>>;
  otherwise: WriteEffect;
}

// Tables of the full-text indexes, which only the engines know.
type FullTextTableName = 'release_fts' | 'chunk_fts' | 'release_search' | 'chunk_search';

// The outcomes and results of a source's runs: shown with the source, its product and its org.
const RUN_STATE = [
  'fetch_priority',
  'last_fetched_at',
  'last_polled_at',
  'change_detected_at',
  'next_fetch_after',
  'last_looked_up_at',
  'last_content_hash',
  'last_outcome',
  'failing_since',
  'releases_written_at',
  'listing_completed_at',
  'consecutive_no_change',
  'consecutive_errors',
  'median_gap_days',
  'last_retiered_at',
  'stars',
  'stars_fetched_at',
  'archived',
  'is_fork',
  'github_id',
  'feed_url',
  'feed_type',
  'extra',
  'embedded_at',
  'updated_at',
] as const satisfies (keyof SourceRow)[];

// When a package was read and will be read again, which only operators see.
const READING_STATE = [
  'listed_at',
  'checked_at',
  'validators',
  'next_read_at',
  'wanted_at',
] as const satisfies (keyof PackageStateRow)[];

const SHOWN_TABLES: Readonly<Record<keyof Schema | FullTextTableName, WriteEffect | ColumnRule>> = {
  // Entities and their labels.
  orgs: { columns: { release_count: 'owner', source_count: 'owner' }, otherwise: 'everything' },
  org_accounts: 'everything',
  products: 'everything',
  domain_aliases: 'everything',
  tags: 'everything',
  org_tags: 'everything',
  product_tags: 'everything',
  categories: 'everything',
  collections: 'everything',
  collection_members: 'everything',
  release_locations: 'everything',
  ignored_urls: 'everything',
  blocked_urls: 'everything',
  // The site notice is one of the settings.
  settings: 'everything',

  // Sources, their releases and what is derived from these.
  sources: { columns: Object.fromEntries(RUN_STATE.map((column) => [column, 'source'])), otherwise: 'everything' },
  // Only filters of webhooks and personal feeds ask for a proof.
  releases: { columns: { proven: 'nothing' }, otherwise: 'source' },
  release_revisions: 'source',
  release_coverage: 'source',
  release_days: 'source',
  source_figures: 'source',
  summaries: 'source',
  changelog_files: 'source',
  packages: 'source',
  package_versions: 'lists',
  package_states: {
    columns: Object.fromEntries(READING_STATE.map((column) => [column, 'nothing'])),
    otherwise: 'lists',
  },
  // What a private registry has is hidden from most callers.
  package_registries: 'everything',
  package_admissions: 'everything',
  private_scopes: 'everything',
  pages: 'owner',
  // Written together with their page.
  page_citations: 'nothing',

  // Search and lookups.
  release_fts: 'lists',
  chunk_fts: 'lists',
  release_search: 'lists',
  chunk_search: 'lists',
  changelog_chunks: 'lists',
  entity_names: 'lists',
  search_words: 'lists',
  vectors: 'lists',
  former_coordinates: 'lists',
  guide_notes: 'lists',
  fetch_log: 'lists',
  events: 'lists',

  // State of the ingest.
  source_validators: 'nothing',
  source_memory: 'nothing',
  source_holds: 'nothing',
  deleted_releases: 'nothing',
  pending_releases: 'nothing',
  coverage_denials: 'nothing',
  summary_passes: 'nothing',
  refinements: 'nothing',
  derivations: 'nothing',
  package_claims: 'nothing',
  jobs: 'nothing',
  hosts: 'nothing',
  lookups: 'nothing',
  domain_demand: 'nothing',
  // An answer that waits for a comparison is not cached, and others may lack one for a minute.
  evidence_pairs: 'nothing',
  evidence_orders: 'nothing',
  readings: 'nothing',
  // Rows of a set that is not current show nowhere; which one is current shows in every answer on a package.
  advisories: 'nothing',
  advisory_sets: 'everything',
  shown_upgrades: { columns: { asked: 'nothing', basis: 'nothing', judged_at: 'nothing' }, otherwise: 'lists' },
  starter_packages: 'lists',
  reports: 'nothing',
  report_packages: 'nothing',
  evidence_days: 'nothing',
  evidence_ahead: 'nothing',

  // Operation, accounts and webhooks, which no public answer shows.
  search_log: 'nothing',
  usage_log: 'nothing',
  audit_log: 'nothing',
  feedback: 'nothing',
  recommendations: 'nothing',
  api_tokens: 'nothing',
  limits: 'nothing',
  counters: 'nothing',
  idempotency: 'nothing',
  schema_migrations: 'everything',
  users: 'nothing',
  sessions: 'nothing',
  identities: 'nothing',
  verifications: 'nothing',
  api_keys: 'nothing',
  jwks: 'nothing',
  device_codes: 'nothing',
  oauth_clients: 'nothing',
  oauth_resources: 'nothing',
  oauth_client_resources: 'nothing',
  oauth_refresh_tokens: 'nothing',
  oauth_access_tokens: 'nothing',
  oauth_consents: 'nothing',
  oauth_revoked_grants: 'nothing',
  operator_sessions: 'nothing',
  follows: 'nothing',
  feed_tokens: 'nothing',
  address_changes: 'nothing',
  known_devices: 'nothing',
  stacks: 'nothing',
  stack_packages: 'nothing',
  stack_feeds: 'nothing',
  stack_marks: 'nothing',
  digest_settings: 'nothing',
  digest_mails: 'nothing',
  webhook_subscriptions: 'nothing',
  webhook_deliveries: 'nothing',
  webhook_attempts: 'nothing',
  reclassifications: 'nothing',
};

interface StatementEffect {
  effect: WriteEffect;
  isInsert: boolean;
}

const READS = /^\s*(?:select|values|pragma|explain|show|set|begin|commit|rollback|savepoint|release)\b/i;
const WRITES = /^\s*(insert(?:\s+or\s+\w+)?\s+into|update|delete\s+from)\s+"?(\w+)"?/i;
// The assignments of an update, up to what follows them.
const ASSIGNMENTS = /\sset\s([\s\S]*?)(?:\sfrom\s|\swhere\s|\sreturning\s|$)/i;
const ASSIGNED = /"?(\w+)"?\s*=/g;

const NOTHING: StatementEffect = { effect: 'nothing', isInsert: false };
const EVERYTHING: StatementEffect = { effect: 'everything', isInsert: false };

const known = new Map<string, StatementEffect>();
const MAX_KNOWN = 2000;

// Statements repeat, so each text is analysed once.
export function effectOf(sql: string): StatementEffect {
  let effect = known.get(sql);
  if (effect === undefined) {
    effect = readEffect(sql);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(sql, effect);
  }
  return effect;
}

function readEffect(sql: string): StatementEffect {
  if (READS.test(sql)) return NOTHING;
  const [, verb = '', table = ''] = WRITES.exec(sql) ?? [];
  if (!isListed(table)) return EVERYTHING;
  const rule = SHOWN_TABLES[table];
  const isInsert = /^insert/i.test(verb);
  if (typeof rule === 'string') return { effect: rule, isInsert };
  return { effect: /^update/i.test(verb) ? updateEffect(sql, rule) : rule.otherwise, isInsert };
}

function isListed(table: string): table is keyof typeof SHOWN_TABLES {
  return Object.hasOwn(SHOWN_TABLES, table);
}

function updateEffect(sql: string, { columns, otherwise }: ColumnRule): WriteEffect {
  const [, assignments = ''] = ASSIGNMENTS.exec(sql) ?? [];
  const all = [...assignments.matchAll(ASSIGNED)].map(([, column = '']) => columns[column] ?? otherwise);
  const effects = all.filter((effect) => effect !== 'nothing');
  const [first = all[0] ?? otherwise] = effects;
  return effects.every((effect) => effect === first) ? first : 'everything';
}
