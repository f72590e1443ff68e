// The adapter of web pages: fetched conditionally, read by the parser that suits the page best. Two values in place of a
// parser are pinned as well: the page has a markdown version at its provider, or is part of a help centre.

import { normalizeUrl } from '../../../domain/urls.ts';
import { parseJson } from '../../../store/json-text.ts';
import { readDocument } from '../../../threads/documents.ts';
import {
  type Adapter,
  type AdapterContext,
  type AdapterInput,
  type AdapterResult,
  adapterResult,
  type Item,
} from '../contract.ts';
import { PAGE_SIGNS } from '../discovery/page-signs.ts';
import { detectProvider, markdownVariant } from '../discovery/providers.ts';
import { articlesAddress, fetchZendesk } from '../discovery/zendesk.ts';
import { type Memory, memoryKey, recall, remember } from '../memory.ts';
import { type Failure, mayPass } from '../outcomes.ts';
import { PAGE_HASHING, TEXT_HASHING } from './body-hash.ts';
import type { PageEntry } from './entry.ts';
import { ENTRY_PAGE_READING } from './entry-page-body.ts';
import { pageItem } from './page-items.ts';
import { MARKDOWN_PARSING } from './parse-markdown-page.ts';
import { PAGE_PARSING, type PageReading } from './parse-page.ts';
import { type PageResult, renderPage, requestPage, storedValidator, validatorOf } from './request-page.ts';
import { GOOD_ENOUGH } from './score.ts';

const MARKDOWN_TWIN = 'markdown-twin';
const HELP_CENTRE = 'zendesk';
const MARKDOWN = 'markdown';

export const fetchPage: Adapter = async (ctx, input) => {
  const { source } = input;
  if (source.parser === HELP_CENTRE) {
    const result = await fetchZendesk(ctx, input);
    // When the article listing is gone, the page itself is read.
    if (result.outcome !== 'gone' && articlesAddress(source.url) !== null) return result;
    const plain = { ...input, source: { ...source, parser: null }, backfill: null };
    return readAnswer(ctx, plain, source.url, await requestPage(ctx, source.url));
  }
  const { markdownUrl } = parseJson(source.settings);
  const address = markdownUrl ?? (source.parser === MARKDOWN_TWIN ? twinOf(source.url) : source.url);
  const answer = await requestPage(ctx, address, storedValidator(input, address));
  // When the markdown version is gone, the page itself is read.
  if (
    answer.kind === 'failure' &&
    source.parser === MARKDOWN_TWIN &&
    markdownUrl === undefined &&
    answer.failure.outcome === 'gone'
  ) {
    const plain = { ...input, source: { ...source, parser: null } };
    return readAnswer(ctx, plain, source.url, await requestPage(ctx, source.url));
  }
  return readAnswer(ctx, input, address, answer);
};

function twinOf(url: string): string {
  return markdownVariant({ name: MARKDOWN_TWIN, feedPaths: [], markdownSuffix: true }, url) ?? url;
}

async function readAnswer(
  ctx: AdapterContext,
  input: AdapterInput,
  address: string,
  answer: PageResult,
): Promise<AdapterResult> {
  if (answer.kind === 'failure') return failed(ctx, answer.failure);
  if (answer.kind === 'unchanged') return adapterResult(ctx, { outcome: 'no_change', httpStatus: answer.status });
  const { status: httpStatus, text } = answer;
  const hashing = answer.kind === 'html' ? PAGE_HASHING : TEXT_HASHING;
  const contentHash = await readDocument(hashing, text, text.length);
  const validator = validatorOf(address, answer.answer, contentHash);
  if (storedValidator(input, address)?.contentHash === contentHash) {
    return adapterResult(ctx, { outcome: 'no_change', httpStatus, validators: [validator] });
  }
  if (answer.kind === 'markdown') return readMarkdown(ctx, input, answer, [validator]);
  return (await readProvided(ctx, input, answer)) ?? readHtml(ctx, input, answer, validator);
}

