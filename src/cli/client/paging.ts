// Paged lists: one page, the page after a cursor, or all of them.
import { countFlag, EXIT, type Flag, type FlagValues, textFlag, UsageError } from '../command.ts';
import type { Api, Query } from './api.ts';
import type { Output } from './output.ts';
import type { Column } from './table.ts';

export const PAGING_FLAGS = {
  limit: { type: 'string', value: 'n', help: 'entries of one page' },
  cursor: { type: 'string', value: 'cursor', help: 'go on where a page ended' },
  all: { type: 'boolean', help: 'all pages' },
} satisfies Record<string, Flag>;

const MAX_ENTRIES = 500;

interface ListPage<T> {
  items: readonly T[];
  // The cursor of the next page.
  next: string | null;
  // The response as the server sent it.
  answer: unknown;
}

interface PagePosition {
  cursor: string | undefined;
  limit: number | undefined;
}

interface PagedList<T> {
  read(position: PagePosition): Promise<ListPage<T>>;
  columns: readonly Column<T>[];
  // The text for an empty list.
  none: string;
}

// Prints one page or all pages, depending on the flags.
export async function printList<T>(
  { flags, output }: { flags: FlagValues; output: Output },
  { read, columns, none }: PagedList<T>,
): Promise<number> {
  const limit = countFlag(flags, 'limit', { most: MAX_ENTRIES });
  let cursor = textFlag(flags, 'cursor');
  let count = 0;
  let last: readonly T[] = [];
  for (;;) {
    const page = await read({ cursor, limit });
    count += page.items.length;
    last = page.items;
    if (output.mode !== 'json') output.rows(columns, page.items);
    else if (flags.all) for (const item of page.items) output.json(item, 'stream');
    else output.json(page.answer);
    cursor = page.next ?? undefined;
    if (!flags.all || cursor === undefined) break;
  }
  if (count === 0) output.note(none);
  output.openHint(columns, last);
  if (cursor !== undefined) output.note(`there is more: --cursor ${cursor}, or --all`);
  return EXIT.ok;
}

interface PageRoute {
  path: string;
  query?: Query;
  // The key of the list in the response.
  key: string;
}

// The list has its own key beside the pagination.
type ListAnswer<T, P> = { pagination: P } & { [key: string]: readonly T[] | P };

function itemsIn<T>(answer: ListAnswer<T, unknown>, key: string): readonly T[] {
  const items = answer[key];
  return Array.isArray(items) ? items : [];
}

// Lists with an opaque cursor.
export function cursorPages<T>(api: Api, { path, query, key }: PageRoute): PagedList<T>['read'] {
  return async ({ cursor, limit }) => {
    const answer = await api.get<ListAnswer<T, { nextCursor: string | null }>>(path, { ...query, cursor, limit });
    return { items: itemsIn(answer, key), next: answer.pagination.nextCursor, answer };
  };
}

// Lists with numbered pages; the cursor is the number of the next one.
export function numberedPages<T>(api: Api, { path, query, key }: PageRoute): PagedList<T>['read'] {
  return async ({ cursor, limit }) => {
    if (cursor !== undefined && !/^[1-9]\d{0,8}$/.test(cursor)) {
      throw new UsageError(`--cursor of this list is the number of a page, not "${cursor}"`);
    }
    type Numbered = ListAnswer<T, { page: number; hasMore: boolean }>;
    const answer = await api.get<Numbered>(path, { ...query, page: cursor, limit });
    const { page, hasMore } = answer.pagination;
    return { items: itemsIn(answer, key), next: hasMore ? String(page + 1) : null, answer };
  };
}

// Lists without pages.
export function wholeList<T>(api: Api, { path, query, key }: PageRoute): PagedList<T>['read'] {
  return async () => {
    const answer = await api.get<ListAnswer<T, unknown>>(path, query);
    return { items: itemsIn(answer, key), next: null, answer };
  };
}
