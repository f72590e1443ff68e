// A report as whoever has its address reads it: from stored answers, with what is being read.

import { type Context, now, queries } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { ListProgress, ReportAnswer, ReportAnswerRow } from '../../contract/report.ts';
import { scopeOf } from '../../domain/ecosystems/index.ts';
import { progressOf, type RowReading } from '../../domain/reports/progress.ts';
import { hashOf, sameHash } from '../../domain/secret-text.ts';
import { unknownAnswer, unpackAnswer } from '../../domain/stacks/answer.ts';
import { isProposal } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { withCopies } from '../../domain/upgrade/report/answer.ts';
import { groupOf, orderRows, totalsOf } from '../../domain/upgrade/report/groups.ts';
import type { ReportRow } from '../../domain/upgrade/report/row.ts';
import { summarySentence } from '../../domain/upgrade/report/words.ts';
import { packageViewer } from '../../entities/packages/viewer.ts';
import { parseJson } from '../../store/json-text.ts';
import type { ReportPackageRow, StoredReportRow } from '../../store/schema/reports.ts';
import { openReadings, readingOfRow } from '../readings/list-readings.ts';
import { judgeReport } from './judge.ts';
import { describeReport } from './make.ts';

interface ReadRow {
  shown: ReportRow;
  reading: RowReading | null;
  isPending: boolean;
}

interface OpenedReport {
  report: StoredReportRow;
  rows: ReadRow[];
  progress: ListProgress;
}

// For everybody who has the id.
export async function storedReport(ctx: Context, id: string): Promise<StoredReportRow> {
  const row = await queries(ctx).selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row || (row.expires_at <= now(ctx) && !(await isKept(ctx, row)))) throw notFound('report', id);
  return row;
}

async function isKept(ctx: Context, { stack_id }: StoredReportRow): Promise<boolean> {
  if (stack_id === null) return false;
  const stack = queries(ctx).selectFrom('stacks').select('id').where('id', '=', stack_id);
  return (await stack.executeTakeFirst()) !== undefined;
}

export async function openReport(ctx: Context, id: string): Promise<OpenedReport> {
  const report = await storedReport(ctx, id);
  const before = await packagesOf(ctx, id);
  await judgeReport(ctx, id, before.hidden);
  const { rows } = await packagesOf(ctx, id);
  const open = await openReadings(ctx, rows);
  const states = rows.map((row) => ({ row, reading: readingOfRow(open, row) }));
  const made = withCopies(states.map(({ row }) => shownRow(row)));
  const known = new Map(
    made.map((shown, index) => {
      const state = states[index];
      return [shown, { shown, reading: state?.reading ?? null, isPending: state?.row.judged_at === null }] as const;
    }),
  );
  return {
    report,
    rows: orderRows(made).flatMap((shown) => known.get(shown) ?? []),
    progress: progressOf(states.map(({ row, reading }) => listed(row, reading))),
  };
}

// How far it is, without asking about anything.
export async function reportProgress(ctx: Context, id: string): Promise<ListProgress> {
  await storedReport(ctx, id);
  const { rows } = await packagesOf(ctx, id);
  const open = await openReadings(ctx, rows);
  return progressOf(rows.map((row) => listed(row, readingOfRow(open, row))));
}

function listed(row: ReportPackageRow, reading: RowReading | null) {
  return { name: row.name, judgedAt: row.judged_at, reading, refusedUntil: row.refused_until };
}

// A scope may have become private since. Nobody's admission shows its packages in a report.
async function packagesOf(ctx: Context, id: string) {
  const all = await queries(ctx)
    .selectFrom('report_packages')
    .selectAll()
    .where('report_id', '=', id)
    .orderBy('place')
    .execute();
  const viewer = await packageViewer(ctx);
  const isHidden = (row: ReportPackageRow) => viewer.private.has(scopeOf(row) ?? '');
  return {
    rows: all.filter((row) => !isHidden(row)),
    hidden: new Set(all.filter(isHidden).map(({ place }) => place)),
  };
}

const UNASKED = unknownAnswer('Not looked at yet');

function shownRow(row: ReportPackageRow): ReportRow {
  const { judgement, security } = row;
  const answer =
    row.answer === null ? UNASKED : unpackAnswer(parseJson(row.answer), { judgement, security: security === 1 });
  return {
    ecosystem: row.ecosystem,
    package: row.name,
    from: row.from_version,
    to: row.target ?? (row.to_version === 'latest' ? row.from_version : row.to_version),
    direct: row.direct === null ? null : row.direct === 1,
    dev: row.dev === null ? null : row.dev === 1,
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
  };
}

export async function reportAnswerOf(ctx: Context, id: string): Promise<ReportAnswer> {
  const { report, rows, progress } = await openReport(ctx, id);
  const shown = rows.map((row) => row.shown);
  return {
    ...describeReport(ctx, report),
    sentence: summarySentence(shown, { isProposal: isProposal(report.kind) }),
    counts: totalsOf(shown),
    progress,
    rows: rows.map((row) => answeredPackage(ctx, row)),
  };
}

function answeredPackage(ctx: Context, { shown, reading, isPending }: ReadRow): ReportAnswerRow {
  const { ecosystem, package: name, from, to, direct, dev, judgement, security, reason, undocumented } = shown;
  const asked = { package: name, ecosystem, from: from ?? '', to: to ?? 'latest' };
  return {
    ecosystem,
    package: name,
    from: from ?? '',
    to: judgement === null || to !== from ? to : null,
    direct,
    dev,
    group: groupOf(shown),
    judgement,
    security,
    isPending,
    reading,
    reason,
    undocumented,
    findings: [...shown.findings],
    steps: shown.steps.map((step) => ({ ...step, versions: [...step.versions] })),
    moreSteps: shown.moreSteps,
    webUrl: `${ctx.config.webUrl}/whats-changed?${new URLSearchParams(asked)}`,
  };
}

// Whoever made it, by account or by what was given to whoever made it.
export function isMaker(ctx: Context, row: StoredReportRow, secret: string | null): boolean {
  const userId = ctx.caller.account?.userId;
  if (row.user_id !== null && row.user_id === userId) return true;
  return secret !== null && row.owner_hash !== null && sameHash(row.owner_hash, hashOf(secret));
}

// The versions in use, for a stack of them.
export async function packagesOfReport(ctx: Context, id: string) {
  await storedReport(ctx, id);
  const { rows } = await packagesOf(ctx, id);
  return rows.map(({ ecosystem, name, from_version: version }) => ({ ecosystem, package: name, version }));
}
