// Web pages as sources. `fetch-page.ts` is the adapter; `parse-page.ts` runs the parsers of `parsers/` on one document,
// `score.ts` says which of them reads it best.
import type { SourceTypeDescriptor } from '../source-type.ts';

export const scrape: SourceTypeDescriptor = {
  fetch: async (ctx, input) => (await import('./fetch-page.ts')).fetchPage(ctx, input),
  address: ({ url }) => url,
};
