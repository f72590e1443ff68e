// Everything that can be found at a page: a video listing, its feed, its markdown, or entries in the page itself.

import { elementsOf, rawText, tagName } from '../../../domain/html/elements.ts';
import { parseHtml } from '../../../domain/html/parse.ts';
import { oneLine } from '../../../domain/html/text.ts';
import { readDocument } from '../../../threads/documents.ts';
import { threadTask } from '../../../threads/task.ts';
import type { AdapterContext } from '../contract.ts';
import { discoverFeed, type InspectedPage, inspectPage } from '../discovery/discover.ts';
import { markdownVariant } from '../discovery/providers.ts';
import { articlesAddress, fetchZendesk } from '../discovery/zendesk.ts';
import { documentText } from '../document-text.ts';
import { feedFacts } from '../feed/probe.ts';
import { fetchFailureOf } from '../outcomes.ts';
import { questionAbout, samples, unproven } from '../probing.ts';
import type { FileInfo, PageInfo, PageStructure, Proof, SampleItem } from '../proofs.ts';
import { readVideoAddress } from '../video/address.ts';
import { probeVideo } from '../video/probe.ts';
import { MARKDOWN_PARSING } from './parse-markdown-page.ts';
import { PAGE_PARSING, type PageReading } from './parse-page.ts';

export async function probePage(ctx: AdapterContext, url: string): Promise<Proof<PageInfo>> {
  const video = readVideoAddress(url);
  if (video?.kind === 'single') return { verdict: 'refused', reason: 'single_video' };
  if (video) return probeVideoPage(ctx, url);
  const page = await inspectPage(ctx, url);
  if ('outcome' in page) return unproven(page);
  const found = page.feed ?? (await discoverFeed(ctx, url, { page }));
  const feed = found && { feedUrl: found.feedUrl, ...feedFacts(found) };
  const options = { address: page.finalUrl, names: [], now: ctx.now };
  const { html } = page;
  const reading = page.feed ? null : await readDocument(PAGE_PARSING, { html, options }, html.length);
  const markdown = page.feed ? null : await markdownOf(ctx, page);
  const articles = await articlesOf(ctx, page);
  return {
    ...NOTHING,
    verdict: 'proven',
    finalUrl: page.finalUrl,
    ...(page.feed ? {} : await readDocument(TITLES, html.slice(0, HEAD), Math.min(html.length, HEAD))),
    provider: page.provider?.name ?? null,
    structure: articles ? 'index_with_pages' : structureOf(page, reading, markdown),
    feed,
    markdown,
    score: articles ? 1 : (reading?.score ?? 0),
    parser: articles ? 'zendesk' : (reading?.parser ?? null),
    items: articles ?? samples(reading?.items ?? []),
  };
}

const NOTHING: Omit<PageInfo, 'finalUrl'> = {
  title: null,
  siteName: null,
  provider: null,
  structure: 'unknown',
  video: null,
  feed: null,
  markdown: null,
  score: 0,
  parser: null,
  items: [],
  notes: [],
};

async function probeVideoPage(ctx: AdapterContext, url: string): Promise<Proof<PageInfo>> {
  const proof = await probeVideo(ctx, url);
  if (proof.verdict !== 'proven') return proof;
  const { verdict, ...video } = proof;
  return { ...NOTHING, verdict, finalUrl: url, provider: video.provider, video };
}

// The page is markdown itself, or its provider serves a markdown version of it.
async function markdownOf(ctx: AdapterContext, { finalUrl, headers, html, provider }: InspectedPage) {
  const type = headers['content-type'] ?? '';
  const isText =
    /^text\/(?:markdown|x-markdown|plain)/i.test(type) || /\.(?:md|markdown|txt)$/i.test(new URL(finalUrl).pathname);
  if (isText && !/^\s*<(?:!doctype|html)/i.test(html)) {
    const options = { address: finalUrl, names: [], now: ctx.now };
    const items = await readDocument(MARKDOWN_PARSING, { markdown: html, options }, html.length);
    return items.length === 0 ? null : { url: finalUrl, items: samples(items) };
  }
  const twin = markdownVariant(provider, finalUrl);
  const proof = twin === null ? null : await probeFile(ctx, twin);
  return proof?.verdict === 'proven' ? { url: proof.url, items: proof.items } : null;
}

// A help centre names its articles in a listing of its own.
async function articlesOf(ctx: AdapterContext, { finalUrl, provider }: InspectedPage): Promise<SampleItem[] | null> {
  if (provider?.name !== 'zendesk' || articlesAddress(finalUrl) === null) return null;
  const question = questionAbout({ type: 'scrape', url: finalUrl });
  const { outcome, items } = await fetchZendesk(ctx, { ...question, firstFetch: false });
  return outcome === 'success' && items.length > 0 ? samples(items) : null;
}

function structureOf(page: InspectedPage, reading: PageReading | null, markdown: FileInfo | null): PageStructure {
  if (page.feed) return 'feed_only';
  if (markdown) return 'single_page';
  if (reading?.needsBrowser) return 'dynamic';
  if (!reading?.parser) return 'unknown';
  return reading.parser === 'index' ? 'index_with_pages' : 'single_page';
}

const HEAD = 200_000;

export function titlesOf(html: string): Pick<PageInfo, 'title' | 'siteName'> {
  let title: string | null = null;
  let siteName: string | null = null;
  for (const element of elementsOf(parseHtml(html).children)) {
    if (tagName(element) === 'title') title ??= oneLine(rawText(element.children)) || null;
    if (tagName(element) === 'meta' && element.attribs.property === 'og:site_name') {
      siteName ??= oneLine(element.attribs.content ?? '') || null;
    }
  }
  return { title, siteName };
}

const TITLES = threadTask(import.meta.url, titlesOf);

const PAGE = /^\s*<(?:!doctype|html)/i;

// A text in which the changelog parser finds an entry.
export async function probeFile(ctx: AdapterContext, url: string): Promise<Proof<FileInfo>> {
  const forbidden = await ctx.robotsFailure(url);
  if (forbidden) return unproven(forbidden);
  const answer = await ctx.fetch({ url, headers: { accept: 'text/markdown, text/plain;q=0.9, */*;q=0.1' } });
  const failure = fetchFailureOf(answer, ctx.now);
  if (failure !== null || !answer.ok) return failure ? unproven(failure) : { verdict: 'unreachable', reason: 'error' };
  const text = await documentText(answer);
  const options = { address: url, names: [], now: ctx.now };
  const items = PAGE.test(text) ? [] : await readDocument(MARKDOWN_PARSING, { markdown: text, options }, text.length);
  if (items.length === 0) return { verdict: 'refused', reason: 'no_entries', status: answer.status };
  return { verdict: 'proven', url, items: samples(items) };
}
