// Coverage by vectors, after the new releases of a source were embedded. Releases that were announced meanwhile stay
// announced.
import { findSource } from '../../catalog/resolve.ts';
import { type Context, transact, type WriteContext } from '../../context.ts';
import type { Pair } from '../../domain/coverage/clusters.ts';
import { pairByVector, sharesWord } from '../../domain/coverage/pair-rules.ts';
import { together } from '../../store/pipeline.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { ClaimedJob } from '../queue/job.ts';
import { complete } from '../queue/lease.ts';
import { behind, firstMark, type ProgressMark, readMark, storeMark } from '../state/progress.ts';
import { joinPairs } from './links.ts';
import { asCoverable, candidatesNear, nearest, rowsById, timelineOf } from './rows.ts';

const WORK = 'coverage';
const ROWS = 50;
const MINUTE_MS = 60_000;
// The first look waits for embedding. Without an embedder the job gives up, and the next release starts it again.
const FIRST_LOOK_MS = 2 * MINUTE_MS;
const LOOK_AGAIN_MS = 10 * MINUTE_MS;
const LOOKS = 36;

// Read early, along with others: whether the org has other sources to compare with, and where the last job has ended.
interface VectorCoverage {
  isComparable: boolean;
  mark: ProgressMark | null;
}

export async function readVectorCoverage(ctx: WriteContext, source: SourceRow, org: OrgRow): Promise<VectorCoverage> {
  if (ctx.config.embedder.kind === 'off') return { isComparable: false, mark: null };
  const siblings = ctx.tx
    .selectFrom('sources')
    .select('id')
    .where('org_id', '=', org.id)
    .where('id', '!=', source.id)
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0)
    .limit(1);
  const [sibling, mark] = await together([siblings.executeTakeFirst(), readMark(ctx.tx, source.id, WORK)]);
  return { isComparable: sibling !== undefined, mark };
}

// Called in the transaction that inserted releases which no other rule has paired.
export async function enqueueVectorCoverage(
  ctx: WriteContext,
  source: SourceRow,
  { isComparable, mark }: VectorCoverage,
): Promise<void> {
  if (!isComparable) return;
  const at = ctx.clock().getTime();
  const dueAt = new Date(at + FIRST_LOOK_MS).toISOString();
  await together([
    mark === null && storeMark(ctx, source.id, { [WORK]: firstMark(at - MINUTE_MS) }),
    enqueue(ctx, { key: `coverage:${source.id}`, kind: 'coverage', sourceId: source.id, dueAt }),
  ]);
}

export async function runVectorCoverage(ctx: Context, job: ClaimedJob): Promise<void> {
  const { lease, sourceId, payload } = job;
  const looks = (payload.looks ?? 0) + 1;
  const sourceInOrg = sourceId === null ? null : await findSource(ctx, { src: sourceId });
  await transact(
    ctx,
    async (ctx) => {
      const mark = sourceInOrg ? await readMark(ctx.tx, sourceInOrg.source.id, WORK) : null;
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
  if (last) await storeMark(ctx, source.id, { [WORK]: { at: last.updated_at, seq: last.seq } });
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
