// Feeds as sources. `adapter.ts` is the adapter; `parse-feed.ts` reads a feed of any format, `item.ts` holds the field table.
export { fetchFeed } from './adapter.ts';
export { ARTICLES_PER_RUN, type Article, isThinFeed, readArticle } from './articles.ts';
