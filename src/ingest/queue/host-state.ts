// Computes when a host may start its next job, from two narrow indexes: the first waiting job of each level, and the running
// ones.

import { availableParallelism } from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Queries } from '../../store/schema/index.ts';
import type { HostRow } from '../../store/schema/jobs.ts';
import { NO_HOST } from '../adapters/contract.ts';
import { LIST_HOST } from './job.ts';
import { LEVELS } from './kinds.ts';

export interface LevelHead {
  id: string;
  priority: number;
  due_at: string;
}

interface HostState {
  heads: LevelHead[];
  // Ends of running leases, the earliest first.
  leases: string[];
}

export async function readHost(tx: Queries, host: string, at: string): Promise<HostState> {
  const state = await readJobs(tx, host);
  if (!state.leases.some((end) => end <= at)) return state;
  await freeLostJobs(tx, host, at);
  return readJobs(tx, host);
}

async function readJobs(tx: Queries, host: string): Promise<HostState> {
  const { rows } = await jobsOfHost(host).execute(tx);
  const state: HostState = { heads: [], leases: [] };
  for (const { priority, job } of rows) {
    if (job === null) continue;
    const [time = '', id = ''] = job.split(' ');
    if (priority === RUNNING) state.leases.push(time);
    else state.heads.push({ id, priority, due_at: time });
  }
  state.leases.sort();
  return state;
}

// Below every level.
const RUNNING = -1;

// The oldest waiting job of each level, and the leases; a level costs one step into the index, however many jobs wait.
export function jobsOfHost(host: string): RawBuilder<{ priority: number; job: string | null }> {
  const levels = sql.join(LEVELS.map((level) => sql`(${sql.lit(level)})`));
  // Two values are packed into one: a join by id would let the planner read the whole table.
  return sql`
    SELECT level.column1 AS priority, (
      SELECT h.due_at || ' ' || h.id FROM jobs h
      WHERE h.host = ${host} AND h.priority = level.column1 AND h.lease_until IS NULL
      ORDER BY h.due_at, h.id LIMIT 1) AS job
    FROM (VALUES ${levels}) AS level
    UNION ALL
    SELECT ${sql.lit(RUNNING)}, r.lease_until FROM jobs r WHERE r.host = ${host} AND r.lease_until IS NOT NULL`;
}

// Frees jobs whose workers died. Their attempts stay counted.
async function freeLostJobs(tx: Queries, host: string, at: string): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ lease_until: null })
    .where('host', '=', host)
    .where('lease_until', '<=', at)
    .execute();
}

export function hasFreeSlot(host: string, { leases }: HostState): boolean {
  return leases.length < slotsOf(host);
}

// Null when no job waits and no running lease could expire.
export function readyAt(row: Pick<HostRow, 'host' | 'next_request_at'>, state: HostState): string | null {
  const { heads, leases } = state;
  if (!hasFreeSlot(row.host, state)) return leases[0] ?? null;
  const [earliest] = [...heads.map((head) => head.due_at), ...leases].sort();
  return earliest === undefined ? null : later(earliest, row.next_request_at);
}

export function later(one: string, other: string | null): string {
  return other !== null && other > one ? other : one;
}

// A row lock on the host, which everything that changes its jobs takes first.
export async function lockHost(tx: Queries, host: string): Promise<HostRow> {
  return tx
    .insertInto('hosts')
    .values({ host, claims: 0 })
    .onConflict((conflict) => conflict.column('host').doUpdateSet((eb) => ({ claims: eb.ref('hosts.claims') })))
    .returningAll()
    .executeTakeFirstOrThrow();
}

// Called after a slot or a job became free. A host that waits for its turn stays at its position.
export async function refreshHost(tx: Queries, row: HostRow, at: string): Promise<void> {
  const next = readyAt(row, await readHost(tx, row.host, at));
  const waitsAlready = row.ready_at !== null && row.ready_at <= at && next !== null && next <= at;
  if (waitsAlready) return;
  await tx
    .updateTable('hosts')
    .set({ ready_at: next === null ? null : later(next, at) })
    .where('host', '=', row.host)
    .execute();
}

const JOBS_PER_HOST = 2;
const LOCAL_JOBS_PER_CORE = 4;
// The app store allows about twenty requests a minute.
const STORE_DELAYS = 3;

// Limits per host: few jobs at once, and a pause between their starts.
export function slotsOf(host: string): number {
  return host === NO_HOST ? LOCAL_JOBS_PER_CORE * availableParallelism() : JOBS_PER_HOST;
}

// Hosts whose quota headers say how often they may be called.
export function budgetedHosts(upstream: Config['upstream']): Set<string> {
  const { githubApiUrl, githubRawUrl, githubWebUrl, itunesUrl } = upstream;
  return new Set([githubApiUrl, githubRawUrl, githubWebUrl, itunesUrl].map((url) => new URL(url).host));
}

// From the start of one job to the start of the next.
export function startDelayMs({ upstream, egress }: Config, host: string, crawlDelayMs: number | null): number {
  if (host === NO_HOST || host === LIST_HOST) return 0;
  const github = [upstream.githubApiUrl, upstream.githubRawUrl, upstream.githubWebUrl];
  if (github.some((url) => new URL(url).host === host)) return 0;
  if (new URL(upstream.itunesUrl).host === host) return STORE_DELAYS * egress.hostDelayMs;
  return Math.max(egress.hostDelayMs, crawlDelayMs ?? 0);
}
