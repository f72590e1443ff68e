import { z } from 'zod';

export const count = z.int().min(0);

export const pagePagination = z
  .object({
    page: z.int().min(1),
    pageSize: z.int().min(1),
    returned: count,
    totalItems: count,
    totalPages: z.int().min(1),
    hasMore: z.boolean(),
  })
  .meta({ id: 'PagePagination' });

export const cursorPagination = z
  .object({ nextCursor: z.string().nullable(), limit: z.int().min(1) })
  .meta({ id: 'CursorPagination' });

export type PagePagination = z.infer<typeof pagePagination>;
export type CursorPagination = z.infer<typeof cursorPagination>;

export interface Page<T> {
  items: T[];
  pagination: PagePagination;
}

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), pagination: pagePagination });
}

export function paginate(input: { page: number; limit: number; returned: number; total: number }): PagePagination {
  const totalPages = Math.max(1, Math.ceil(input.total / input.limit));
  return {
    page: input.page,
    pageSize: input.limit,
    returned: input.returned,
    totalItems: input.total,
    totalPages,
    hasMore: input.page < totalPages,
  };
}
