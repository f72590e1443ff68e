import type { Migration } from './migration.ts';

// The queue. Jobs that wait and jobs that run stand in indexes of their own, so that a claim reads neither past the
// other; a host row says when its next job may start, so that no claim looks at a host with nothing to do.
export const ingest: Migration = {
  up({ types: { text, int } }) {
    return [
      `CREATE TABLE jobs (
        id ${text} PRIMARY KEY, key ${text} NOT NULL UNIQUE, kind ${text} NOT NULL,
        source_id ${text} REFERENCES sources (id) ON DELETE CASCADE, host ${text} NOT NULL,
        payload ${text} NOT NULL, priority ${int} NOT NULL, due_at ${text} NOT NULL, basis ${text},
        lease_until ${text}, leased_at ${text}, lease_token ${int} NOT NULL DEFAULT 0,
        attempts ${int} NOT NULL DEFAULT 0, again_at ${text}, last_error ${text}, created_at ${text} NOT NULL)`,
      'CREATE INDEX jobs_waiting ON jobs (host, priority, due_at, id) WHERE lease_until IS NULL',
      'CREATE INDEX jobs_leased ON jobs (host, lease_until) WHERE lease_until IS NOT NULL',
      'CREATE INDEX jobs_by_source ON jobs (source_id)',
      `CREATE TABLE hosts (
        host ${text} PRIMARY KEY, ready_at ${text}, next_request_at ${text}, claims ${int} NOT NULL DEFAULT 0,
        claimed_at ${text}, crawl_delay_ms ${int}, budget ${text},
        robots_origin ${text}, robots_text ${text}, robots_until ${int})`,
      'CREATE INDEX hosts_ready ON hosts (ready_at, claims, host) WHERE ready_at IS NOT NULL',
      // All that the scheduler compares, so that its pass reads no other column of a source.
      `CREATE INDEX sources_polled
        ON sources (id, org_id, fetch_priority, last_polled_at, next_fetch_after, is_hidden, discovery)
        WHERE deleted_at IS NULL`,
      `CREATE TABLE lookups (coordinate ${text} PRIMARY KEY, status ${text} NOT NULL, expires_at ${text} NOT NULL)`,
      `CREATE TABLE domain_demand (
        domain ${text} PRIMARY KEY, first_at ${text} NOT NULL, last_at ${text} NOT NULL, hits ${int} NOT NULL,
        probed_at ${text})`,
      'CREATE INDEX domain_demand_by_hits ON domain_demand (hits)',
    ];
  },
};
