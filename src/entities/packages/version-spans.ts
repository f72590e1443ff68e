// Spans of published versions, which are read in parts: a statement blocks the thread while it runs, and a package may have
// fifty thousand versions.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { Ecosystem } from '../../domain/published-package.ts';

// Versions after one order key up to another one.
export interface VersionSpan {
  ecosystem: Ecosystem;
  name: string;
  after: string;
  upTo: string;
  // Where notes of the versions are.
  notes?: { sourceId: string; part: string | null };
}

const COUNTED_AT_ONCE = 20;
const ROWS_OF_PART = 2_000;

// How many versions each span has, by the index alone.
export async function countVersions(ctx: Context, spans: readonly VersionSpan[]): Promise<number[]> {
  const counts = spans.map(() => 0);
  for (let start = 0; start < spans.length; start += COUNTED_AT_ONCE) {
    const part = spans.slice(start, start + COUNTED_AT_ONCE);
    const { rows } = await sql<{ slot: number; count: number }>`WITH asked ${askedSpans(part)}
      SELECT a.slot, (SELECT COUNT(*) FROM package_versions v WHERE ${IN_SPAN}) AS count FROM asked a`.execute(
      queries(ctx),
    );
    for (const { slot, count } of rows) counts[start + Number(slot)] = Number(count);
  }
  return counts;
}

// The columns of all versions of these spans, rising, with the place of their span. The columns may
// name `v`, `a.source_id` and `a.part`.
export async function readSpans<Row extends object>(
  ctx: Context,
  spans: readonly VersionSpan[],
  columns: RawBuilder<Row>,
): Promise<(Row & { slot: number })[]> {
  const found: (Row & { slot: number })[] = [];
  for (const part of await partsOfSpans(ctx, spans)) {
    const { rows } = await sql<Row & { slot: number }>`WITH asked ${askedSpans(part)}
      SELECT a.slot, ${columns} FROM asked a CROSS JOIN package_versions v WHERE ${IN_SPAN}
      ORDER BY a.slot, v.version_sort, v.version`.execute(queries(ctx));
    for (const row of rows) {
      row.slot = part[Number(row.slot)]?.slot ?? 0;
      found.push(row);
    }
  }
  return found;
}

const IN_SPAN = sql`v.ecosystem = a.ecosystem AND v.name = a.name AND v.version_sort > a.after AND v.version_sort <= a.up_to`;

function askedSpans(spans: readonly VersionSpan[]): RawBuilder<unknown> {
  const values = spans.map(({ ecosystem, name, after, upTo, notes }, slot) => {
    return sql`(${sql.lit(slot)}, ${ecosystem}, ${name}, ${after}, ${upTo}, ${notes?.sourceId ?? ''}, ${notes?.part ?? ''})`;
  });
  return sql`(slot, ecosystem, name, after, up_to, source_id, part) AS (VALUES ${sql.join(values)})`;
}

type Part<S> = (S & { slot: number })[];

// Short spans share a statement, long ones are cut.
async function partsOfSpans<S extends VersionSpan>(ctx: Context, spans: readonly S[]): Promise<Part<S>[]> {
  const counts = await countVersions(ctx, spans);
  const parts: Part<S>[] = [];
  let open: Part<S> = [];
  let rows = 0;
  for (const [slot, span] of spans.entries()) {
    const count = counts[slot] ?? 0;
    if (count === 0) continue;
    if (count > ROWS_OF_PART) {
      for (const cut of await cutSpan(ctx, span)) parts.push([{ ...cut, slot }]);
      continue;
    }
    if (rows + count > ROWS_OF_PART) {
      parts.push(open);
      open = [];
      rows = 0;
    }
    open.push({ ...span, slot });
    rows += count;
  }
  return open.length > 0 ? [...parts, open] : parts;
}

async function cutSpan<S extends VersionSpan>(ctx: Context, span: S): Promise<S[]> {
  const cuts: S[] = [];
  for (let after = span.after; ; ) {
    const row = await queries(ctx)
      .selectFrom('package_versions')
      .select('version_sort')
      .where('ecosystem', '=', span.ecosystem)
      .where('name', '=', span.name)
      .where('version_sort', '>', after)
      .where('version_sort', '<=', span.upTo)
      .orderBy('version_sort')
      .offset(ROWS_OF_PART - 1)
      .limit(1)
      .executeTakeFirst();
    const end = row?.version_sort ?? span.upTo;
    cuts.push({ ...span, after, upTo: end });
    if (end === span.upTo) return cuts;
    after = end;
  }
}
