// Makes the digests that are due: what is new in the stacks of an account and in what it follows becomes a mail that waits,
// and counts as told, in one transaction. A process that is killed later loses nothing.
import { sql } from 'kysely';
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { nextDigest } from '../../domain/digest-mail/schedule.ts';
import { newId } from '../../domain/ids.ts';
import { DIGEST_COUNTER } from '../../packages/work-figures.ts';
import { addToCounter, readCounter } from '../../store/counters.ts';
import { toJson } from '../../store/json-text.ts';
import type { DigestSettingsRow, ToldPackage } from '../../store/schema/digest.ts';
import { onBehalfOf } from '../on-behalf-of.ts';
import { REPORTED_COLUMNS, reportRows } from '../stacks/report.ts';
import { aboutDigest, followedNews, isPackageNews } from './news.ts';

const AT_ONCE = 20;
const PUT_OFF_MS = 3_600_000;

// Returns how many accounts were looked at. One whose digest cannot be made is put off, and the others get theirs.
export async function composeDigests(ctx: Context): Promise<number> {
  if (ctx.config.mail === null) return 0;
  const due = await queries(ctx)
    .selectFrom('digest_settings as d')
    .innerJoin('users as u', 'u.id', 'd.user_id')
    .select('d.user_id')
    .where('d.next_at', '<=', now(ctx))
    .where('u.email_verified', '=', 1)
    .where('u.disabled_at', 'is', null)
    .orderBy('d.next_at')
    .limit(AT_ONCE)
    .execute();
  for (const { user_id } of due) {
    try {
      await transact(ctx, (ctx) => compose(ctx, user_id), 'bookkeeping');
    } catch (err) {
      ctx.log.error({ err, userId: user_id }, 'a digest could not be made and is put off');
      await transact(ctx, (ctx) => putOff(ctx, user_id), 'bookkeeping');
    }
  }
  return due.length;
}

async function putOff(ctx: WriteContext, userId: string): Promise<void> {
  const next_at = new Date(ctx.clock().getTime() + PUT_OFF_MS).toISOString();
  await ctx.tx.updateTable('digest_settings').set({ next_at }).where('user_id', '=', userId).execute();
  await addToCounter(ctx.tx, `${DIGEST_COUNTER}not_made`, 1);
}

async function compose(given: WriteContext, userId: string): Promise<void> {
  await given.store.dialect.lock(given.tx, `stacks ${userId}`);
  const ctx = { ...onBehalfOf(given, userId), tx: given.tx };
  const row = await ctx.tx.selectFrom('digest_settings').selectAll().where('user_id', '=', userId).executeTakeFirst();
  if (!row?.next_at || row.next_at > now(ctx)) return;
  const head = await readCounter(ctx.tx, 'event_seq');
  const packages = await markNewInStacks(ctx, row);
  const range = { after: row.event_seq, upTo: head };
  const releases = (await followedNews(ctx, row, range)).map(({ id }) => id);
  const at = now(ctx);
  if (packages.length + releases.length > 0) {
    const id = `${newId('dgm', ctx.randomBytes)}@${new URL(ctx.config.webUrl).hostname}`;
    const told = toJson({ since: row.told_at, until: at, packages, releases });
    await ctx.tx
      .insertInto('digest_mails')
      .values({ id, user_id: userId, told, due_at: at, lease_until: null, attempts: 0, created_at: at })
      .execute();
  }
  await ctx.tx
    .updateTable('digest_settings')
    .set({ event_seq: head, told_at: at, next_at: nextDigest(row, ctx.clock())?.toISOString() ?? null })
    .where('user_id', '=', userId)
    .execute();
}

// Packages whose newest version no digest has told of. One statement marks and reads them: an answer that is stored meanwhile is
// either in this digest or in the next one.
async function markNewInStacks(ctx: WriteContext, row: DigestSettingsRow): Promise<ToldPackage[]> {
  const marked = await ctx.tx
    .updateTable('stack_packages')
    .set((eb) => ({ told_target: eb.ref('target') }))
    .where('stack_id', 'in', (eb) => eb.selectFrom('stacks').select('id').where('user_id', '=', row.user_id))
    .where(sql<boolean>`judged_at IS NOT NULL AND COALESCE(target, '') <> COALESCE(told_target, '')`)
    .returning(REPORTED_COLUMNS)
    .execute();
  return reportRows(ctx, marked, await aboutDigest(ctx, marked))
    .filter(({ row: one }) => one.mark === null && isPackageNews(row, one))
    .map(({ row: { ecosystem, package: name }, stackId }) => ({ stackId, ecosystem, name }));
}
