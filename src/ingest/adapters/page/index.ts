// Web pages as sources. `fetch-page.ts` is the adapter; `parse-page.ts` runs the parsers of `parsers/` on one document,
// `score.ts` says which of them reads it best.
export { fetchPage } from './fetch-page.ts';
