// Makes the digests that are due: what is new in the stacks of an account and in what it follows becomes a mail that waits,
// and counts as told, in one transaction. A process that is killed later loses nothing.
import { sql } from 'kysely';
import { releaseWebUrl } from '../../catalog/releases/release-fields.ts';
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { type DigestInfo, type DigestRow, type FollowedRelease, subjectOf } from '../../domain/digest-mail/content.ts';
import { digestHtml } from '../../domain/digest-mail/html.ts';
import { nextDigest } from '../../domain/digest-mail/schedule.ts';
import { digestText } from '../../domain/digest-mail/text.ts';
import { newId } from '../../domain/ids.ts';
import { passesMeaning } from '../../domain/meaning/passes-meaning.ts';
import type { BreakingVerdict } from '../../domain/notes/index.ts';
import type { Judgement } from '../../domain/upgrade/judgement.ts';
import { readCounter } from '../../store/counters.ts';
import type { DigestSettingsRow } from '../../store/schema/digest.ts';
import { isFollowed } from '../following/list-follows.ts';
import { onBehalfOf } from '../on-behalf-of.ts';
import { REPORTED_COLUMNS, reportRows } from '../stacks/report.ts';
import { offToken } from './settings.ts';

const AT_ONCE = 20;
const MAX_RELEASES = 2000;

// Returns how many accounts were looked at.
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
  for (const { user_id } of due) await transact(ctx, (ctx) => compose(ctx, user_id), 'bookkeeping');
  return due.length;
}

async function compose(given: WriteContext, userId: string): Promise<void> {
  await given.store.dialect.lock(given.tx, `stacks ${userId}`);
  const ctx = { ...onBehalfOf(given, userId), tx: given.tx };
  const row = await ctx.tx.selectFrom('digest_settings').selectAll().where('user_id', '=', userId).executeTakeFirst();
  if (!row?.next_at || row.next_at > now(ctx)) return;
  const head = await readCounter(ctx.tx, 'event_seq');
  const { rows, stacks, packages } = await newInStacks(ctx, row);
  const followed = await newFollowed(ctx, row, head);
  if (rows.length + followed.length > 0) {
    await ctx.tx
      .insertInto('digest_mails')
      .values(mailOf(ctx, row, { rows, stacks, packages, followed }))
      .execute();
  }
  await ctx.tx
    .updateTable('digest_settings')
    .set({ event_seq: head, told_at: now(ctx), next_at: nextDigest(row, ctx.clock())?.toISOString() ?? null })
    .where('user_id', '=', userId)
    .execute();
}

type Told = Pick<DigestInfo, 'rows' | 'stacks' | 'packages' | 'followed'>;

// Packages whose newest version no digest has told of. From now on one has.
async function newInStacks(ctx: Context, row: DigestSettingsRow): Promise<Omit<Told, 'followed'>> {
  const db = queries(ctx);
  const stacks = await db.selectFrom('stacks').select(['id', 'name']).where('user_id', '=', row.user_id).execute();
  if (stacks.length === 0) return { rows: [], stacks: [], packages: 0 };
  const names = new Map(stacks.map(({ id, name }) => [id, name]));
  const ids = [...names.keys()];
  const { packages } = await db
    .selectFrom('stack_packages')
    .select(({ fn }) => fn.countAll<number>().as('packages'))
    .where('stack_id', 'in', ids)
    .executeTakeFirstOrThrow();
  const untold = sql<boolean>`judged_at IS NOT NULL AND COALESCE(target, '') <> COALESCE(told_target, '')`;
  const stored = await db
    .selectFrom('stack_packages')
    .select(REPORTED_COLUMNS)
    .where('stack_id', 'in', ids)
    .where(untold)
    .execute();
  await db
    .updateTable('stack_packages')
    .set((eb) => ({ told_target: eb.ref('target') }))
    .where('stack_id', 'in', ids)
    .where(untold)
    .execute();
  const news = reportRows(ctx, stored).filter(({ row: one }) => one.judgement !== null && passes(row, one));
  const merged = new Map<string, DigestRow>();
  for (const { row: one, stackId } of news) {
    const key = [one.ecosystem, one.package, one.installed].join('\n');
    const name = names.get(stackId) ?? '';
    const known = merged.get(key);
    if (known) known.stacks.push(name);
    else merged.set(key, toRow(one, name));
  }
  return { rows: [...merged.values()], stacks: [...names.values()].sort(), packages: Number(packages) };
}

