// Answers about the packages of stacks: asked like any other question of their owner, and stored, so that a report of
// thousands of packages is read and not worked out. What has changed since is asked again in the background.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { MAX_BATCH_ITEMS, type WhatsChanged, type WhatsChangedBatch } from '../../contract/whats-changed.ts';
import { packAnswer, type StackAnswer, unknownAnswer } from '../../domain/stacks/answer.ts';
import type { PackageChange } from '../../domain/upgrade/lockfiles/changed-packages.ts';
import { answeredRow } from '../../domain/upgrade/report/answer.ts';
import { whatsChangedBatch } from '../../insight/whats-changed/index.ts';
import { toJson } from '../../store/json-text.ts';
import type { StackPackageRow } from '../../store/schema/stacks.ts';
import { onBehalfOf } from '../on-behalf-of.ts';

const MAX_FINDINGS = 5;
const MAX_STEPS = 5;
const LATEST = 'latest';

type AskedPackage = Pick<
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
    const answered = await whatsChangedBatch(ctx, { items });
    await transact(ctx, (ctx) => store(ctx, part, answered.items), 'bookkeeping');
  }
}

async function store(
  ctx: WriteContext,
  asked: readonly AskedPackage[],
  items: WhatsChangedBatch['items'],
): Promise<void> {
  const at = now(ctx);
  for (const [slot, row] of asked.entries()) {
    const item = items[slot];
    const found = item === undefined || 'error' in item ? refused(item?.error.message) : told(row, item);
    await ctx.tx
      .updateTable('stack_packages')
      .set({
        target: found.target,
        judgement: found.answer.judgement,
        security: found.answer.security ? 1 : 0,
        answer: toJson(packAnswer(found.answer)),
        judged_at: at,
        ...(found.target !== row.target && { target_at: found.publishedAt ?? at }),
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

interface Found {
  target: string | null;
  publishedAt: string | null;
  answer: StackAnswer;
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
    publishedAt: answer.entries.at(-1)?.publishedAt ?? null,
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

// Everything is asked again after this time, whatever is known to have changed.
const OLDEST_MS = 6 * 3_600_000;
const AT_ONCE = 500;
// What has a time of its own may be committed later than that, and is asked about once more.
const COMMITTED_MS = 90_000;

// Asks again about packages whose listing, notes or comparison is newer than the stored answer. True when more may wait.
export async function judgeStale(ctx: Context, signal: AbortSignal): Promise<boolean> {
  const rows = await stalePackages(ctx);
  for (const [userId, own] of Map.groupBy(rows, ({ user_id }) => user_id)) {
    for (let start = 0; start < own.length; start += MAX_BATCH_ITEMS) {
      if (signal.aborted) return true;
      await judgePackages(onBehalfOf(ctx, userId), own.slice(start, start + MAX_BATCH_ITEMS));
    }
  }
  return rows.filter(({ judged_at }) => judged_at === null).length >= AT_ONCE;
}

type OwnedPackage = AskedPackage & { user_id: string };

// What was never asked about or long ago, what a registry has listed since, and what releases and comparisons of the last
// hours are about.
async function stalePackages(ctx: Context): Promise<OwnedPackage[]> {
  const oldest = new Date(ctx.clock().getTime() - OLDEST_MS).toISOString();
  const since = ctx.clock().getTime() - OLDEST_MS;
  const recent = new Date(ctx.clock().getTime() - COMMITTED_MS).toISOString();
  const parts = [
    await owned(ctx, sql`p.judged_at IS NULL OR p.judged_at < ${oldest}`),
    await owned(
      ctx,
      sql`EXISTS (SELECT 1 FROM package_states l
        WHERE l.id = p.ecosystem || ':' || p.name AND l.listed_at >= p.judged_at)`,
    ),
    await owned(
      ctx,
      sql`(p.ecosystem, p.name) IN (SELECT e.ecosystem, e.name FROM evidence_pairs e WHERE e.compared_at > ${oldest})
        AND EXISTS (SELECT 1 FROM evidence_pairs e
          WHERE e.ecosystem = p.ecosystem AND e.name = p.name AND (e.compared_at >= p.judged_at OR e.compared_at > ${recent}))`,
    ),
    await owned(
      ctx,
      sql`(p.ecosystem, p.name) IN (SELECT m.ecosystem, m.name FROM packages m
          WHERE m.source_id IN (SELECT e.source_id FROM events e WHERE e.ts > ${since}))
        AND EXISTS (SELECT 1 FROM packages m JOIN events e ON e.source_id = m.source_id
            JOIN releases r ON r.id = e.release_id
          WHERE m.ecosystem = p.ecosystem AND m.name = p.name AND e.ts > ${since} AND (r.fetched_at >= p.judged_at OR r.fetched_at > ${recent}))`,
    ),
  ];
  const key = ({ stack_id, ecosystem, name, version }: OwnedPackage) => [stack_id, ecosystem, name, version].join('\n');
  return [...new Map(parts.flat().map((row) => [key(row), row])).values()];
}

async function owned(ctx: Context, condition: RawBuilder<unknown>): Promise<OwnedPackage[]> {
  return queries(ctx)
    .selectFrom('stack_packages as p')
    .innerJoin('stacks as k', 'k.id', 'p.stack_id')
    .select(ASKED_COLUMNS.map((column) => `p.${column}` as const))
    .select('k.user_id')
    .where(sql<boolean>`(${condition})`)
    .limit(AT_ONCE)
    .execute();
}
