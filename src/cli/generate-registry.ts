// A large generated registry for benchmarks, written through the usual write path.

import { type Context, transact } from '../context.ts';
import { ApiError } from '../contract/errors.ts';
import { createOrg } from '../entities/orgs/create.ts';
import { resolveSource } from '../entities/resolve.ts';
import { createSource } from '../entities/sources/create.ts';
import { draftFromInput } from '../releases/write/write-batch.ts';
import { writeDrafts } from '../releases/write/write-drafts.ts';
import { fillWords } from '../search/lexical/fill-words.ts';
import { bulkOrgs, bulkReleases } from './generate-rows.ts';

interface GenerateOptions {
  releases: number;
  seed?: number;
  onProgress?: (done: number) => void;
}

const RELEASES_PER_ORG = 500;
const MAX_ORGS = 2000;
const MIN_ORGS = 50;
const BATCH = 500;

export async function generateRegistry(
  ctx: Context,
  { releases, seed = 1, onProgress }: GenerateOptions,
): Promise<void> {
  await refuseFilled(ctx);
  const orgs = bulkOrgs(Math.min(MAX_ORGS, Math.max(MIN_ORGS, Math.round(releases / RELEASES_PER_ORG))), seed);
  const sourceCount = orgs.reduce((total, org) => total + org.sources.length, 0);
  let done = 0;
  let started = 0;
  for (const { sources, ...org } of orgs) {
    const ids = await transact(
      ctx,
      async (ctx) => {
        const { id: orgId } = await createOrg(ctx, org);
        const made = [];
        for (const { index, ...source } of sources)
          made.push(await createSource(ctx, { ...source, orgId, fetchPriority: 'paused' }));
        return made.map((source) => source.id);
      },
      'derived',
    );
    for (const [position, source] of sources.entries()) {
      // Shares are rounded so that they add up to the requested number.
      const share =
        Math.round(((started + 1) * releases) / sourceCount) - Math.round((started * releases) / sourceCount);
      started += 1;
      const rows = bulkReleases({ sourceIndex: source.index, count: share, seed, now: ctx.clock() });
      for (let start = 0; start < rows.length; start += BATCH) {
        const batch = rows.slice(start, start + BATCH);
        await writeBatch(ctx, ids[position] ?? '', batch);
        done += batch.length;
        onProgress?.(done);
      }
    }
  }
  await fillSearchWords(ctx);
}

// A worker usually fills the prefix table of the search, and a registry for benchmarks has none.
async function fillSearchWords(ctx: Context): Promise<void> {
  while (await fillWords(ctx));
}

type BulkRow = ReturnType<typeof bulkReleases>[number];

async function writeBatch(ctx: Context, sourceId: string, rows: readonly BulkRow[]): Promise<void> {
  await transact(
    ctx,
    async (ctx) => {
      const sourceInOrg = await resolveSource(ctx, { src: sourceId });
      const drafts = rows.map(({ fetchedAt, ...row }) => ({ ...draftFromInput(row), firstSeenAt: fetchedAt }));
      await writeDrafts(ctx, { sourceInOrg, drafts, writtenBy: 'import' });
    },
    'derived',
  );
}

async function refuseFilled(ctx: Context): Promise<void> {
  const org = await ctx.store.read.selectFrom('orgs').select('id').limit(1).executeTakeFirst();
  if (org) throw new ApiError('conflict', 'the registry is not empty', { reason: 'not_empty' });
}
