// Lists that go on: cut to the budget so that the next call begins exactly where this result ends.
import type { z } from 'zod';
import type { PagePagination } from '../contract/pagination.ts';
import type { ReleaseFeed } from '../contract/release.ts';
import { type Cut, excerptCut, type Fitted, listCut } from './budget.ts';
import { fitResult } from './result.ts';
import {
  COMPLETE,
  type cursorPaging,
  excerptItem,
  type pagePaging,
  type ReleaseListItem,
  type Truncation,
  toListItem,
} from './shapes.ts';
import type { Arguments, ToolCall } from './tool.ts';

export type FeedValue<H extends object> = H & { releases: ReleaseListItem[]; pagination: z.infer<typeof cursorPaging> };

interface FeedSpec<H extends object> {
  limit: number;
  read(limit: number): Promise<ReleaseFeed>;
  // What the result holds besides the releases, and how it may be cut.
  head: H;
  headCuts?: readonly Cut<FeedValue<H>>[];
  text(value: FeedValue<H>): string;
}

// A cursor stands at the end of a page, so a page that is too large is read again, as long as the part that fits.
export async function fitFeed<H extends object>(call: ToolCall, spec: FeedSpec<H>): Promise<Fitted<FeedValue<H>>> {
  const first = await spec.read(spec.limit);
  // How many releases there are; null while the end is not known.
  const available = first.pagination.nextCursor === null ? first.releases.length : null;
  for (let feed = first; ; ) {
    const fitted = fitResult(feedDraft(call, spec, { feed, available }), call.maxTokens);
    const kept = fitted.value.releases.length;
    if (kept === feed.releases.length) return fitted;
    feed = await spec.read(kept);
  }
}

interface FeedPart {
  feed: ReleaseFeed;
  available: number | null;
}

function feedDraft<H extends object>({ given }: ToolCall, spec: FeedSpec<H>, { feed, available }: FeedPart) {
  const { nextCursor } = feed.pagination;
  const build = (releases: ReleaseListItem[]): FeedValue<H> => ({
    ...spec.head,
    releases,
    pagination: {
      kind: 'cursor',
      returned: releases.length,
      limit: spec.limit,
      hasMore: nextCursor !== null,
      ...(nextCursor === null ? {} : { nextCursor }),
    },
  });
  const items = feed.releases.map(toListItem);
  const cuts: Cut<FeedValue<H>>[] = [
    {
      ...listCut('releases', 1),
      apply: (value, steps) => withReleases(value, value.releases.slice(0, -steps || undefined)),
    },
    ...(spec.headCuts ?? []),
    excerptCut((value, length) =>
      withReleases(
        value,
        value.releases.map((item) => excerptItem(item, length)),
      ),
    ),
  ];
  const truncation = ({ releases }: FeedValue<H>, cut: boolean): Truncation => {
    const isShort = cut || releases.length < Math.min(spec.limit, available ?? spec.limit);
    if (!isShort && nextCursor === null) return COMPLETE;
    return {
      truncated: true,
      reason: isShort ? 'token_budget' : 'limit',
      omitted: available === null ? null : available - releases.length,
      next: nextCursor === null ? null : { ...given, cursor: nextCursor },
    };
  };
  return { value: build(items), cuts, text: spec.text, truncation };
}

function withReleases<T extends FeedValue<object>>(value: T, releases: ReleaseListItem[]): T {
  return { ...value, releases, pagination: { ...value.pagination, returned: releases.length } };
}

type PageValue<K extends string, T> = Record<K, T[]> & { pagination: z.infer<typeof pagePaging> };

interface PageSpec<K extends string, T> {
  key: K;
  items: T[];
  pagination: PagePagination;
  shorten(item: T, length: number): T;
  text(value: PageValue<K, T>): string;
}

// Part of a page is a smaller page of its own, where the items before it are a whole number of such pages.
export function fitPage<K extends string, T>(call: ToolCall, spec: PageSpec<K, T>): Fitted<PageValue<K, T>> {
  const { key, items, pagination } = spec;
  const before = (pagination.page - 1) * pagination.pageSize;
  const smaller = smallerSizes(before, items.length);
  const build = (shown: T[], pageSize: number) =>
    ({
      [key]: shown,
      pagination: pagingOf({ before, pageSize, returned: shown.length, total: pagination.totalItems }),
    }) as PageValue<K, T>;
  const cuts: Cut<PageValue<K, T>>[] = [
    {
      most: () => smaller.length,
      apply: (value, steps) => {
        const size = smaller[steps - 1];
        return size === undefined ? value : build(items.slice(0, size), size);
      },
    },
    excerptCut((value, length) => ({ ...value, [key]: value[key].map((item) => spec.shorten(item, length)) })),
  ];
  return fitResult(
    {
      value: build(items, pagination.pageSize),
      cuts,
      text: spec.text,
      truncation: (value, cut) => pageTruncation(call.given, value.pagination, { cut, before }),
    },
    call.maxTokens,
  );
}

// Sizes below `size`, largest first, that divide what stands before the page.
export function smallerSizes(before: number, size: number): number[] {
  return Array.from({ length: Math.max(0, size - 1) }, (_, index) => size - 1 - index).filter(
    (each) => before % each === 0,
  );
}

function pagingOf(part: {
  before: number;
  pageSize: number;
  returned: number;
  total: number;
}): z.infer<typeof pagePaging> {
  const { before, pageSize, returned, total } = part;
  const page = before / pageSize + 1;
  const totalPages = Math.max(1, Math.ceil(total / pageSize));
  const hasMore = page < totalPages;
  const next = hasMore ? { nextPage: page + 1 } : {};
  return { kind: 'page', page, pageSize, returned, totalItems: total, totalPages, hasMore, ...next };
}

function pageTruncation(
  given: Arguments,
  { nextPage, pageSize, returned, totalItems }: z.infer<typeof pagePaging>,
  { cut, before }: { cut: boolean; before: number },
): Truncation {
  if (!cut && nextPage === undefined) return COMPLETE;
  return {
    truncated: true,
    reason: cut ? 'token_budget' : 'limit',
    omitted: Math.max(0, totalItems - before - returned),
    next: nextPage === undefined ? null : { ...given, page: nextPage, limit: pageSize },
  };
}
