// Row types of running the registry: settings, limits, logs, block lists and what visitors send in.
import type { BlockType } from '../../contract/blocklist.ts';
import type { FeedbackType, RecommendationType, TriageStatus } from '../../contract/feedback.ts';
import type { JsonText } from '../json-text.ts';

export interface OperationTables {
  ignored_urls: IgnoredUrlRow;
  blocked_urls: BlockedUrlRow;
  usage_log: UsageLogRow;
  audit_log: AuditLogRow;
  feedback: FeedbackRow;
  recommendations: RecommendationRow;
  settings: SettingRow;
  limits: LimitRow;
  counters: CounterRow;
  idempotency: IdempotencyRow;
  schema_migrations: MigrationRow;
}

export interface BlockedUrlRow {
  id: string;
  pattern: string;
  pattern_key: string;
  type: BlockType;
  reason: string | null;
  created_at: string;
}

export interface IgnoredUrlRow {
  id: string;
  org_id: string;
  url: string;
  url_key: string;
  reason: string | null;
  ignored_at: string;
}

interface UsageLogRow {
  id: string;
  operation: string;
  model: string;
  input_tokens: number;
  output_tokens: number;
  source_id: string | null;
  release_count: number | null;
  created_at: string;
}

interface AuditLogRow {
  id: string;
  actor: string;
  action: string;
  target_type: string;
  target_id: string;
  before: JsonText<unknown> | null;
  after: JsonText<unknown> | null;
  created_at: string;
}

export interface FeedbackRow {
  id: string;
  type: FeedbackType;
  message: string;
  contact: string | null;
  surface: string | null;
  client_version: string | null;
  os: string | null;
  status: TriageStatus;
  archived_at: string | null;
  created_at: string;
}

export interface RecommendationRow {
  id: string;
  type: RecommendationType;
  url: string;
  url_key: string;
  note: string | null;
  contact_email: string | null;
  status: TriageStatus;
  archived_at: string | null;
  created_at: string;
}

export interface SettingRow {
  key: string;
  // JSON, but for the name of the worker that embeds.
  value: string;
  updated_at: string;
}

interface LimitRow {
  key: string;
  count: number;
  window_ends_at: string;
}

interface CounterRow {
  name: string;
  value: number;
}

export interface IdempotencyRow {
  caller_key: string;
  key: string;
  fingerprint: string;
  state: string;
  status: number | null;
  body: string | null;
  location: string | null;
  created_at: string;
  expires_at: string;
}

interface MigrationRow {
  number: number;
  name: string;
  applied_at: string;
}
