// The report on a stack: what its newest versions bring, by risk, from stored answers.
import { sql } from 'kysely';
import { type Context, now, queries, transact } from '../../context.ts';
import type { ListProgress } from '../../contract/report.ts';
import type { StackCounts, StackMark, StackReport, StackReportRow, StackSummary } from '../../contract/stack.ts';
import { progressOf, type RowReading } from '../../domain/reports/progress.ts';
import { type StackAnswer, unknownAnswer, unpackAnswer } from '../../domain/stacks/answer.ts';
import { isFresh } from '../../domain/stacks/freshness.ts';
import { groupOf, orderRows } from '../../domain/upgrade/report/groups.ts';
import type { ReportRow } from '../../domain/upgrade/report/row.ts';
import { summarySentence } from '../../domain/upgrade/report/words.ts';
import { openReadings, readingOfRow } from '../../packages/readings/list-readings.ts';
import { parseJson } from '../../store/json-text.ts';
import type { StackPackageRow, StackRow } from '../../store/schema/stacks.ts';
import { ASKED_COLUMNS, judgePackages } from './judge.ts';
import { ownStack } from './manage.ts';
import { currentMark, marksOfStacks } from './marks.ts';
import { COUNTED, NO_COUNTS, stackCounts, summaryOf } from './summary.ts';

// A report waits this long for answers about packages that nobody has asked about yet; the worker asks about the rest.
const PATIENCE_MS = 1500;
const AT_ONCE = 100;

interface ReadReport {
  stack: StackSummary;
  rows: StackedRow[];
  progress: ListProgress;
}

export async function readReport(ctx: Context, input: { name: string }): Promise<ReadReport> {
  const stack = await ownStack(ctx, input.name);
  const stored = await judgedPackages(ctx, stack);
  const open = await openReadings(ctx, stored);
  const rows = reportRows(ctx, stored, { seenAt: stack.seen_at, marks: await marksOfStacks(ctx, [stack.id]), open });
  const summary = summaryOf(ctx, stack, countsOf(rows.map(({ row }) => row)));
  return { stack: summary, rows, progress: progressOf(stored.map((row) => listed(row, open))) };
}

// How far the packages of a stack are read, without asking about anything.
export async function stackProgress(ctx: Context, input: { name: string }): Promise<ListProgress> {
  const stack = await ownStack(ctx, input.name);
  const stored = await queries(ctx)
    .selectFrom('stack_packages')
    .select(['name', 'judged_at', 'reading_id', 'refused_until'])
    .where('stack_id', '=', stack.id)
    .execute();
  const open = await openReadings(ctx, stored);
  return progressOf(stored.map((row) => listed(row, open)));
}

type Listed = Pick<StackPackageRow, 'name' | 'judged_at' | 'reading_id' | 'refused_until'>;

function listed(row: Listed, open: ReadonlyMap<string, RowReading>) {
  return {
    name: row.name,
    judgedAt: row.judged_at,
    reading: readingOfRow(open, row),
    refusedUntil: row.refused_until,
  };
}

export async function stackReport(ctx: Context, input: { name: string }): Promise<StackReport> {
  const { stack, rows, progress } = await readReport(ctx, input);
  return {
    stack,
    sentence: summarySentence(
      rows.map(({ reported }) => reported),
      { isProposal: true },
    ),
    counts: stack.counts,
    progress,
    rows: rows.map(({ row }) => row),
  };
}

// What a row of a report is made of.
export const REPORTED_COLUMNS = [
  ...ASKED_COLUMNS,
  'target_at',
  'judgement',
  'security',
  'answer',
  'seen_target',
  'reading_id',
  'refused_until',
] as const satisfies readonly (keyof StackPackageRow)[];

type StoredPackage = Pick<StackPackageRow, (typeof REPORTED_COLUMNS)[number]>;

// All packages in one read, and in another one when some had to be asked about first.
async function judgedPackages(ctx: Context, stack: StackRow): Promise<StoredPackage[]> {
  const read = () =>
    queries(ctx).selectFrom('stack_packages').select(REPORTED_COLUMNS).where('stack_id', '=', stack.id).execute();
  const stored = await read();
  const missing = stored.filter((row) => isUnordered(row, now(ctx)));
  if (missing.length === 0) return stored;
  const until = performance.now() + PATIENCE_MS;
  for (let start = 0; start < missing.length && performance.now() < until; start += AT_ONCE) {
    await judgePackages(ctx, missing.slice(start, start + AT_ONCE), 'list');
  }
  return read();
}

