// The text of a digest, written when it is sent: what was corrected, hidden or deleted since it was made is told as it is.
import { type Context, queries } from '../../context.ts';
import { type DigestInfo, subjectOf } from '../../domain/digest-mail/content.ts';
import { digestHtml } from '../../domain/digest-mail/html.ts';
import { digestText } from '../../domain/digest-mail/text.ts';
import { parseJson } from '../../store/json-text.ts';
import type { DigestMailRow, DigestSettingsRow } from '../../store/schema/digest.ts';
import { onBehalfOf } from '../on-behalf-of.ts';
import { followedNews, stackNews } from './news.ts';
import { offToken } from './settings.ts';

const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

interface WrittenMail {
  subject: string;
  text: string;
  html: string;
  // The address that stops the mail.
  unsubscribe: string;
}

// Null when nothing of it is left to tell.
export async function writeDigest(given: Context, mail: DigestMailRow): Promise<WrittenMail | null> {
  const ctx = onBehalfOf(given, mail.user_id);
  const db = queries(ctx);
  const own = db.selectFrom('digest_settings').selectAll().where('user_id', '=', mail.user_id);
  const row = await own.executeTakeFirst();
  if (!row) return null;
  const { packages, releases, since, until } = parseJson(mail.told);
  const stacks = await db.selectFrom('stacks').select(['id', 'name']).where('user_id', '=', row.user_id).execute();
  const names = new Map(stacks.map(({ id, name }) => [id, name]));
  const rows = await stackNews(ctx, row, { packages, names });
  const followed = await followedNews(ctx, row, { ids: releases });
  if (rows.length + followed.length === 0) return null;
  const counted = await db
    .selectFrom('stack_packages')
    .select(({ fn }) => fn.countAll<number>().as('packages'))
    .where('stack_id', 'in', [...names.keys(), ''])
    .executeTakeFirstOrThrow();
  const { webUrl } = ctx.config;
  const off = `${webUrl}/digest/off?t=${offToken(ctx, row.user_id)}`;
  const concerned = [...new Set(rows.flatMap((one) => one.stacks))];
  const facts: DigestInfo = {
    ...cadenceFacts(row),
    siteName: ctx.config.siteName,
    since: new Date(since),
    until: new Date(until),
    rows,
    followed,
    stacks: [...names.values()].sort(),
    packages: Number(counted.packages),
    links: {
      stack: concerned.length === 1 ? `${webUrl}/account/stacks/${concerned[0]}` : null,
      stacks: `${webUrl}/account/stacks`,
      following: `${webUrl}/following`,
      settings: `${webUrl}/account/digest`,
      off,
    },
  };
  return { subject: subjectOf(facts), text: digestText(facts), html: digestHtml(facts), unsubscribe: off };
}

function cadenceFacts(row: DigestSettingsRow): Pick<DigestInfo, 'zone' | 'cadence' | 'times'> {
  const clock = `${String(row.hour).padStart(2, '0')}:00, ${row.zone}`;
  const isWeekly = row.cadence === 'weekly';
  return {
    zone: row.zone,
    cadence: isWeekly ? 'weekly' : 'daily',
    times: isWeekly ? `on ${DAYS[row.weekday]} at ${clock}` : `each day at ${clock}`,
  };
}
