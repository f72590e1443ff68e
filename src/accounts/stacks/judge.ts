// Answers about the packages of stacks: asked like any other question of their owner, and stored, so that a report of
// thousands of packages is read and not worked out.
import { ADMISSIONS_LOCK, type PackageViewer, packageViewer } from '../../catalog/packages/viewer.ts';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { MAX_BATCH_ITEMS, type WhatsChanged, type WhatsChangedBatch } from '../../contract/whats-changed.ts';
import { scopeOf } from '../../domain/published-package.ts';
import { packAnswer, type StackAnswer, unknownAnswer } from '../../domain/stacks/answer.ts';
import type { PackageChange } from '../../domain/upgrade/lockfiles/changed-packages.ts';
import { answeredRow } from '../../domain/upgrade/report/answer.ts';
import { versionSort } from '../../domain/versions/index.ts';
import { whatsChangedOfAll } from '../../insight/whats-changed/index.ts';
import { toJson } from '../../store/json-text.ts';
import type { StackPackageRow } from '../../store/schema/stacks.ts';

const MAX_FINDINGS = 5;
const MAX_STEPS = 5;
const LATEST = 'latest';

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

// Asks about these packages in the name of `ctx.caller` and stores what is answered.
export async function judgePackages(ctx: Context, packages: readonly AskedPackage[]): Promise<void> {
  for (let start = 0; start < packages.length; start += MAX_BATCH_ITEMS) {
    const part = packages.slice(start, start + MAX_BATCH_ITEMS);
    const items = part.map(({ ecosystem, name, version }) => {
      return { package: name, ecosystem, from: version, to: LATEST };
    });
    // What changes from here on may be in the answer or not.
    const at = now(ctx);
    const viewer = await scopeViewer(ctx, part);
    const answers = await whatsChangedOfAll(ctx, items, null);
    await transact(ctx, (ctx) => store(ctx, part, { at, answers, viewer }), 'bookkeeping');
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
}

async function store(
  ctx: WriteContext,
  asked: readonly AskedPackage[],
  { at, answers, viewer }: Answered,
): Promise<void> {
  const ended = await endedAdmissions(ctx, viewer);
  for (const [slot, row] of asked.entries()) {
    const item = answers[slot];
    if (ended.has(scopeOf(row) ?? '')) continue;
    const found = item === undefined || 'error' in item ? refused(item?.error.message) : told(row, item);
    await ctx.tx
      .updateTable('stack_packages')
      .set({
        target: found.target,
        judgement: found.answer.judgement,
        security: found.answer.security ? 1 : 0,
        answer: toJson(packAnswer(found.answer)),
        judged_at: at,
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

interface Found {
  target: string | null;
  publishedAt: string | null;
  answer: StackAnswer;
}

// Null unless the newest entry tells of the newest version itself.
function dateOfTarget({ entries, toVersion }: WhatsChanged): string | null {
  const newest = entries.at(-1);
  const isTarget = newest?.version && toVersion && versionSort(newest.version) === versionSort(toVersion);
  return isTarget ? newest.publishedAt : null;
}

function told({ ecosystem, name, version }: AskedPackage, answer: WhatsChanged): Found {
  const change: PackageChange = {
    ecosystem,
    name,
    from: version,
    to: LATEST,
    direct: null,
    dev: null,
    optional: null,
    source: 'registry',
    fromRef: null,
    toRef: null,
    as: [],
  };
  const { judgement, security, verdict, reason, undocumented, findings, steps, moreSteps, counts } = answeredRow(
    change,
    answer,
  );
  const left = Math.max(0, steps.length - MAX_STEPS);
  return {
    target: answer.toVersion,
    publishedAt: dateOfTarget(answer),
    answer: {
      judgement,
      security,
      verdict,
      reason,
      undocumented,
      findings: findings.slice(0, MAX_FINDINGS),
      steps: steps.slice(0, MAX_STEPS).map((step) => ({ ...step, versions: [...step.versions] })),
      moreSteps: moreSteps + left,
      counts,
    },
  };
}

function refused(reason = 'This could not be answered'): Found {
  return { target: null, publishedAt: null, answer: unknownAnswer(reason) };
}