// Nobody has asked about it, or nobody for whom something could be read: what is not known is read because its owner looks.
function isUnordered(row: StoredPackage, at: string): boolean {
  if (row.judged_at === null) return true;
  if (row.refused_until !== null) return row.refused_until <= at;
  return row.judgement === 'not_known' && row.reading_id === null;
}

interface AboutStack {
  seenAt: string;
  marks: Awaited<ReturnType<typeof marksOfStacks>>;
  open: ReadonlyMap<string, RowReading>;
}

interface StackedRow {
  row: StackReportRow;
  reported: ReportRow;
  stackId: string;
}

const UNASKED = unknownAnswer('Not looked at yet');

// The packages of a stack as rows of a report, highest risk first.
export function reportRows(ctx: Context, stored: readonly StoredPackage[], about: AboutStack): StackedRow[] {
  const pages = `${ctx.config.webUrl}/whats-changed?`;
  const today = now(ctx).slice(0, 10);
  const made = stored.map((one) => {
    return stackedRow(one, {
      pages,
      mark: currentMark(about.marks, one, today),
      reading: readingOfRow(about.open, one),
      isNew: isFresh(one, about.seenAt),
    });
  });
  const found = new Map(made.map((one) => [one.reported, one]));
  return orderRows(made.map(({ reported }) => reported)).flatMap((reported) => found.get(reported) ?? []);
}

interface RowFacts {
  pages: string;
  mark: StackMark | null;
  reading: RowReading | null;
  isNew: boolean;
}

function stackedRow(stored: StoredPackage, { pages, mark, reading, isNew }: RowFacts): StackedRow {
  const { stack_id, ecosystem, name, version, target } = stored;
  const answer = answerOf(stored);
  const reported: ReportRow = {
    ecosystem,
    package: name,
    from: version,
    to: target ?? version,
    direct: null,
    dev: null,
    as: [],
    copies: 1,
    workspaces: [],
    judgement: answer.judgement,
    security: answer.security,
    verdict: answer.verdict,
    reason: answer.reason,
    firstBreak: null,
    undocumented: answer.undocumented,
    findings: answer.findings,
    steps: answer.steps,
    moreSteps: answer.moreSteps,
    counts: answer.counts,
    ...(mark?.kind === 'done' && { done: { at: mark.at } }),
    ...(mark?.kind === 'ignored' && { ignored: { reason: mark.reason ?? '', until: mark.until } }),
  };
  const row: StackReportRow = {
    ecosystem,
    package: name,
    installed: version,
    newest: target,
    newestAt: stored.target_at,
    isNew: isNew && mark === null,
    isPending: stored.judged_at === null,
    reading,
    mark,
    group: groupOf(reported),
    judgement: answer.judgement,
    security: answer.security,
    isTracked: answer.verdict !== 'not_tracked',
    reason: answer.reason,
    undocumented: answer.undocumented,
    findings: answer.findings,
    steps: answer.steps,
    moreSteps: answer.moreSteps,
    webUrl: pages + askedOf(stored),
  };
  return { row, reported, stackId: stack_id };
}

function answerOf({ answer, judgement, security }: StoredPackage): StackAnswer {
  return answer === null ? UNASKED : unpackAnswer(parseJson(answer), { judgement, security: security === 1 });
}

// The parameters of the page with the whole range.
function askedOf({ ecosystem, name, version, target }: StoredPackage): string {
  const [asked, from, to] = [name, version, target ?? 'latest'].map(encodeURIComponent);
  return `package=${asked}&ecosystem=${ecosystem}&from=${from}&to=${to}`;
}

function countsOf(rows: readonly StackReportRow[]): StackCounts {
  const counts = { ...NO_COUNTS };
  for (const { isPending, judgement, security, isNew } of rows) {
    counts[isPending ? 'pending' : COUNTED[judgement ?? 'none']] += 1;
    if (security) counts.security += 1;
    if (isNew) counts.fresh += 1;
  }
  return counts;
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
