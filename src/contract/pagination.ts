import { z } from 'zod';

export const count = z.int().min(0);

export const pagePagination = z
  .object({
    page: z.int().min(1).describe('Number of the page, from 1.'),
    pageSize: z.int().min(1).meta({ description: 'Largest number of rows of a page.', example: 20 }),
    returned: count.describe('Rows in this answer.'),
    totalItems: count.describe('Rows on all pages.'),
    totalPages: z.int().min(1).describe('Number of pages.'),
    hasMore: z.boolean().meta({ description: 'Whether further pages follow.', example: false }),
  })
  .meta({ id: 'PagePagination' })
  .describe('Where this page stands, and how to get the next one.');

export const cursorPagination = z
  .object({
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass it as `cursor` for the next page; null: this is the last one.', example: null }),
    limit: z.int().min(1).meta({ description: 'Largest number of rows of a page.', example: 20 }),
  })
  .meta({ id: 'CursorPagination' })
  .describe('Where this page stands, and how to get the next one.');

export type PagePagination = z.infer<typeof pagePagination>;
export type CursorPagination = z.infer<typeof cursorPagination>;

export interface Page<T> {
  items: T[];
  pagination: PagePagination;
}

export function rowsOf<T extends z.ZodType>(item: T) {
  return z.array(item).describe('Rows of this page.');
}

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: rowsOf(item), pagination: pagePagination });
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
