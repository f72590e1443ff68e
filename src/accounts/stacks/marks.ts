// What the owner of a stack says of its packages: done with a version, or ignored until a day. It stays with the next push.
import { type Context, now, queries, transact } from '../../context.ts';
import { badRequest, notFound } from '../../contract/errors.ts';
import type { StackMark, StackMarkInput } from '../../contract/stack.ts';
import { normalizePackageName } from '../../domain/ecosystems/index.ts';
import type { StackMarkRow } from '../../store/schema/stacks.ts';
import { ownStack } from './manage.ts';

type Marks = ReadonlyMap<string, StackMarkRow>;

function markKey({ stack_id, ecosystem, name }: Pick<StackMarkRow, 'stack_id' | 'ecosystem' | 'name'>): string {
  return [stack_id, ecosystem, name].join('\n');
}

export async function marksOfStacks(ctx: Context, stackIds: readonly string[]): Promise<Marks> {
  if (stackIds.length === 0) return new Map();
  const rows = await queries(ctx).selectFrom('stack_marks').selectAll().where('stack_id', 'in', stackIds).execute();
  return new Map(rows.map((row) => [markKey(row), row]));
}

interface MarkedPackage {
  stack_id: string;
  ecosystem: StackMarkRow['ecosystem'];
  name: string;
  target: string | null;
}

// Null where the mark is over: a newer version came, or the day has come.
export function currentMark(marks: Marks, row: MarkedPackage, today: string): StackMark | null {
  const mark = marks.get(markKey(row));
  if (mark === undefined) return null;
  const isOver = mark.kind === 'done' ? mark.version !== row.target : mark.until !== null && mark.until <= today;
  if (isOver) return null;
  return { kind: mark.kind, reason: mark.reason, until: mark.until, at: mark.marked_at };
}

export async function markPackage(ctx: Context, input: StackMarkInput & { stack: string }): Promise<void> {
  const { mark, until = null, reason = null, ecosystem } = input;
  const stack = await ownStack(ctx, input.stack);
  const name = normalizePackageName(ecosystem, input.package);
  const [row] = await queries(ctx)
    .selectFrom('stack_packages')
    .select('target')
    .where('stack_id', '=', stack.id)
    .where('ecosystem', '=', ecosystem)
    .where('name', '=', name)
    .orderBy('version_sort')
    .execute();
  if (!row) throw notFound('package', input.package);
  if (mark === 'ignored' && !reason?.trim()) throw badRequest('reason', 'say why it is ignored');
  if (mark === 'ignored' && until !== null && until <= now(ctx).slice(0, 10)) {
    throw badRequest('until', 'must be a day that is to come');
  }
  if (mark === 'done' && row.target === null) throw badRequest('mark', 'no newer version of it is known');
  const at = now(ctx);
  const isIgnored = mark === 'ignored';
  await transact(
    ctx,
    async ({ tx }) => {
      const named = { stack_id: stack.id, ecosystem, name };
      if (mark === 'none') {
        await tx
          .deleteFrom('stack_marks')
          .where((eb) => eb.and(named))
          .execute();
        return;
      }
      const said = {
        kind: mark,
        version: isIgnored ? null : row.target,
        until: isIgnored ? until : null,
        reason: reason?.trim() || null,
        marked_at: at,
      };
      await tx
        .insertInto('stack_marks')
        .values({ ...named, ...said })
        .onConflict((conflict) => conflict.columns(['stack_id', 'ecosystem', 'name']).doUpdateSet(said))
        .execute();
    },
    'bookkeeping',
  );
}
