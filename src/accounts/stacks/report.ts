// The report on a stack: what its newest versions bring, by risk, from stored answers.
import { sql } from 'kysely';
import { type Context, now, queries, transact } from '../../context.ts';
import type { StackCounts, StackReport, StackReportRow, StackSummary } from '../../contract/stack.ts';
import type { StackAnswer } from '../../domain/stacks/answer.ts';
import { groupOf, orderRows } from '../../domain/upgrade/report/groups.ts';
import type { ReportRow } from '../../domain/upgrade/report/row.ts';
import { summarySentence } from '../../domain/upgrade/report/words.ts';
import { parseJson } from '../../store/json-text.ts';
import type { StackPackageRow, StackRow } from '../../store/schema/stacks.ts';
import { ASKED_COLUMNS, judgePackages } from './judge.ts';
import { ownStack } from './manage.ts';
import { NO_COUNTS, stackCounts, summaryOf } from './summary.ts';

// A report waits this long for answers about packages that nobody has asked about yet; the worker asks about the rest.
const PATIENCE_MS = 1500;
const AT_ONCE = 100;

interface ReadReport {
  stack: StackSummary;
  rows: StackedRow[];
}

export async function readReport(ctx: Context, input: { name: string }): Promise<ReadReport> {
  const stack = await ownStack(ctx, input.name);
  await judgeMissing(ctx, stack);
  const stored = await queries(ctx).selectFrom('stack_packages').selectAll().where('stack_id', '=', stack.id).execute();
  const rows = reportRows(ctx, stored);
  return { stack: summaryOf(ctx, stack, countsOf(rows.map(({ row }) => row))), rows };
}

export async function stackReport(ctx: Context, input: { name: string }): Promise<StackReport> {
  const { stack, rows } = await readReport(ctx, input);
  return {
    stack,
    sentence: summarySentence(rows.map(({ reported }) => reported)),
    counts: stack.counts,
    rows: rows.map(({ row }) => row),
  };
}

async function judgeMissing(ctx: Context, stack: StackRow): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    const missing = await queries(ctx)
      .selectFrom('stack_packages')
      .select(ASKED_COLUMNS)
      .where('stack_id', '=', stack.id)
      .where('judged_at', 'is', null)
      .limit(AT_ONCE)
      .execute();
    await judgePackages(ctx, missing);
    if (missing.length < AT_ONCE) return;
  }
}

interface StackedRow {
  row: StackReportRow;
  reported: ReportRow;
  stored: StackPackageRow;
}

const UNASKED: StackAnswer = {
  judgement: 'not_known',
  security: false,
  verdict: 'unknown',
  reason: 'Not looked at yet',
  undocumented: false,
  findings: [],
  steps: [],
  moreSteps: 0,
  counts: { versions: 0, withoutNotes: 0, proven: 0, likely: 0 },
};

// The packages of a stack as rows of a report, highest risk first.
export function reportRows(ctx: Context, stored: readonly StackPackageRow[]): StackedRow[] {
  const found = new Map(stored.map((row) => [reportedRow(row), row]));
  return orderRows([...found.keys()]).flatMap((reported) => {
    const row = found.get(reported);
    return row ? [{ reported, stored: row, row: shownRow(ctx, row, reported) }] : [];
  });
}

function reportedRow({ ecosystem, name, version, target, answer }: StackPackageRow): ReportRow {
  const known = answer === null ? UNASKED : parseJson(answer);
  return {
    ecosystem,
    package: name,
    from: version,
    to: target ?? version,
    direct: null,
    dev: null,
    as: [],
    copies: 1,
    workspaces: [],
    firstBreak: null,
    ...known,
  };
}

function shownRow(ctx: Context, stored: StackPackageRow, row: ReportRow): StackReportRow {
  const { ecosystem, name, version, target } = stored;
  const asked = new URLSearchParams({ package: name, ecosystem, from: version, to: target ?? 'latest' });
  return {
    ecosystem,
    package: name,
    installed: version,
    newest: target,
    newestAt: stored.target_at,
    isNew: isNew(stored),
    isPending: stored.judged_at === null,
    group: groupOf(row),
    judgement: row.judgement,
    security: row.security,
    isTracked: row.verdict !== 'not_tracked',
    reason: row.reason,
    undocumented: row.undocumented,
    findings: [...row.findings],
    steps: row.steps.map((step) => ({ ...step, versions: [...step.versions] })),
    moreSteps: row.moreSteps,
    webUrl: `${ctx.config.webUrl}/whats-changed?${asked}`,
  };
}

function isNew({ judged_at, judgement, target, seen_target }: StackPackageRow): boolean {
  return judged_at !== null && judgement !== null && target !== seen_target;
}

function countsOf(rows: readonly StackReportRow[]): StackCounts {
  const judged = rows.filter(({ isPending }) => !isPending);
  const of = (judgement: StackReportRow['judgement']) => judged.filter((row) => row.judgement === judgement).length;
  return {
    breaks: of('breaks'),
    mayBreak: of('may_break'),
    notKnown: of('not_known'),
    noSign: of('no_sign'),
    security: judged.filter(({ security }) => security).length,
    upToDate: of(null),
    pending: rows.length - judged.length,
    fresh: rows.filter((row) => row.isNew).length,
  };
}

// The stack is as its owner knows it from now on.
export async function markSeen(ctx: Context, input: { name: string }): Promise<StackSummary> {
  const stack = await ownStack(ctx, input.name);
  const seen_at = now(ctx);
  await transact(
    ctx,
    async ({ tx }) => {
      await tx.updateTable('stacks').set({ seen_at }).where('id', '=', stack.id).execute();
      await tx
        .updateTable('stack_packages')
        .set({ seen_target: sql<string | null>`target` })
        .where('stack_id', '=', stack.id)
        .execute();
    },
    'bookkeeping',
  );
  const counts = (await stackCounts(ctx, stack.user_id)).get(stack.id);
  return summaryOf(ctx, { ...stack, seen_at }, counts ?? NO_COUNTS);
}
