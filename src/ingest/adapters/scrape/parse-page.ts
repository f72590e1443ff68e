// Runs the candidate parsers on one page and returns the best reading.
import { threadTask } from '../../../threads/task.ts';
import type { Item } from '../contract.ts';
import { PARSERS, type PageEntry, type ParserName } from './entry.ts';
import { type PageDocument, type PageOptions, readPageDocument } from './page-document.ts';
import { pageItems } from './page-items.ts';
import { parseArticles } from './parsers/articles.ts';
import { parseHeadings } from './parsers/headings.ts';
import { parseIndexList } from './parsers/index-list.ts';
import { parseJsonLd } from './parsers/json-ld.ts';
import { parseSiblings } from './parsers/siblings.ts';
import { parseState } from './parsers/state.ts';
import { GOOD_ENOUGH, scoreEntries } from './score.ts';

export interface ParsePageOptions extends PageOptions {
  // The parser that read the page so far, and how many entries it found.
  pinned?: { parser: string; entries: number } | null;
  // The page is one entry, not a list of them.
  entryPage?: boolean;
}

export interface PageReading {
  // Null when none reads the page well enough.
  parser: ParserName | null;
  score: number;
  // Of every parser that was tried.
  scores: Partial<Record<ParserName, number>>;
  entries: PageEntry[];
  items: Item[];
  // The page has so little text for its markup that scripts must render it.
  needsBrowser: boolean;
}

const PARSE: Record<ParserName, (page: PageDocument) => PageEntry[]> = {
  'json-ld': parseJsonLd,
  article: parseArticles,
  siblings: parseSiblings,
  headings: parseHeadings,
  state: parseState,
  index: parseIndexList,
};
const VISIBLE_SHARE = 0.05;

export function parsePage(html: string, options: ParsePageOptions): PageReading {
  const page = readPageDocument(html, options);
  const least = options.entryPage ? 1 : 2;
  const pinned = readPinned(page, options.pinned ?? null, least);
  if (pinned) return pinned;

  const scores: PageReading['scores'] = {};
  let best: { parser: ParserName; entries: PageEntry[]; score: number } | null = null;
  for (const parser of PARSERS) {
    const entries = PARSE[parser](page);
    const score = scoreEntries(page, entries, { least });
    scores[parser] = score;
    // Ties go to the earlier one.
    if (score >= GOOD_ENOUGH && score > (best?.score ?? 0)) best = { parser, entries, score };
  }
  return reading(page, best, scores);
}

// A pinned parser is used while it finds at least half as many entries as before.
function readPinned(page: PageDocument, pinned: ParsePageOptions['pinned'], least: number): PageReading | null {
  const parser = PARSERS.find((name) => name === pinned?.parser);
  if (!parser || !pinned) return null;
  const entries = PARSE[parser](page);
  if (entries.length === 0 || entries.length < pinned.entries / 2) return null;
  const score = scoreEntries(page, entries, { least });
  return reading(page, { parser, entries, score }, { [parser]: score });
}

function reading(
  page: PageDocument,
  best: { parser: ParserName; entries: PageEntry[]; score: number } | null,
  scores: PageReading['scores'],
): PageReading {
  return {
    parser: best?.parser ?? null,
    score: best?.score ?? 0,
    scores,
    entries: best?.entries ?? [],
    items: best ? pageItems(page.address, best.entries, best.score) : [],
    needsBrowser: best === null && page.visibleShare < VISIBLE_SHARE,
  };
}

export function parsePageDocument(input: { html: string; options: ParsePageOptions }): PageReading {
  return parsePage(input.html, input.options);
}

export const PAGE_PARSING = threadTask(import.meta.url, parsePageDocument);
