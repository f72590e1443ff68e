// Orders the step to the newest version of every tracked package before anybody asks.

import { sql } from 'kysely';
import { type Context, transact } from '../../context.ts';
import { COMPARED_ECOSYSTEMS, type Ecosystem } from '../../domain/ecosystems/index.ts';
import { enqueueAhead } from '../../packages/evidence/enqueue-pairs.ts';

const BATCH = 200;

interface NewestVersion {
  id: string;
  ecosystem: Ecosystem;
  name: string;
  latest: string;
  before: string | null;
  published_at: string | null;
}

// Returns how many packages were looked at.
export async function enqueueNewestSteps(ctx: Context, signal?: AbortSignal): Promise<number> {
  let seen = 0;
  for (const ecosystem of COMPARED_ECOSYSTEMS) seen += await enqueueStepsOf(ctx, ecosystem, signal);
  return seen;
}

async function enqueueStepsOf(ctx: Context, ecosystem: Ecosystem, signal?: AbortSignal): Promise<number> {
  let seen = 0;
  while (ctx.config.evidence.on && !signal?.aborted) {
    const rows = await newestVersions(ctx, ecosystem);
    if (rows.length === 0) break;
    const taken = await transact(ctx, (ctx) => enqueueAhead(ctx, rows), 'bookkeeping');
    seen += taken;
    if (taken < rows.length) break;
  }
  return seen;
}

// Packages whose newest version is another one than when they were looked at last, with the stable version before it.
async function newestVersions(ctx: Context, ecosystem: Ecosystem): Promise<NewestVersion[]> {
  const { rows } = await sql<NewestVersion>`SELECT s.id, s.ecosystem, s.name, s.latest, v.published_at, (
      SELECT b.version FROM package_versions b
      WHERE b.ecosystem = ${sql.lit(ecosystem)} AND b.name = s.name AND b.version_sort < v.version_sort AND b.withdrawn = 0
        AND b.integrity IS NOT NULL AND b.version NOT LIKE '%-%'
      ORDER BY b.version_sort DESC LIMIT 1) AS before
    FROM package_states s
    JOIN package_versions v ON v.ecosystem = ${sql.lit(ecosystem)} AND v.name = s.name AND v.version = s.latest
    LEFT JOIN evidence_ahead a ON a.package_id = s.id
    WHERE s.ecosystem = ${sql.lit(ecosystem)} AND s.next_read_at IS NOT NULL AND (a.latest IS NULL OR a.latest <> s.latest)
      AND v.integrity IS NOT NULL AND v.tarball_url IS NOT NULL
      AND EXISTS (SELECT 1 FROM packages m WHERE m.ecosystem = ${sql.lit(ecosystem)} AND m.name = s.name)
    ORDER BY s.id LIMIT ${sql.lit(BATCH)}`.execute(ctx.store.read);
  return rows;
}
