// Row types of background work: jobs, the hosts they talk to, lookups on demand, and the log of fetches.
import type { FetchTrigger } from '../../contract/admin-logs.ts';
import type { FetchOutcome, FetchStatus } from '../../contract/enums.ts';
import type { JsonText } from '../json-text.ts';

export interface JobTables {
  fetch_log: FetchLogRow;
  jobs: JobRow;
  hosts: HostRow;
  lookups: LookupRow;
  domain_demand: DomainDemandRow;
}

// What a job was ordered with, and what it notes for its next run. Each kind has its own names; these are counted on.
export interface JobPayload {
  [name: string]: unknown;
  failures?: number;
  looks?: number;
}

// Work for the background. The host is '' for work that talks to nobody.
export interface JobRow {
  id: string;
  key: string;
  kind: string;
  source_id: string | null;
  host: string;
  payload: JsonText<JobPayload>;
  priority: number;
  due_at: string;
  // The inputs that `due_at` of a scheduled fetch was computed from; it is computed again when they differ.
  basis: string | null;
  // Set while a worker has the job, and left behind by one that died.
  lease_until: string | null;
  leased_at: string | null;
  lease_token: number;
  attempts: number;
  // Set when the job was requested again while it ran.
  again_at: string | null;
  last_error: string | null;
  created_at: string;
}

export interface HostRow {
  host: string;
  // When a job of this host may start; null when none waits.
  ready_at: string | null;
  next_request_at: string | null;
  claims: number;
  claimed_at: string | null;
  crawl_delay_ms: number | null;
  budget: string | null;
  // Why `next_request_at` is further ahead than the usual pause; null otherwise.
  wait_reason: string | null;
  robots_origin: string | null;
  robots_text: string | null;
  // Milliseconds of the clock.
  robots_until: number | null;
}

// Answers of lookups that are remembered for a while.
interface LookupRow {
  coordinate: string;
  status: 'not_found' | 'empty';
  expires_at: string;
}

interface DomainDemandRow {
  domain: string;
  first_at: string;
  last_at: string;
  hits: number;
  probed_at: string | null;
}

export interface FetchLogRow {
  id: string;
  source_id: string;
  trigger: FetchTrigger;
  status: FetchStatus;
  error_category: FetchOutcome | null;
  error: string | null;
  releases_found: number;
  releases_inserted: number;
  releases_updated: number;
  total_releases: number;
  duration_ms: number | null;
  http_status: number | null;
  requests: number | null;
  bytes: number | null;
  created_at: string;
}