async function readMarkdown(
  ctx: AdapterContext,
  input: AdapterInput,
  { text, status: httpStatus }: { text: string; status: number },
  validators: AdapterResult['validators'],
  parser = MARKDOWN,
): Promise<AdapterResult> {
  // Releases link to the page and not to its markdown source.
  const options = { address: input.source.url, names: input.names, now: ctx.now };
  const items = await readDocument(MARKDOWN_PARSING, { markdown: text, options }, text.length);
  if (items.length === 0)
    return adapterResult(ctx, { outcome: 'empty', detail: 'no entry in the markdown', httpStatus });
  const sourceChanges = input.source.parser === MARKDOWN_TWIN || input.source.parser === parser ? {} : { parser };
  return adapterResult(ctx, {
    outcome: 'success',
    items: limited(input, items),
    validators,
    sourceChanges,
    httpStatus,
  });
}

// Some providers also serve every page as markdown, or its entries as a listing. Both are looked for once, while no parser is
// pinned.
async function readProvided(
  ctx: AdapterContext,
  input: AdapterInput,
  page: { text: string; finalUrl: string; answer: { headers: Readonly<Record<string, string>> } },
): Promise<AdapterResult | null> {
  if (input.source.parser !== null) return null;
  const { text, finalUrl } = page;
  const { generators } = await readDocument(PAGE_SIGNS, { html: text, pageUrl: finalUrl }, text.length);
  const provider = detectProvider({ url: finalUrl, headers: page.answer.headers, generators });
  if (provider?.name === HELP_CENTRE) return readHelpCentre(ctx, input);
  const twin = markdownVariant(provider, input.source.url);
  if (twin === null) return null;
  const answer = await requestPage(ctx, twin);
  if (answer.kind !== 'markdown') return null;
  const contentHash = await readDocument(TEXT_HASHING, answer.text, answer.text.length);
  const validator = validatorOf(twin, answer.answer, contentHash);
  const result = await readMarkdown(ctx, input, answer, [validator], MARKDOWN_TWIN);
  return result.outcome === 'success' ? result : null;
}

async function readHelpCentre(ctx: AdapterContext, input: AdapterInput): Promise<AdapterResult | null> {
  if (articlesAddress(input.source.url) === null) return null;
  const result = await fetchZendesk(ctx, input);
  const isRead = result.outcome === 'success' || result.outcome === 'no_change';
  return isRead ? { ...result, sourceChanges: { parser: HELP_CENTRE } } : null;
}

async function readHtml(
  ctx: AdapterContext,
  input: AdapterInput,
  { text, finalUrl, status: httpStatus }: { text: string; finalUrl: string; status: number },
  validator: AdapterResult['validators'][number],
): Promise<AdapterResult> {
  const pinned = recallParser(input.source.parser, input.memory);
  const options = { address: finalUrl, names: input.names, now: ctx.now, pinned };
  let reading = await readDocument(PAGE_PARSING, { html: text, options }, text.length);
  if (reading.parser === null && reading.needsBrowser) {
    if (ctx.settings.rendererUrl === null) {
      return adapterResult(ctx, { outcome: 'empty', detail: 'needs_renderer', httpStatus });
    }
    const rendered = await renderPage(ctx, finalUrl);
    if (rendered.kind === 'failure') return failed(ctx, rendered.failure);
    const { html } = rendered;
    reading = await readDocument(PAGE_PARSING, { html, options }, html.length);
  }
  if (reading.parser === null) return adapterResult(ctx, { outcome: 'empty', detail: scoreText(reading), httpStatus });
  const sourceChanges = reading.parser === input.source.parser ? {} : { parser: reading.parser };
  const stored = { validators: [validator], memory: rememberParser(reading.parser, reading.entries.length) };
  if (reading.parser !== 'index') {
    const items = limited(input, reading.items);
    return adapterResult(ctx, { outcome: 'success', items, ...stored, sourceChanges, httpStatus });
  }
  return readIndex(ctx, input, finalUrl, reading, { outcome: 'success', ...stored, sourceChanges, httpStatus });
}

