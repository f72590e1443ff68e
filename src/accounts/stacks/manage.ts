// The stacks of an account: made, replaced, listed and removed. Only names and versions are stored.
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { ApiError, badRequest, notFound } from '../../contract/errors.ts';
import {
  MAX_STACK_PACKAGES,
  MAX_STACKS,
  type StackDetail,
  type StackInput,
  type StackList,
  type StackSummary,
  stackName,
} from '../../contract/stack.ts';
import { newId } from '../../domain/ids.ts';
import { distinct, type LockedList, lockedList, type StackedPackage } from '../../domain/stacks/locked-list.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { readAskedRange } from '../../domain/upgrade/version-range.ts';
import { insertMany } from '../../store/insert-many.ts';
import type { StackPackageRow, StackRow } from '../../store/schema/stacks.ts';
import type { Store } from '../../store/store.ts';
import { MAX_INLINE_CHARS, onRequestThread } from '../../threads/documents.ts';
import { threadTask } from '../../threads/task.ts';
import { ownAccount } from '../describe-caller.ts';
import { NO_COUNTS, stackCounts, summaryOf } from './summary.ts';

export async function listStacks(ctx: Context): Promise<StackList> {
  const { userId } = ownAccount(ctx);
  const rows = await queries(ctx)
    .selectFrom('stacks')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('name')
    .execute();
  const counts = await stackCounts(ctx, userId);
  return { stacks: rows.map((row) => summaryOf(ctx, row, counts.get(row.id) ?? NO_COUNTS)), limit: MAX_STACKS };
}

export async function stackNames(ctx: Context): Promise<string[]> {
  const own = queries(ctx).selectFrom('stacks').select('name').where('user_id', '=', ownAccount(ctx).userId);
  return (await own.orderBy('name').execute()).map(({ name }) => name);
}

export async function readStack(ctx: Context, input: { name: string }): Promise<StackDetail> {
  const row = await ownStack(ctx, input.name);
  const rows = await queries(ctx)
    .selectFrom('stack_packages')
    .select(['ecosystem', 'name', 'version'])
    .where('stack_id', '=', row.id)
    .orderBy('ecosystem')
    .orderBy('name')
    .orderBy('version')
    .execute();
  const packages = rows.map(({ ecosystem, name, version }) => ({ ecosystem, package: name, version }));
  const counts = (await stackCounts(ctx, row.user_id)).get(row.id);
  return { ...summaryOf(ctx, row, counts ?? NO_COUNTS), packages };
}

// The stack by its name; another account's does not exist.
export async function ownStack(ctx: Context, name: string): Promise<StackRow> {
  const row = await queries(ctx)
    .selectFrom('stacks')
    .selectAll()
    .where('user_id', '=', ownAccount(ctx).userId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!row) throw notFound('stack', name);
  return row;
}

interface PutStack {
  stack: StackSummary;
  isNew: boolean;
}

// Makes the stack, or replaces its list. What is known of a version that stays is kept, and counts as seen.
export async function putStack(ctx: Context, input: StackInput & { name: string }): Promise<PutStack> {
  const name = checkedName(input.name);
  const { userId } = ownAccount(ctx);
  const pushing = pushingOf(ctx);
  if (pushing.has(userId)) throw onePush();
  pushing.add(userId);
  try {
    return await putList(ctx, { ...input, name });
  } finally {
    pushing.delete(userId);
  }
}

// Accounts whose list this process is reading and storing.
const pushes = new WeakMap<Store, Set<string>>();

function pushingOf({ store }: Context): Set<string> {
  const known = pushes.get(store) ?? new Set();
  pushes.set(store, known);
  return known;
}

function onePush(): ApiError {
  const message = 'another stack of this account is being stored; push one after the other';
  return new ApiError('rate_limited', message, undefined, { 'Retry-After': '1' });
}

async function putList(ctx: Context, input: StackInput & { name: string }): Promise<PutStack> {
  const { name } = input;
  const { packages, source } = await listOf(input);
  if (packages.length === 0) throw badRequest('packages', 'no package of a registry with a version was given');
  if (packages.length > MAX_STACK_PACKAGES) {
    throw badRequest(
      'packages',
      `a stack has at most ${MAX_STACK_PACKAGES} packages, and these are ${packages.length}`,
    );
  }
  return transact(ctx, (ctx) => replace(ctx, { name, packages, source }), 'bookkeeping');
}

