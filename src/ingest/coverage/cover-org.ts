// Releases of one launch in several sources of an org: pairs by rule, joined to clusters.
import type { WriteContext } from '../../context.ts';
import type { Pair } from '../../domain/coverage/clusters.ts';
import { pairReleases } from '../../domain/coverage/pair-rules.ts';
import type { CoverableRelease } from '../../domain/coverage/release.ts';
import { linksIn } from '../../domain/html/text.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import { candidatesNear, nearest, timelineOf } from './candidates.ts';
import { joinPairs } from './join-pairs.ts';
import { asCoverable, bodiesById, type LightRow, pages } from './rows.ts';

const MAX_BODIES = 20;
const MAX_BODIES_IN_BATCH = 200;

interface CoveredOrg {
  id: string;
  name: string;
}

// Returns whether links were written.
export async function coverInOrg(
  ctx: WriteContext,
  { org, sourceId, fresh }: { org: CoveredOrg; sourceId: string; fresh: readonly LightRow[] },
): Promise<boolean> {
  const candidates = await candidatesNear(ctx, { org: org.id, exceptSource: sourceId }, fresh);
  if (candidates.length === 0) return false;
  return joinPairs(ctx, await findPairs(ctx, org, { fresh: await asCoverable(ctx, fresh), candidates }));
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

const NONE: ReadonlySet<string> = new Set();

// `read` are the releases whose bodies are looked into; `among` those that a link could join them with.
async function bodyLinks(
  ctx: WriteContext,
  { orgId, read, among }: { orgId: string; read: readonly string[]; among: readonly CoverableRelease[] },
): Promise<(id: string) => ReadonlySet<string>> {
  const wanted = new Set(among.flatMap(({ url }) => url ?? []));
  const linked = new Map<string, string[]>();
  for (const [id, content] of await bodiesById(ctx, read)) {
    const addresses = linksIn(content).flatMap((url) => normalizeUrl(url) ?? []);
    // Other bodies are read only when one links to a release in question.
    if (addresses.some((address) => wanted.has(address))) linked.set(id, addresses);
  }
  const releases = await releasesAt(ctx, orgId, [...new Set([...linked.values()].flat())]);
  const targets = new Map<string, ReadonlySet<string>>();
  for (const [id, addresses] of linked) {
    const others = addresses.flatMap((address) => releases.get(address) ?? []).filter((other) => other !== id);
    targets.set(id, new Set(others));
  }
  return (id) => targets.get(id) ?? NONE;
}

// Looked up by identity key, which the index holds for every source.
async function releasesAt(
  ctx: WriteContext,
  orgId: string,
  addresses: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (addresses.length === 0) return found;
  const sources = await ctx.tx.selectFrom('sources').select('id').where('org_id', '=', orgId).execute();
  for (const part of pages(addresses)) {
    const rows = await ctx.tx
      .selectFrom('releases')
      .select(['id', 'identity_key'])
      .where(
        'source_id',
        'in',
        sources.map(({ id }) => id),
      )
      .where(
        'identity_key',
        'in',
        part.map((address) => `u:${address}`),
      )
      .execute();
    for (const { id, identity_key } of rows) {
      const address = identity_key.slice(2);
      found.set(address, [...(found.get(address) ?? []), id]);
    }
  }
  return found;
}
