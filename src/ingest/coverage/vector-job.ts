// Coverage by vectors, after the new releases of a source were embedded. Releases that were announced meanwhile stay
// announced.

import { type Context, transact, type WriteContext } from '../../context.ts';
import type { Pair } from '../../domain/coverage/clusters.ts';
import { pairByVector, sharesWord } from '../../domain/coverage/pair-rules.ts';
import { findSource } from '../../entities/resolve.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { ClaimedJob } from '../queue/job.ts';
import { complete } from '../queue/lease.ts';
import { behind, type ProgressMark, readMark, storeMark } from '../state/progress.ts';
import { VECTOR_WORK } from './cover-releases.ts';
import { joinPairs } from './links.ts';
import { asCoverable, candidatesNear, nearest, rowsById, timelineOf } from './rows.ts';

const ROWS = 50;
// Without an embedder the job gives up, and the next release starts it again.
const LOOK_AGAIN_MS = 10 * 60_000;
const LOOKS = 36;

export async function runVectorCoverage(ctx: Context, job: ClaimedJob): Promise<void> {
  const { lease, sourceId, payload } = job;
  const looks = (payload.looks ?? 0) + 1;
  const sourceInOrg = sourceId === null ? null : await findSource(ctx, { src: sourceId });
  await transact(
    ctx,
    async (ctx) => {
      const mark = sourceInOrg ? await readMark(ctx.tx, sourceInOrg.source.id, VECTOR_WORK) : null;
      if (!sourceInOrg?.visible || sourceInOrg.org === null || mark === null) return complete(ctx, lease, null);
      const { left, waits } = await coverByVector(ctx, { source: sourceInOrg.source, org: sourceInOrg.org, mark });
      if (!left || (waits && looks >= LOOKS)) return complete(ctx, lease, null);
      const dueAt = new Date(ctx.clock().getTime() + (waits ? LOOK_AGAIN_MS : 0)).toISOString();
      await complete(ctx, lease, { dueAt, payload: waits ? { looks } : {} });
    },
    'derived',
  );
}

interface Looked {
  // Releases behind the mark remain.
  left: boolean;
  // The next of them has no vector yet.
  waits: boolean;
}

async function coverByVector(
  ctx: WriteContext,
  { source, org, mark }: { source: SourceRow; org: OrgRow; mark: ProgressMark },
): Promise<Looked> {
  const rows = await ctx.tx
    .selectFrom('releases')
    .select(['id', 'seq', 'updated_at', 'embedded_at'])
    .where('source_id', '=', source.id)
    .where('listing', '=', 2)
    .where('published_at', 'is not', null)
    .where('published_at', '<=', ctx.clock().toISOString())
    .where(behind(mark))
    .orderBy('updated_at')
    .orderBy('seq')
    .limit(ROWS + 1)
    .execute();
  const vectors = createVectors(ctx);
  const looked: typeof rows = [];
  for (const row of rows.slice(0, ROWS)) {
    // A release that was embedded without a vector will not get one.
    if (row.embedded_at === null && (await vectors(row.id)) === null) break;
    looked.push(row);
  }
  const ids = looked.map(({ id }) => id);
  await joinPairs(ctx, await findPairs(ctx, { source, org, ids, vectors }));
  const last = looked.at(-1);
  if (last) await storeMark(ctx, source.id, { [VECTOR_WORK]: { at: last.updated_at, seq: last.seq } });
  return { left: looked.length < rows.length, waits: looked.length < Math.min(rows.length, ROWS) };
}

type Vectors = (id: string) => Promise<Float32Array | null>;

interface Search {
  source: SourceRow;
  org: OrgRow;
  ids: readonly string[];
  vectors: Vectors;
}

async function findPairs(ctx: WriteContext, { source, org, ids, vectors }: Search): Promise<Pair[]> {
  const fresh = await rowsById(ctx, ids);
  const near = await candidatesNear(ctx, { org: org.id, exceptSource: source.id }, fresh);
  const timeline = timelineOf(await asCoverable(ctx, near));
  const pairs: Pair[] = [];
  for (const a of await asCoverable(ctx, fresh)) {
    for (const b of nearest(a, timeline)) {
      if (!sharesWord(a, b, org.name)) continue;
      const [one, other] = [await vectors(a.id), await vectors(b.id)];
      if (one === null || other === null) continue;
      const facts = { cosine: dot(one, other), least: ctx.config.coverageCosine, orgName: org.name };
      const pairing = pairByVector(a, b, facts);
      if (pairing) pairs.push({ a, b, ...pairing });
    }
  }
  return pairs;
}

// Vectors are cached for the run. Stored vectors have length one, so their product is the cosine.
function createVectors(ctx: WriteContext): Vectors {
  const known = new Map<string, Float32Array | null>();
  return async (id) => {
    const seen = known.get(id);
    if (seen !== undefined) return seen;
    const stored = await ctx.ports.vectors.stored(ctx, { kind: 'release', ref: id });
    const vector = 'vector' in stored ? stored.vector : null;
    known.set(id, vector);
    return vector;
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
