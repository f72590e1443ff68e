// Links new releases to releases of the same launch, in the transaction that inserts them. The rules are in
// `domain/coverage`; links that people have set are respected and never changed.
import type { WriteContext } from '../../context.ts';
import {
  type CascadeBody,
  type CascadeRelease,
  decideCascades,
  isCascading,
  readCascadeBody,
} from '../../domain/coverage/cascades.ts';
import type { Pair } from '../../domain/coverage/clusters.ts';
import { pairReleases } from '../../domain/coverage/pair-rules.ts';
import type { CoverableRelease } from '../../domain/coverage/release.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import { together } from '../../store/pipeline.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { enqueue } from '../queue/enqueue.ts';
import { firstMark, type ProgressMark, readMark, storeMark } from '../state/progress.ts';
import { BY_CASCADE, denialsAmong, isManual, joinPairs, linksAround, lockCoverage, writeLinks } from './links.ts';
import {
  asCoverable,
  bodiesById,
  bodyLinks,
  candidatesNear,
  type LightRow,
  nearest,
  rowsById,
  rowsNear,
  timelineOf,
} from './rows.ts';

type CoveredRow = LightRow & Pick<ReleaseRow, 'content'>;

interface CoveredSource {
  source: SourceRow;
  org: OrgRow | null;
  visible: boolean;
}

// Returns which of the given releases are now covered by another one: they are not announced.
export async function coverReleases(
  ctx: WriteContext,
  { source, org, visible }: CoveredSource,
  releases: readonly CoveredRow[],
): Promise<ReadonlySet<string>> {
  // A source without an org and without a repository has no releases to compare with.
  const alone = org === null && source.github_coordinate === null;
  if (!visible || alone || releases.length === 0) return new Set();
  const releaseIds = releases.map(({ id }) => id);
  // Read only after links were written.
  let rows: readonly LightRow[] = releases;
  const fresh = eligible(ctx, rows);
  if (fresh.length === 0) return new Set();
  const isRepository = source.github_coordinate !== null;
  if (isRepository && (await coverCascades(ctx, source.id, eligible(ctx, releases))))
    rows = await rowsById(ctx, releaseIds);
  const open = eligible(ctx, rows).filter(({ coverage_of }) => coverage_of === null);
  const compared = org !== null && open.length > 0 ? { org, sourceId: source.id, fresh: open } : null;
  const [isLinked, vectors] = await together([
    compared && coverInOrg(ctx, compared),
    org && readVectorCoverage(ctx, source, org),
  ]);
  if (isLinked) rows = await rowsById(ctx, releaseIds);
  const isOpen = rows.some(({ listing, coverage_of }) => listing === 2 && coverage_of === null);
  if (vectors && isOpen) await enqueueVectorCoverage(ctx, source, vectors);
  return new Set(rows.filter(({ coverage_of }) => coverage_of !== null).map(({ id }) => id));
}

// Releases with a future date are left out, so that they hide none that readers see.
function eligible<Row extends LightRow>(ctx: WriteContext, rows: readonly Row[]): Row[] {
  const present = ctx.clock().getTime();
  return rows.filter(
    ({ listing, published_at }) => listing > 0 && published_at !== null && Date.parse(published_at) <= present,
  );
}

// Cascades of one repository: new releases and their neighbours within a day.

const DAY_MS = 86_400_000;

// Returns whether links were written.
async function coverCascades(ctx: WriteContext, sourceId: string, fresh: readonly CoveredRow[]): Promise<boolean> {
  const times = fresh.flatMap(({ published_at }) => published_at ?? []);
  // Neighbours are read only when a body looks like one of a monorepo.
  const bodies = await readBodies(fresh.map(({ id, content }) => [id, content]));
  if (![...bodies.values()].some(isCascading)) return false;
  const rows = await rowsNear(ctx, { scope: { source: sourceId }, times, windowMs: DAY_MS });
  if (rows.length < 2) return false;

  await lockCoverage(ctx);
  const ids = rows.map(({ id }) => id);
  const missing = ids.filter((id) => !bodies.has(id));
  for (const [id, body] of await readBodies(await bodiesById(ctx, missing))) bodies.set(id, body);
  const releases = await withLinks(ctx, rows, bodies);
  const decisions = decideCascades(releases, await denialsAmong(ctx, ids));
  await writeLinks(ctx, decisions, BY_CASCADE);
  return decisions.length > 0;
}

async function readBodies(contents: Iterable<[id: string, content: string]>): Promise<Map<string, CascadeBody>> {
  const bodies = new Map<string, CascadeBody>();
  for (const [id, content] of contents) {
    await endLongTurn();
    bodies.set(id, readCascadeBody(content));
  }
  return bodies;
}

