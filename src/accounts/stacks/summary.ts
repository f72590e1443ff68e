// What a list says of a stack: its last push, and its packages by what is known of them, from columns alone.
import { sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { StackCounts, StackSummary } from '../../contract/stack.ts';
import type { StackPackageRow, StackRow } from '../../store/schema/stacks.ts';

export function summaryOf(ctx: Context, row: StackRow, counts: StackCounts): StackSummary {
  const { breaks, mayBreak, notKnown, noSign, upToDate, pending } = counts;
  return {
    name: row.name,
    source: row.source,
    packageCount: breaks + mayBreak + notKnown + noSign + upToDate + pending,
    pushedAt: row.pushed_at,
    pushedBy: row.pushed_by,
    seenAt: row.seen_at,
    createdAt: row.created_at,
    webUrl: `${ctx.config.webUrl}/account/stacks/${row.name}`,
    counts,
  };
}

// The counts of all stacks of an account.
export async function stackCounts(ctx: Context, userId: string): Promise<Map<string, StackCounts>> {
  const { rows } =
    await sql<CountRow>`SELECT p.stack_id, p.judgement, COUNT(*) AS packages, SUM(p.security) AS security,
      SUM(CASE WHEN p.judged_at IS NULL THEN 1 ELSE 0 END) AS pending,
      SUM(CASE WHEN p.judged_at IS NOT NULL AND p.judgement IS NOT NULL
        AND COALESCE(p.target, '') <> COALESCE(p.seen_target, '')
        AND CASE WHEN p.target_at IS NULL THEN p.seen_target IS NOT NULL ELSE p.target_at > k.seen_at END
        AND m.kind IS NULL THEN 1 ELSE 0 END) AS fresh
    FROM stack_packages p JOIN stacks k ON k.id = p.stack_id
      LEFT JOIN stack_marks m ON m.stack_id = p.stack_id AND m.ecosystem = p.ecosystem AND m.name = p.name
        AND (m.kind = 'ignored' AND (m.until IS NULL OR m.until > ${now(ctx).slice(0, 10)}) OR m.kind = 'done' AND m.version = p.target)
    WHERE k.user_id = ${userId}
    GROUP BY p.stack_id, p.judgement`.execute(queries(ctx));
  const found = new Map<string, StackCounts>();
  for (const row of rows) {
    const counts = found.get(row.stack_id) ?? { ...NO_COUNTS };
    const pending = Number(row.pending);
    counts[COUNTED[row.judgement ?? 'none']] += Number(row.packages) - pending;
    counts.pending += pending;
    counts.security += Number(row.security);
    counts.fresh += Number(row.fresh);
    found.set(row.stack_id, counts);
  }
  return found;
}

interface CountRow {
  stack_id: string;
  judgement: NonNullable<StackPackageRow['judgement']> | null;
  packages: number;
  security: number;
  pending: number;
  fresh: number;
}

export const NO_COUNTS: StackCounts = {
  breaks: 0,
  mayBreak: 0,
  notKnown: 0,
  noSign: 0,
  security: 0,
  upToDate: 0,
  pending: 0,
  fresh: 0,
};

// The count that a package belongs to.
export const COUNTED = {
  breaks: 'breaks',
  may_break: 'mayBreak',
  not_known: 'notKnown',
  no_sign: 'noSign',
  none: 'upToDate',
} as const;