type StackedRow = ReturnType<typeof reportRows>[number]['row'];

const VERDICTS: Record<Judgement, BreakingVerdict> = {
  breaks: 'major',
  may_break: 'minor',
  not_known: 'unknown',
  no_sign: 'none',
};

function passes(row: DigestSettingsRow, { judgement, security }: StackedRow): boolean {
  const release = { breaking: VERDICTS[judgement ?? 'not_known'], importance: null, security };
  return passesMeaning(meaningOf(row), release);
}

function meaningOf({ min_breaking, min_importance, security }: DigestSettingsRow) {
  return { minBreaking: min_breaking, minImportance: min_importance, security: security === 1 };
}

function toRow(row: StackedRow, stack: string): DigestRow {
  return {
    package: row.package,
    from: row.installed,
    to: row.newest ?? '',
    judgement: row.judgement ?? 'not_known',
    security: row.security,
    reason: row.reason,
    undocumented: row.undocumented,
    steps: row.steps.length + row.moreSteps,
    stacks: [stack],
    url: row.webUrl,
  };
}

const LISTED = 2;

// Announced releases of what the account follows, since the digest before.
async function newFollowed(ctx: Context, row: DigestSettingsRow, head: number): Promise<FollowedRelease[]> {
  const found = await queries(ctx)
    .selectFrom('events as e')
    .innerJoin('releases as r', 'r.id', 'e.release_id')
    .innerJoin('sources as s', 's.id', 'r.source_id')
    .leftJoin('orgs as o', 'o.id', 'r.org_id')
    .select([
      'r.id',
      'r.title',
      'r.title_short',
      'r.title_generated',
      'r.version',
      'r.breaking',
      'r.importance',
      'r.security',
    ])
    .select(['s.name as source', 'o.name as org'])
    .where('e.seq', '>', row.event_seq)
    .where('e.seq', '<=', head)
    .where('r.listing', '=', LISTED)
    .where('r.prerelease', '=', 0)
    .where(isFollowed(row.user_id))
    .orderBy('e.seq')
    .limit(MAX_RELEASES)
    .execute();
  return found
    .filter((one) => passesMeaning(meaningOf(row), { ...one, security: one.security === 1 }))
    .map((one) => ({
      title: one.title,
      version: one.version,
      from: one.org ?? one.source,
      breaks: one.breaking === 'major',
      security: one.security === 1,
      url: releaseWebUrl(ctx.config.webUrl, one),
    }));
}

const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

function mailOf(ctx: Context, row: DigestSettingsRow, told: Told) {
  const { webUrl, siteName } = ctx.config;
  const off = `${webUrl}/digest/off?t=${offToken(ctx, row.user_id)}`;
  const clock = `${String(row.hour).padStart(2, '0')}:00, ${row.zone}`;
  const concerned = [...new Set(told.rows.flatMap((one) => one.stacks))];
  const facts: DigestInfo = {
    ...told,
    siteName,
    since: new Date(row.told_at),
    until: ctx.clock(),
    zone: row.zone,
    cadence: row.cadence === 'weekly' ? 'weekly' : 'daily',
    times: row.cadence === 'weekly' ? `on ${DAYS[row.weekday]} at ${clock}` : `each day at ${clock}`,
    links: {
      stack: concerned.length === 1 ? `${webUrl}/account/stacks/${concerned[0]}` : null,
      stacks: `${webUrl}/account/stacks`,
      following: `${webUrl}/following`,
      settings: `${webUrl}/account/digest`,
      off,
    },
  };
  const at = now(ctx);
  return {
    id: `${newId('dgm', ctx.randomBytes)}@${new URL(webUrl).hostname}`,
    user_id: row.user_id,
    subject: subjectOf(facts),
    text_part: digestText(facts),
    html_part: digestHtml(facts),
    unsubscribe: off,
    due_at: at,
    lease_until: null,
    attempts: 0,
    created_at: at,
  };
}
