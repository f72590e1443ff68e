import type { Migration } from './migration.ts';

export const operation: Migration = {
  up({ types: { text, int } }) {
    return [
      `CREATE TABLE fetch_log (
        id ${text} PRIMARY KEY, source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
        trigger ${text} NOT NULL, status ${text} NOT NULL, error_category ${text}, error ${text},
        releases_found ${int} NOT NULL, releases_inserted ${int} NOT NULL, releases_updated ${int} NOT NULL,
        total_releases ${int} NOT NULL, duration_ms ${int}, http_status ${int}, requests ${int}, bytes ${int},
        created_at ${text} NOT NULL)`,
      'CREATE INDEX fetch_log_by_source ON fetch_log (source_id, created_at, id)',
      'CREATE INDEX fetch_log_by_time ON fetch_log (created_at, id)',
      'CREATE INDEX fetch_log_by_status ON fetch_log (status, created_at, id)',
      `CREATE TABLE usage_log (
        id ${text} PRIMARY KEY, operation ${text} NOT NULL, model ${text} NOT NULL, input_tokens ${int} NOT NULL,
        output_tokens ${int} NOT NULL, source_id ${text}, release_count ${int}, created_at ${text} NOT NULL)`,
      'CREATE INDEX usage_log_by_time ON usage_log (created_at)',
      `CREATE TABLE audit_log (
        id ${text} PRIMARY KEY, actor ${text} NOT NULL, action ${text} NOT NULL, target_type ${text} NOT NULL,
        target_id ${text} NOT NULL, before ${text}, after ${text}, created_at ${text} NOT NULL)`,
      'CREATE INDEX audit_log_by_time ON audit_log (created_at, id)',
      'CREATE INDEX audit_log_by_target ON audit_log (target_id, created_at)',
      `CREATE TABLE feedback (
        id ${text} PRIMARY KEY, type ${text} NOT NULL, message ${text} NOT NULL, contact ${text}, surface ${text},
        client_version ${text}, os ${text}, status ${text} NOT NULL, archived_at ${text}, created_at ${text} NOT NULL)`,
      'CREATE INDEX feedback_by_time ON feedback (created_at, id)',
      `CREATE TABLE recommendations (
        id ${text} PRIMARY KEY, type ${text} NOT NULL, url ${text} NOT NULL, url_key ${text} NOT NULL, note ${text},
        contact_email ${text}, status ${text} NOT NULL, archived_at ${text}, created_at ${text} NOT NULL)`,
      'CREATE INDEX recommendations_by_time ON recommendations (created_at, id)',
      'CREATE INDEX recommendations_by_url ON recommendations (url_key, created_at)',
      `CREATE TABLE api_tokens (
        id ${text} PRIMARY KEY, lookup_id ${text} NOT NULL UNIQUE, secret_hash ${text} NOT NULL, name ${text} NOT NULL,
        scopes ${text} NOT NULL, principal_type ${text} NOT NULL, principal_id ${text}, revoked_at ${text},
        expires_at ${text}, last_used_at ${text}, created_at ${text} NOT NULL, created_by ${text} NOT NULL)`,
      `CREATE TABLE events (
        id ${text} PRIMARY KEY, seq ${int} NOT NULL UNIQUE, ts ${int} NOT NULL, type ${text} NOT NULL,
        release_id ${text} NOT NULL UNIQUE, org_id ${text}, product_id ${text}, source_id ${text} NOT NULL,
        payload ${text} NOT NULL, fanned_out_at ${text})`,
      'CREATE INDEX events_waiting ON events (seq) WHERE fanned_out_at IS NULL',
      `CREATE TABLE limits (key ${text} PRIMARY KEY, count ${int} NOT NULL, window_ends_at ${text} NOT NULL)`,
      `CREATE TABLE idempotency (
        caller_key ${text} NOT NULL, key ${text} NOT NULL, fingerprint ${text} NOT NULL, state ${text} NOT NULL,
        status ${int}, body ${text}, location ${text}, created_at ${text} NOT NULL, expires_at ${text} NOT NULL,
        PRIMARY KEY (caller_key, key))`,
      'CREATE INDEX idempotency_by_expiry ON idempotency (expires_at)',
    ];
  },
};