// Entries that are left to later runs are not stored, and neither are validators, so that the next run reads them.
async function readIndex(
  ctx: AdapterContext,
  input: AdapterInput,
  address: string,
  reading: PageReading,
  result: Partial<AdapterResult> & Pick<AdapterResult, 'outcome'>,
): Promise<AdapterResult> {
  const list = { address, entries: limited(input, reading.entries), confidence: reading.score };
  const { items, left, failure } = await followLinks(ctx, input, list);
  if (failure) return { ...failed(ctx, failure), items, sourceChanges: result.sourceChanges ?? {} };
  if (left === 0) return adapterResult(ctx, { ...result, items });
  const notes = [`${left} linked pages left for later runs`];
  return adapterResult(ctx, { ...result, items, validators: [], memory: {}, notes, backfill: input.source.url });
}

function failed(ctx: AdapterContext, { outcome, detail, httpStatus, retryAt }: Failure): AdapterResult {
  return adapterResult(ctx, { outcome, detail, httpStatus, retryAt });
}

function limited<T>({ max }: AdapterInput, list: readonly T[]): T[] {
  return list.slice(0, max ?? list.length);
}

function scoreText({ scores }: PageReading): string {
  const parts = Object.entries(scores).map(([parser, score]) => `${parser} ${score}`);
  return `no parser reached ${GOOD_ENOUGH}: ${parts.join(', ')}`;
}

// How many entries the pinned parser found last time.
const ENTRIES = memoryKey<{ parser: string; entries: number }>('entries');

function recallParser(parser: string | null, memory?: Memory): { parser: string; entries: number } | null {
  if (parser === null) return null;
  const stored = recall(memory, ENTRIES);
  // The count of another parser is ignored: a person may have chosen this one.
  return { parser, entries: stored?.parser === parser ? stored.entries : 0 };
}

function rememberParser(parser: string, entries: number): Memory {
  return remember(ENTRIES, { parser, entries });
}

// Reads the pages behind an index list, ten new ones a run.

const PAGES_A_RUN = 10;
interface FollowedLinks {
  items: Item[];
  // The number of new entries that no run has read yet.
  left: number;
  // The failure that stopped the reading.
  failure: Failure | null;
}

async function followLinks(
  ctx: AdapterContext,
  { known, names }: Pick<AdapterInput, 'known' | 'names'>,
  list: { address: string; entries: readonly PageEntry[]; confidence: number },
): Promise<FollowedLinks> {
  const knownUrls = new Set([...known.urls].flatMap((url) => [url, normalizeUrl(url) ?? url]));
  const items: Item[] = [];
  let read = 0;
  let left = 0;
  let failure: Failure | null = null;
  for (const found of list.entries) {
    const item = pageItem(list.address, found, list.confidence);
    const isKnown = item.url !== null && (knownUrls.has(item.url) || knownUrls.has(normalizeUrl(item.url) ?? item.url));
    if (isKnown || item.url === null) {
      items.push(item);
    } else if (read >= PAGES_A_RUN || failure) {
      left += 1;
    } else {
      read += 1;
      const answer = await requestPage(ctx, item.url);
      if (answer.kind === 'failure' && mayPass(answer.failure)) {
        failure = answer.failure;
        left += 1;
      } else if (answer.kind === 'html') {
        const options = { address: answer.finalUrl, names, now: ctx.now };
        const { text: html } = answer;
        items.push({ ...item, ...(await readDocument(ENTRY_PAGE_READING, { html, options }, html.length)) });
      } else {
        items.push(answer.kind === 'markdown' ? { ...item, content: answer.text } : item);
      }
    }
  }
  return { items, left, failure };
}
