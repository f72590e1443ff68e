// How sure an update bot may be of one update, from stored results alone.

import { type Context, queries } from '../../context.ts';
import type { Confidence } from '../../contract/bots.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import { ecosystemOfDatasource, isComparedEcosystem } from '../../domain/ecosystems/index.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { findPackage, type KnownPackage } from '../details/known-package.ts';
import { enqueueWholeRanges } from '../evidence/enqueue-pairs.ts';
import { readRanges } from '../evidence/evidence-of-ranges.ts';
import { whatsChanged } from '../whats-changed/index.ts';

interface AskedUpdate {
  datasource: string;
  package: string;
  from: string;
  to: string;
}

const SETTLED_MS = 3 * 86_400_000;

// A private package is neutral for everybody: bots share their answers. Only a caller with a key orders a comparison.
export async function mergeConfidence(called: Context, asked: AskedUpdate): Promise<Confidence> {
  const ctx = { ...called, caller: { ...ANONYMOUS, passive: true as const } };
  const datasource = ecosystemOfDatasource(asked.datasource);
  const known = datasource && (await findPackage(ctx, { ecosystem: datasource, name: asked.package }));
  if (known === null) return 'neutral';
  const { ecosystem, name } = known;
  const question = { package: name, ecosystem, from: asked.from, to: asked.to };
  const answer = await whatsChanged(ctx, question).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  });
  if (called.caller.kind !== 'anonymous') await enqueueNewest(called, known, asked);
  if (answer?.judgement === 'breaks') return 'low';
  return answer?.judgement === 'no_sign' && (await isSettled(ctx, known, asked.to)) ? 'high' : 'neutral';
}

// A bot asks for every version between the installed one and the newest; only the step to the newest is worth a download.
async function enqueueNewest(
  ctx: Context,
  { ecosystem, name, state }: KnownPackage,
  asked: AskedUpdate,
): Promise<void> {
  if (!isComparedEcosystem(ecosystem) || !ctx.config.evidence.on || !state || asked.to !== state.latest) return;
  const ranges = await readRanges(ctx, [{ ecosystem, name, from: asked.from, to: asked.to }]);
  await enqueueWholeRanges(ctx, ranges).catch((err) => ctx.log.warn({ err }, 'a comparison could not be ordered'));
}

// Published for some days, and neither withdrawn nor deprecated.
async function isSettled(ctx: Context, { ecosystem, name }: KnownPackage, to: string): Promise<boolean> {
  const { key } = readBound(to);
  if (key === null) return false;
  const rows = await queries(ctx)
    .selectFrom('package_versions')
    .select(['published_at', 'withdrawn', 'deprecated'])
    .where('ecosystem', '=', ecosystem)
    .where('name', '=', name)
    .where('version_sort', '=', key)
    .execute();
  const latest = new Date(ctx.clock().getTime() - SETTLED_MS).toISOString();
  return (
    rows.length > 0 &&
    rows.every(
      ({ published_at, withdrawn, deprecated }) =>
        published_at !== null && published_at <= latest && withdrawn === 0 && deprecated === null,
    )
  );
}