function checkedName(name: string): string {
  const read = stackName.safeParse(name);
  if (!read.success) throw badRequest('name', 'must be 1 to 64 letters, digits and dashes');
  return read.data;
}

async function listOf(input: StackInput): Promise<Pick<LockedList, 'packages'> & { source: string | null }> {
  const { packages, lockfile } = input;
  if ((packages === undefined) === (lockfile === undefined)) {
    throw badRequest('packages', 'give either packages or the text of a lockfile');
  }
  if (packages) return { packages: distinct(packages), source: input.source ?? null };
  const file = { text: lockfile ?? '', ...(input.source && { filename: input.source }) };
  const read = file.text.length <= MAX_INLINE_CHARS ? lockedList(file) : await onRequestThread(LIST_READING, file);
  if (read === null) throw badRequest('lockfile', 'this is none of the lockfiles and manifests that can be read');
  return { packages: read.packages, source: input.source ?? read.source };
}

export function readLockedList(file: { filename?: string; text: string }): LockedList | null {
  return lockedList(file);
}

const LIST_READING = threadTask(import.meta.url, readLockedList);

interface NewList {
  name: string;
  packages: readonly StackedPackage[];
  source: string | null;
}

async function replace(ctx: WriteContext, { name, packages, source }: NewList): Promise<PutStack> {
  const { userId } = ownAccount(ctx);
  await ctx.store.dialect.lock(ctx.tx, `stacks ${userId}`);
  const own = await ctx.tx.selectFrom('stacks').selectAll().where('user_id', '=', userId).execute();
  const known = own.find((one) => one.name === name);
  if (!known && own.length >= MAX_STACKS) {
    throw new ApiError('limit_exceeded', `an account has at most ${MAX_STACKS} stacks`, {
      limit: MAX_STACKS,
      scope: 'stacks',
    });
  }
  const at = now(ctx);
  const pushed = { source, pushed_by: pusher(ctx), pushed_at: at, seen_at: at };
  const row: StackRow = known
    ? { ...known, ...pushed }
    : { id: newId('stk', ctx.randomBytes), user_id: userId, name, created_at: at, ...pushed };
  if (known) await ctx.tx.updateTable('stacks').set(pushed).where('id', '=', row.id).execute();
  else await ctx.tx.insertInto('stacks').values(row).execute();
  await replacePackages(ctx, row.id, packages);
  const counts = (await stackCounts(ctx, userId)).get(row.id);
  return { stack: summaryOf(ctx, row, counts ?? NO_COUNTS), isNew: !known };
}

function pusher({ caller }: Context): StackRow['pushed_by'] {
  return caller.kind === 'user_key' ? 'key' : 'owner';
}

async function replacePackages(ctx: WriteContext, stackId: string, packages: readonly StackedPackage[]): Promise<void> {
  const before = await ctx.tx.selectFrom('stack_packages').selectAll().where('stack_id', '=', stackId).execute();
  const known = new Map(before.map((row) => [keyOf(row.ecosystem, row.name, row.version), row]));
  const told = new Map(before.map((row) => [keyOf(row.ecosystem, row.name), row.told_target]));
  const rows = packages.map(({ ecosystem, package: name, version }): StackPackageRow => {
    const stays = known.get(keyOf(ecosystem, name, version));
    if (stays) return { ...stays, seen_target: stays.target };
    return {
      stack_id: stackId,
      ecosystem,
      name,
      version,
      version_sort: readBound(readAskedRange(version)?.range?.lowest ?? version).key,
      target: null,
      target_at: null,
      judgement: null,
      security: 0,
      answer: null,
      judged_at: null,
      seen_target: null,
      told_target: told.get(keyOf(ecosystem, name)) ?? null,
      reading_id: null,
      refused_until: null,
    };
  });
  await ctx.tx.deleteFrom('stack_packages').where('stack_id', '=', stackId).execute();
  await insertMany(ctx.tx, 'stack_packages', rows);
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\n');
}

// With its feed and its webhooks.
export async function deleteStack(ctx: Context, input: { name: string }): Promise<void> {
  const { userId } = ownAccount(ctx);
  await transact(
    ctx,
    async ({ tx }) => {
      const gone = await tx
        .deleteFrom('stacks')
        .where('user_id', '=', userId)
        .where('name', '=', input.name)
        .returning('id')
        .executeTakeFirst();
      if (!gone) throw notFound('stack', input.name);
    },
    'bookkeeping',
  );
}
