// Lists with numbered pages: cut to the budget so that the next call begins exactly where this result ends.
import type { z } from 'zod';
import type { PagePagination } from '../contract/pagination.ts';
import { type Cut, excerptCut, type Fitted } from './budget.ts';
import { fitResult } from './result.ts';
import { COMPLETE, type pagePaging, type Truncation } from './shapes.ts';
import type { Arguments, ToolCall } from './tool.ts';

type PageValue<K extends string, T> = Record<K, T[]> & { pagination: z.infer<typeof pagePaging> };

interface PageSpec<K extends string, T> {
  key: K;
  items: T[];
  pagination: PagePagination;
  shorten(item: T, length: number): T;
  text(value: PageValue<K, T>): string;
}

// Part of a page is a smaller page of its own, where the items before it are a whole number of such pages.
export function fitPage<K extends string, T>(call: ToolCall, spec: PageSpec<K, T>): Promise<Fitted<PageValue<K, T>>> {
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
