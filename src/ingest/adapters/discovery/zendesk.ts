// Help centres of Zendesk have no feed; their articles come as JSON.

import { readDate } from '../../../domain/dates/index.ts';
import { bodyMedia } from '../../../domain/html/media.ts';
import { lineText, linksIn } from '../../../domain/html/text.ts';
import { toMarkdown } from '../../../domain/html/to-markdown.ts';
import { versionInProse } from '../../../domain/versions/index.ts';
import { readDocument } from '../../../threads/documents.ts';
import { threadTask } from '../../../threads/task.ts';
import {
  type AdapterContext,
  type AdapterInput,
  type AdapterResult,
  adapterResult,
  type Item,
  type Validator,
} from '../contract.ts';
import { itemSetHash } from '../feed-document/parse-feed.ts';
import { emptyListing, readableAnswer } from '../outcomes.ts';

const LISTING_PATH =
  /^\/hc\/(?<locale>[a-z]{2}(?:-[a-z]{2,8})?)(?:\/(?<kind>sections|categories)\/(?<id>\d{1,20})[^/]*)?\/?$/i;
const MAX_PAGES = 10;

// The article listing of a help centre page; null for any other page.
export function articlesAddress(pageUrl: string): string | null {
  const url = URL.parse(pageUrl);
  const groups = url && LISTING_PATH.exec(url.pathname)?.groups;
  if (!url || !groups) return null;
  const { locale = '', kind, id } = groups;
  const inner = kind ? `${kind.toLowerCase()}/${id}/articles` : 'articles';
  const query = 'sort_by=created_at&sort_order=desc&per_page=100';
  return `${url.origin}/api/v2/help_center/${locale.toLowerCase()}/${inner}.json?${query}`;
}

interface ArticlePage {
  items: Item[];
  next: string | null;
}

// Null when the text is no article listing.
export function parseArticles(text: string, options: { now: Date; names: readonly string[] }): ArticlePage | null {
  const page = parsed(text);
  if (!Array.isArray(page?.articles)) return null;
  const items = page.articles.flatMap((article: unknown) => articleItem(article, options) ?? []);
  return { items, next: typeof page.next_page === 'string' ? page.next_page : null };
}

interface ArticleListing {
  body: Uint8Array;
  now: Date;
  names: readonly string[];
}

// `parseArticles` as a task for a thread.
export function parseArticleListing({ body, ...options }: ArticleListing) {
  const page = parseArticles(new TextDecoder().decode(body), options);
  return page && { ...page, itemsHash: itemSetHash(page.items) };
}

const ARTICLE_LISTING = threadTask(import.meta.url, parseArticleListing);

function articleItem(value: unknown, { now, names }: { now: Date; names: readonly string[] }): Item | null {
  if (value === null || typeof value !== 'object') return null;
  const article = value as Record<string, unknown>;
  const text = (key: string) => (typeof article[key] === 'string' ? article[key] : '');
  const title = lineText(text('title') || text('name')).slice(0, 500);
  if (title === '' || article.draft === true) return null;
  const url = text('html_url') || null;
  const body = text('body');
  const created = readDate(text('created_at'), { now });
  const date = created ?? readDate(text('updated_at'), { now });
  const content = toMarkdown(body, { address: url });
  return {
    title,
    content,
    version: versionInProse(title, names),
    url,
    guid: article.id === undefined ? null : String(article.id),
    publishedAt: date?.at ?? null,
    datePrecision: date?.precision ?? null,
    dateFromUpdated: created === null && date !== null,
    media: bodyMedia(body, { address: url }),
    categories: Array.isArray(article.label_names) ? article.label_names.filter((one) => typeof one === 'string') : [],
    links: linksIn(content),
    origin: 'page',
    confidence: 1,
  };
}

// Steady polls read the first page, the first fetch reads all pages.
export async function fetchZendesk(ctx: AdapterContext, input: AdapterInput): Promise<AdapterResult> {
  const start = articlesAddress(input.source.url);
  if (start === null) return adapterResult(ctx, { outcome: 'error', detail: 'not a help centre page' });
  const endpoint = input.backfill ?? start;
  const stored = input.firstFetch ? undefined : input.validators.find((one) => one.endpoint === endpoint);
  const readsOn = input.firstFetch || input.backfill !== null;
  const items: Item[] = [];
  let validator: Validator | null = null;
  let next: string | null = endpoint;
  for (let pages = 0; next !== null && pages < (readsOn ? MAX_PAGES : 1); pages += 1) {
    const conditions: Record<string, string> = stored?.etag ? { 'if-none-match': stored.etag } : {};
    const result = await ctx.fetch({ url: next, headers: { accept: 'application/json', ...conditions } });
    const answer = readableAnswer(result, ctx.now);
    if ('outcome' in answer) return adapterResult(ctx, { ...answer, items });
    if (answer.status === 304) return adapterResult(ctx, { outcome: 'no_change', httpStatus: 304 });
    const listing = { body: answer.body, now: ctx.now, names: input.names };
    const page = await readDocument(ARTICLE_LISTING, listing, listing.body.length);
    if (page === null) return adapterResult(ctx, { outcome: 'malformed', detail: 'not an article listing', items });
    items.push(...page.items);
    const contentHash = page.itemsHash;
    validator ??= {
      endpoint,
      etag: answer.headers.etag ?? null,
      lastModified: null,
      contentHash,
      tokenFingerprint: null,
    };
    if (stored?.contentHash === contentHash)
      return adapterResult(ctx, { outcome: 'no_change', validators: [validator] });
    next = sameOrigin(page.next, start);
  }
  const backfill = readsOn ? next : null;
  const found = items.length === 0 ? emptyListing(input.known) : { outcome: 'success' as const };
  const validators = found.outcome !== 'empty' && validator && input.backfill === null ? [validator] : [];
  const complete = input.firstFetch && input.backfill === null && next === null;
  return adapterResult(ctx, { ...found, items, backfill, httpStatus: 200, validators, complete });
}

function sameOrigin(next: string | null, start: string): string | null {
  return next !== null && URL.parse(next)?.origin === new URL(start).origin ? next : null;
}

function parsed(text: string): { articles?: unknown; next_page?: unknown } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