async function withLinks(
  ctx: WriteContext,
  rows: readonly LightRow[],
  bodies: ReadonlyMap<string, CascadeBody>,
): Promise<CascadeRelease[]> {
  const links = await linksAround(
    ctx,
    rows.map(({ id }) => id),
  );
  const byCovered = new Map(links.map((link) => [link.coverage_id, link]));
  const heads = new Set(links.map(({ canonical_id }) => canonical_id));
  const fixed = new Set(links.filter(isManual).map(({ canonical_id }) => canonical_id));
  return rows.map(({ id, version, published_at }) => {
    const link = byCovered.get(id);
    return {
      id,
      name: version === null ? null : versionIdentity(version),
      publishedAt: published_at ?? '',
      body: bodies.get(id) ?? readCascadeBody(''),
      coveredBy: link
        ? { canonicalId: link.canonical_id, reason: link.reason, isCascade: link.decided_by === BY_CASCADE }
        : null,
      isCanonical: heads.has(id),
      isFixed: fixed.has(id),
    };
  });
}

// Releases of one launch in several sources of an org: pairs by rule, joined to clusters.

const MAX_BODIES = 20;
const MAX_BODIES_IN_BATCH = 200;

interface CoveredOrg {
  id: string;
  name: string;
}

// Returns whether links were written.
async function coverInOrg(
  ctx: WriteContext,
  { org, sourceId, fresh }: { org: CoveredOrg; sourceId: string; fresh: readonly LightRow[] },
): Promise<boolean> {
  const near = await candidatesNear(ctx, { org: org.id, exceptSource: sourceId }, fresh);
  if (near.length === 0) return false;
  const own = new Set(fresh.map(({ id }) => id));
  const compared = await asCoverable(ctx, [...fresh, ...near]);
  const releases = {
    fresh: compared.filter(({ id }) => own.has(id)),
    candidates: compared.filter(({ id }) => !own.has(id)),
  };
  return joinPairs(ctx, await findPairs(ctx, org, releases));
}

async function findPairs(
  ctx: WriteContext,
  org: CoveredOrg,
  { fresh, candidates }: { fresh: readonly CoverableRelease[]; candidates: readonly CoverableRelease[] },
): Promise<Pair[]> {
  const timeline = timelineOf(candidates);
  const near = fresh.map((release) => ({ release, others: nearest(release, timeline) }));
  const bodies = new Set(near.flatMap(({ others }) => others.slice(0, MAX_BODIES).map(({ id }) => id)));
  const read = [...near.filter(({ others }) => others.length > 0).map(({ release }) => release.id)];
  const linksTo = await bodyLinks(ctx, {
    orgId: org.id,
    read: [...read, ...[...bodies].slice(0, MAX_BODIES_IN_BATCH)],
    among: [...fresh, ...candidates],
  });
  const facts = { orgName: org.name, linksTo };
  return near.flatMap(({ release, others }) =>
    others.flatMap((other) => {
      const pairing = pairReleases(release, other, facts);
      return pairing ? { a: release, b: other, ...pairing } : [];
    }),
  );
}

// Coverage by vectors is the work of a job (`vector-job.ts`), because the new releases have to be embedded first.

// The name under which is remembered how far the job has come.
export const VECTOR_WORK = 'coverage';
const MINUTE_MS = 60_000;
// The first look waits for embedding.
const FIRST_LOOK_MS = 2 * MINUTE_MS;

// Read early, along with others: whether the org has other sources to compare with, and where the last job has ended.
interface VectorCoverage {
  isComparable: boolean;
  mark: ProgressMark | null;
}

async function readVectorCoverage(ctx: WriteContext, source: SourceRow, org: OrgRow): Promise<VectorCoverage> {
  if (ctx.config.embedder.kind === 'off') return { isComparable: false, mark: null };
  const siblings = ctx.tx
    .selectFrom('sources')
    .select('id')
    .where('org_id', '=', org.id)
    .where('id', '!=', source.id)
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0)
    .limit(1);
  const [sibling, mark] = await together([siblings.executeTakeFirst(), readMark(ctx.tx, source.id, VECTOR_WORK)]);
  return { isComparable: sibling !== undefined, mark };
}

// Called in the transaction that inserted releases which no other rule has paired.
async function enqueueVectorCoverage(
  ctx: WriteContext,
  source: SourceRow,
  { isComparable, mark }: VectorCoverage,
): Promise<void> {
  if (!isComparable) return;
  const at = ctx.clock().getTime();
  const dueAt = new Date(at + FIRST_LOOK_MS).toISOString();
  await together([
    mark === null && storeMark(ctx, source.id, { [VECTOR_WORK]: firstMark(at - MINUTE_MS) }),
    enqueue(ctx, { key: `coverage:${source.id}`, kind: 'coverage', sourceId: source.id, dueAt }),
  ]);
}
