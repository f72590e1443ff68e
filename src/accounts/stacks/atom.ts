// The feed of a stack: releases of its packages above the installed versions.
import { sql } from 'kysely';
import { feedAuthority } from '../../catalog/atom/authority.ts';
import { atomEntries } from '../../catalog/atom/entries.ts';
import { packageOfRelease } from '../../catalog/packages/of-release.ts';
import { cursorOf, feedRows, readCursor } from '../../catalog/releases/feed.ts';
import type { Branch } from '../../catalog/releases/feed-query.ts';
import { type Context, queries } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { atomDocument } from '../../domain/atom/feed.ts';
import type { MeaningFilter } from '../../domain/meaning/passes-meaning.ts';
import { addressQuery } from '../following/atom.ts';
import { openStackFeed } from './feed-token.ts';

const ENTRIES = 50;
const SUFFIX = '.atom';

interface StackFeedInput {
  token: string;
  cursor?: string;
  meaning?: MeaningFilter;
}

export async function stackAtomFeed(ctx: Context, input: StackFeedInput): Promise<string> {
  const token = input.token.endsWith(SUFFIX) ? input.token.slice(0, -SUFFIX.length) : input.token;
  const stack = await openStackFeed(ctx, token);
  if (stack === null) throw notFound('feed', '');
  const branches = await stackBranches(ctx, stack.id);
  const rows = await feedRows(ctx, {
    branches,
    filter: { meaning: input.meaning, only: aboveInstalled(stack.id) },
    page: { limit: ENTRIES + 1, includeContent: true },
    after: readCursor(input.cursor),
  });
  const shown = rows.slice(0, ENTRIES);
  const entries = await atomEntries(ctx, shown);
  const { baseUrl, webUrl, siteName } = ctx.config;
  const addressOf = (cursor?: string) => {
    const query = addressQuery(input.meaning ?? {}, cursor);
    return `${baseUrl}/v1/feed/stack/${token}${SUFFIX}${query === '' ? '' : `?${query}`}`;
  };
  const selected = addressQuery(input.meaning ?? {});
  const last = shown.at(-1);
  const times = entries.map((entry) => entry.updated).sort();
  return atomDocument({
    id: `tag:${await feedAuthority(ctx)},2026:stack/${stack.id}${selected === '' ? '' : `?${selected}`}`,
    title: `${stack.name} – ${siteName}`,
    updated: times.at(-1) ?? stack.created_at,
    self: addressOf(input.cursor),
    alternate: `${webUrl}/account/stacks/${stack.name}`,
    next: rows.length > ENTRIES && last ? addressOf(cursorOf(last)) : null,
    author: siteName,
    generator: { name: siteName, version: '1' },
    entries,
  });
}

// One range of the index for each source that tells about a package of the stack.
async function stackBranches(ctx: Context, stackId: string): Promise<Branch[]> {
  const rows = await queries(ctx)
    .selectFrom('stack_packages as k')
    .innerJoin('packages as m', (join) => join.onRef('m.ecosystem', '=', 'k.ecosystem').onRef('m.name', '=', 'k.name'))
    .select('m.source_id')
    .distinct()
    .where('k.stack_id', '=', stackId)
    .execute();
  return rows.map(({ source_id }) => ({ column: 'source_id', value: source_id }));
}

// A condition on the release `r`.
function aboveInstalled(stackId: string) {
  return sql<boolean>`EXISTS (SELECT 1 FROM packages m JOIN stack_packages k ON k.ecosystem = m.ecosystem AND k.name = m.name
    WHERE m.source_id = r.source_id AND ${packageOfRelease()} AND k.stack_id = ${stackId}
      AND (k.version_sort IS NULL OR r.version_sort > k.version_sort))`;
}
