import type { Migration } from './migration.ts';

// What comparisons of published packages show, which comparisons are wanted, and what was downloaded for them.
export const evidence: Migration = {
  up: ({ types: { text, int }, clustered }) => [
    `CREATE TABLE evidence_pairs (
      from_integrity ${text} NOT NULL, to_integrity ${text} NOT NULL, beside ${text} NOT NULL, rules ${int} NOT NULL,
      ecosystem ${text} NOT NULL, name ${text} NOT NULL, from_version ${text} NOT NULL, to_version ${text} NOT NULL,
      status ${text} NOT NULL, types ${text}, findings ${text} NOT NULL, more ${int} NOT NULL, proven ${int} NOT NULL,
      likely ${int} NOT NULL, beside_names ${text} NOT NULL, reason ${text}, bytes ${int} NOT NULL,
      compared_at ${text} NOT NULL, PRIMARY KEY (from_integrity, to_integrity, beside, rules))`,
    'CREATE INDEX evidence_pairs_by_package ON evidence_pairs (ecosystem, name, rules)',
    'CREATE INDEX evidence_pairs_by_time ON evidence_pairs (compared_at)',
    `CREATE TABLE evidence_orders (
      ecosystem ${text} NOT NULL, name ${text} NOT NULL, from_version ${text} NOT NULL, to_version ${text} NOT NULL,
      range_from ${text} NOT NULL, range_to ${text} NOT NULL, priority ${int} NOT NULL, published_at ${text} NOT NULL,
      payer ${text}, anonymous ${int} NOT NULL, ordered_at ${text} NOT NULL,
      attempts ${int} NOT NULL, due_at ${text} NOT NULL, last_error ${text},
      PRIMARY KEY (ecosystem, name, from_version, to_version))${clustered}`,
    'CREATE INDEX evidence_orders_next ON evidence_orders (priority, published_at)',
    `CREATE TABLE evidence_days (
      day ${text} PRIMARY KEY, bytes ${int} NOT NULL, anonymous_bytes ${int} NOT NULL, pairs ${int} NOT NULL)`,
    `CREATE TABLE evidence_ahead (package_id ${text} PRIMARY KEY, latest ${text} NOT NULL)${clustered}`,
  ],
};
