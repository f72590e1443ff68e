// When a host may start its next job. Read from two narrow indexes: the first waiting job of each level, and the few
// that run.
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../store/schema/index.ts';
import type { HostRow } from '../../store/schema/jobs.ts';
import { LEVELS } from './kinds.ts';
import { slotsOf } from './politeness.ts';

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
  await freeLostJobs(tx, host, at);
  const heads = await levelHeads(host).execute(tx);
  const leases = await tx
    .selectFrom('jobs')
    .select('lease_until')
    .where('host', '=', host)
    .where('lease_until', 'is not', null)
    .orderBy('lease_until')
    .execute();
  return { heads: readHeads(heads.rows), leases: leases.flatMap((row) => row.lease_until ?? []) };
}

// The oldest waiting job of each level; a level costs one step into the index, however many jobs wait.
export function levelHeads(host: string): RawBuilder<{ priority: number; head: string | null }> {
  const levels = sql.join(LEVELS.map((level) => sql`(${sql.lit(level)})`));
  // Two values in one: a join by id would let a planner read the whole table.
  return sql`
    SELECT level.column1 AS priority, (
      SELECT h.due_at || ' ' || h.id FROM jobs h
      WHERE h.host = ${host} AND h.priority = level.column1 AND h.lease_until IS NULL
      ORDER BY h.due_at, h.id LIMIT 1) AS head
    FROM (VALUES ${levels}) AS level`;
}

function readHeads(rows: readonly { priority: number; head: string | null }[]): LevelHead[] {
  return rows.flatMap(({ priority, head }) => {
    const [dueAt, id] = head?.split(' ') ?? [];
    return dueAt && id ? [{ id, priority, due_at: dueAt }] : [];
  });
}

// Their workers died. The attempts stay counted.
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

// Null when nothing waits and nothing runs whose lease could end.
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

// After a place or a job came free. A host that waits for its turn keeps its turn.
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
