// Makes a report with an address of the packages that were read from the files of a project.

import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ReportSummary } from '../../contract/report.ts';
import { addressKey } from '../../domain/net/address-key.ts';
import { ANONYMOUS_BYTES, type KeptRow, keptReport, reportEnd, reportSize } from '../../domain/reports/kept-rows.ts';
import { hashOf } from '../../domain/secret-text.ts';
import type { ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { privateScopes } from '../../entities/packages/viewer.ts';
import { insertMany } from '../../store/insert-many.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { ReportPackageRow, StoredReportRow } from '../../store/schema/reports.ts';
import { takeAllowance } from '../evidence/allowance.ts';

const HOUR_MS = 3_600_000;
const REPORTS_AN_HOUR = 20;

// `secret`: whoever has it may delete the report. It is not stored itself.
export async function makeReport(ctx: Context, read: ProjectUpgrades, secret: string): Promise<ReportSummary> {
  const { kind, rows, leftOut } = keptReport(read, await privateScopes(ctx));
  const at = ctx.clock();
  const report: StoredReportRow = {
    id: Buffer.from(ctx.randomBytes(16)).toString('base64url'),
    user_id: ctx.caller.account?.userId ?? null,
    owner_hash: hashOf(secret),
    kind,
    created_at: at.toISOString(),
    expires_at: reportEnd(at),
    stack_id: null,
    packages: rows.length,
    size: reportSize(rows),
    left_out: toJson(leftOut),
  };
  await transact(ctx, (ctx) => store(ctx, report, rows), 'bookkeeping');
  return describeReport(ctx, report);
}

async function store(ctx: WriteContext, report: StoredReportRow, rows: readonly KeptRow[]): Promise<void> {
  await payForReport(ctx);
  await ctx.tx.insertInto('reports').values(report).execute();
  await insertMany(
    ctx.tx,
    'report_packages',
    rows.map((row, place) => packageRow(report.id, row, place)),
  );
  if (report.user_id === null) await dropOldest(ctx, ANONYMOUS_BYTES);
}

async function payForReport(ctx: WriteContext): Promise<void> {
  const { kind, ip, account } = ctx.caller;
  if (kind === 'root' || kind === 'system') return;
  const key = `reports:${account?.userId ?? `ip:${addressKey(ip)}`}`;
  const taken = await takeAllowance(ctx, { key, limit: REPORTS_AN_HOUR, windowMs: HOUR_MS }, 1);
  if (taken > 0) return;
  const message = `at most ${REPORTS_AN_HOUR} reports are made in an hour; the ones that you have stay`;
  throw new ApiError('rate_limited', message, undefined, { 'Retry-After': '3600' });
}

function packageRow(reportId: string, { direct, dev, ...row }: KeptRow, place: number): ReportPackageRow {
  return {
    report_id: reportId,
    place,
    ecosystem: row.ecosystem,
    name: row.name,
    from_version: row.from,
    to_version: row.to,
    direct: bitOf(direct),
    dev: bitOf(dev),
    target: null,
    judgement: null,
    security: 0,
    answer: null,
    judged_at: null,
    reading_id: null,
    refused_until: null,
  };
}

function bitOf(value: boolean | null): 0 | 1 | null {
  return value === null ? null : value ? 1 : 0;
}

// The oldest reports of nobody go, until the others fit.
export async function dropOldest(ctx: WriteContext, room: number): Promise<void> {
  await ctx.store.dialect.lock(ctx.tx, 'anonymous reports');
  const ofNobody = ctx.tx.selectFrom('reports').where('user_id', 'is', null);
  const sum = await ofNobody.select(({ fn }) => fn.sum<number | string>('size').as('size')).executeTakeFirst();
  if (Number(sum?.size ?? 0) <= room) return;
  const all = await ofNobody.select(['id', 'size']).orderBy('created_at', 'desc').orderBy('id').execute();
  let taken = 0;
  const gone = all.filter(({ size }) => {
    taken += Number(size);
    return taken > room;
  });
  for (const { id } of gone) await ctx.tx.deleteFrom('reports').where('id', '=', id).execute();
}

export function describeReport(ctx: Context, row: StoredReportRow): ReportSummary {
  return {
    id: row.id,
    webUrl: `${ctx.config.webUrl}/reports/${row.id}`,
    kind: row.kind,
    createdAt: row.created_at,
    expiresAt: row.stack_id === null ? row.expires_at : null,
    packageCount: row.packages,
    leftOut: parseJson(row.left_out),
  };
}

// The report is kept while the stack stands that was made of it.
export async function keepReport(ctx: Context, input: { id: string; stack: string }): Promise<void> {
  const userId = ctx.caller.account?.userId ?? '';
  const stack = await queries(ctx)
    .selectFrom('stacks')
    .select('id')
    .where('user_id', '=', userId)
    .where('name', '=', input.stack)
    .executeTakeFirst();
  if (!stack) return;
  await transact(
    ctx,
    ({ tx }) => tx.updateTable('reports').set({ stack_id: stack.id }).where('id', '=', input.id).execute(),
    'bookkeeping',
  );
}

// Reports whose time is over, and that no stack keeps.
export async function purgeReports(ctx: Context): Promise<number> {
  return transact(
    ctx,
    async ({ tx }) => {
      const gone = await tx
        .deleteFrom('reports')
        .where('expires_at', '<=', now(ctx))
        .where((eb) =>
          eb.or([
            eb('stack_id', 'is', null),
            eb.not(
              eb.exists(eb.selectFrom('stacks').select('stacks.id').whereRef('stacks.id', '=', 'reports.stack_id')),
            ),
          ]),
        )
        .returning('id')
        .execute();
      return gone.length;
    },
    'bookkeeping',
  );
}
