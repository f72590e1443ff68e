// A public feed: its content, the validators of that state, and the document, which is built only when it is needed.
import { createHash } from 'node:crypto';
import { type Context, queries } from '../../context.ts';
import { atomDocument } from '../../domain/atom/feed.ts';
import { RENDERER } from '../../domain/markdown-html/render.ts';
import { elementAt } from '../../domain/records.ts';
import { cursorOf, feedRows, readCursor } from '../feeds/feed.ts';
import type { Branch, FeedFilter, FeedRequest } from '../feeds/feed-query.ts';
import { rowsOfIds } from '../feeds/rare-releases.ts';
import { feedItems } from '../release-items.ts';
import { feedAuthority } from './authority.ts';
import { atomEntries, entryHead } from './entries.ts';
import type { FeedSubject } from './subjects.ts';

const ENTRIES = 50;
const GENERATOR = 'Release Registry';

interface PublicFeedInput {
  filter: FeedFilter;
  // The filters that differ from their default, as a query; part of the feed's id and URL.
  filters: URLSearchParams;
  cursor?: string | undefined;
  // Both URLs are absolute and have no query.
  address: { self: string; page: string };
  version: string;
}

interface PublicFeed {
  // The opaque part of the ETag.
  tag: string;
  modified: Date;
  document(): Promise<string>;
}

export async function publicFeed(ctx: Context, subject: FeedSubject, input: PublicFeedInput): Promise<PublicFeed> {
  const request: FeedRequest = {
    branches: subject.branches,
    filter: { ...input.filter, ...subject.filter },
    page: { limit: ENTRIES + 1, includeContent: false },
    after: readCursor(input.cursor),
  };
  const rows = await feedRows(ctx, request);
  const shown = rows.slice(0, ENTRIES);
  const authority = await feedAuthority(ctx);
  const heads = (await feedItems(ctx, shown)).map((item, index) => entryHead(item, elementAt(shown, index), authority));
  const last = shown.at(-1);
  const next = rows.length > ENTRIES && last ? cursorOf(last) : null;
  const updated = heads.reduce((newest, head) => (head.updated > newest ? head.updated : newest), '');
  const feed = {
    id: `tag:${authority},2026:${[subject.key, input.filters.toString()].filter(Boolean).join(';')}`,
    title: `${subject.name} – ${ctx.config.siteName}`,
    subtitle: subject.description,
    updated: updated || (subject.createdAt ?? RENDERER.since),
    self: addressOf(input.address.self, input.filters, input.cursor),
    alternate: input.address.page,
    next: next === null ? null : addressOf(input.address.self, input.filters, next),
    author: subject.author ?? ctx.config.siteName,
    icon: subject.icon,
    generator: { name: GENERATOR, version: input.version },
  };
  const texts = shown.map((row) => row.content_hash);
  return {
    tag: hashOf([RENDERER.version, feed, heads, texts]),
    modified: wholeSecond([await lastChange(ctx, subject), subject.changedAt, feed.updated, RENDERER.since]),
    async document() {
      const ids = shown.map(({ id }) => id);
      const whole = await rowsOfIds(ctx, ids, { limit: ENTRIES, includeContent: true });
      return atomDocument({ ...feed, entries: await atomEntries(ctx, whole) });
    },
  };
}

function addressOf(path: string, filters: URLSearchParams, cursor: string | undefined): string {
  const query = new URLSearchParams(filters);
  if (cursor !== undefined) query.set('cursor', cursor);
  return query.size > 0 ? `${path}?${query}` : path;
}

function hashOf(state: unknown): string {
  return createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 27);
}

// Rounded up to whole seconds, so that the feed never looks older than its newest entry.
function wholeSecond(times: readonly (string | null)[]): Date {
  const newest = Math.max(...times.map((time) => (time === null ? 0 : Date.parse(time))));
  return new Date(Math.ceil(newest / 1000) * 1000);
}

// The time of the last change to the releases of a feed. Every write that a feed shows updates the time of its source.

export async function lastChange(ctx: Context, { branches }: FeedSubject): Promise<string | null> {
  if (branches.length === 0) return null;
  let query = queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .select(({ fn }) => [
      fn.max('f.changed_at').as('releases'),
      fn.max('s.updated_at').as('sources'),
      fn.max('p.updated_at').as('products'),
      fn.max('o.updated_at').as('orgs'),
    ]);
  const owned = branches.filter(isOwner);
  // A release that leaves a category also changes its feed, so the changes of every source count there.
  if (owned.length === branches.length) {
    const columns = Map.groupBy(owned, ({ column }) => COLUMNS[column]);
    query = query.where((eb) =>
      eb.or(
        [...columns].map(([column, of]) =>
          eb(
            column,
            'in',
            of.map(({ value }) => value),
          ),
        ),
      ),
    );
  }
  const row = await query.executeTakeFirst();
  const times = [row?.releases, row?.sources, row?.products, row?.orgs].filter((time) => typeof time === 'string');
  return times.sort().at(-1) ?? null;
}

const COLUMNS = { org_id: 's.org_id', product_id: 's.product_id', source_id: 's.id' } as const;
type OwnerBranch = Extract<Branch, { value: string }> & { column: keyof typeof COLUMNS };

function isOwner(branch: Branch): branch is OwnerBranch {
  return branch.column !== null && branch.column in COLUMNS;
}
