import { type Page, paginate } from '../contract/pagination.ts';

// One page of a list that is short enough to be read whole.
export function pageOfList<T>(all: readonly T[], { page, limit }: { page: number; limit: number }): Page<T> {
  const items = all.slice((page - 1) * limit, page * limit);
  return { items, pagination: paginate({ page, limit, returned: items.length, total: all.length }) };
}
