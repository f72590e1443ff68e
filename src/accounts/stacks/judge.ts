// Answers about the packages of stacks: asked like any other question of their owner, and stored, so that a report of
// thousands of packages is read and not worked out.

import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { MAX_BATCH_ITEMS, type WhatsChangedBatch } from '../../contract/whats-changed.ts';
import { scopeOf } from '../../domain/published-package.ts';
import type { Asker } from '../../domain/readings/reading.ts';
import { packAnswer } from '../../domain/stacks/answer.ts';
import { ADMISSIONS_LOCK, type PackageViewer, packageViewer } from '../../entities/packages/viewer.ts';
import { toldAnswer } from '../../packages/told-answer.ts';
import { whatsChangedOfAll } from '../../packages/whats-changed/index.ts';
import { toJson } from '../../store/json-text.ts';
import type { StackPackageRow } from '../../store/schema/stacks.ts';

const LATEST = 'latest';
// Somebody has asked, and nothing was missing.
const NOTHING_READ = '';

export type AskedPackage = Pick<
  StackPackageRow,
  'stack_id' | 'ecosystem' | 'name' | 'version' | 'target' | 'judged_at' | 'told_target'
>;

export const ASKED_COLUMNS = [
  'stack_id',
  'ecosystem',
  'name',
  'version',
  'target',
  'judged_at',
  'told_target',
] as const satisfies readonly (keyof StackPackageRow)[];

// Asks about these packages in the name of `ctx.caller` and stores what is answered. Without an asker nothing is ordered.
export async function judgePackages(
  ctx: Context,
  packages: readonly AskedPackage[],
  asker: Asker | null = null,
): Promise<void> {
  for (let start = 0; start < packages.length; start += MAX_BATCH_ITEMS) {
    const part = packages.slice(start, start + MAX_BATCH_ITEMS);
    const items = part.map(({ ecosystem, name, version }) => {
      return { package: name, ecosystem, from: version, to: LATEST };
    });
    // What changes from here on may be in the answer or not.
    const at = now(ctx);
    const viewer = await scopeViewer(ctx, part);
    const answers = await whatsChangedOfAll(ctx, items, asker);
    await transact(ctx, (ctx) => store(ctx, part, { at, answers, viewer, asker }), 'bookkeeping');
  }
}

// Null where no package has a scope, so that none can be private.
async function scopeViewer(ctx: Context, asked: readonly AskedPackage[]): Promise<PackageViewer | null> {
  return asked.some((one) => scopeOf(one) !== null) ? packageViewer(ctx) : null;
}

interface Answered {
  at: string;
  answers: WhatsChangedBatch['items'];
  viewer: PackageViewer | null;
  asker: Asker | null;
}

async function store(
  ctx: WriteContext,
  asked: readonly AskedPackage[],
  { at, answers, viewer, asker }: Answered,
): Promise<void> {
  const ended = await endedAdmissions(ctx, viewer);
  for (const [slot, row] of asked.entries()) {
    if (ended.has(scopeOf(row) ?? '')) continue;
    const { ecosystem, name, version: from } = row;
    const found = toldAnswer({ ecosystem, name, from, to: LATEST }, answers[slot]);
    await ctx.tx
      .updateTable('stack_packages')
      .set({
        target: found.target,
        judgement: found.answer.judgement,
        security: found.answer.security ? 1 : 0,
        answer: toJson(packAnswer(found.answer)),
        judged_at: at,
        // Who asks in the background orders nothing, and leaves what somebody else has ordered.
        ...(asker !== null && { reading_id: found.readingId ?? NOTHING_READ, refused_until: found.refusedUntil }),
        ...(found.target !== row.target && { target_at: found.publishedAt }),
        // What was the newest at the first look is no news, unless the package stood here before in another version.
        ...(row.judged_at === null && { seen_target: found.target, told_target: row.told_target ?? found.target }),
      })
      .where('stack_id', '=', row.stack_id)
      .where('ecosystem', '=', row.ecosystem)
      .where('name', '=', row.name)
      .where('version', '=', row.version)
      .execute();
  }
}

// What somebody was shown because of an admission that has ended meanwhile is not stored.
async function endedAdmissions(ctx: WriteContext, viewer: PackageViewer | null): Promise<ReadonlySet<string>> {
  if (viewer === null || viewer.private.size === viewer.hidden.size) return new Set();
  await ctx.store.dialect.lock(ctx.tx, ADMISSIONS_LOCK);
  return (await packageViewer(ctx)).hidden.difference(viewer.hidden);
}
