// Releases of one launch in several sources of an org: pairs by rule, joined to clusters.
import type { WriteContext } from '../../context.ts';
import type { Pair } from '../../domain/coverage/clusters.ts';
import { pairReleases } from '../../domain/coverage/pair-rules.ts';
import type { CoverableRelease } from '../../domain/coverage/release.ts';
import { bodyLinks } from './body-links.ts';
import { candidatesNear, nearest, timelineOf } from './candidates.ts';
import { joinPairs } from './join-pairs.ts';
import { asCoverable, type LightRow } from './rows.ts';

const MAX_BODIES = 20;
const MAX_BODIES_IN_BATCH = 200;

interface CoveredOrg {
  id: string;
  name: string;
}

export async function coverInOrg(
  ctx: WriteContext,
  { org, sourceId, fresh }: { org: CoveredOrg; sourceId: string; fresh: readonly LightRow[] },
): Promise<void> {
  const candidates = await candidatesNear(ctx, { org: org.id, exceptSource: sourceId }, fresh);
  if (candidates.length === 0) return;
  await joinPairs(ctx, await findPairs(ctx, org, await asCoverable(ctx, fresh), candidates));
}

async function findPairs(
  ctx: WriteContext,
  org: CoveredOrg,
  fresh: readonly CoverableRelease[],
  candidates: readonly CoverableRelease[],
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
