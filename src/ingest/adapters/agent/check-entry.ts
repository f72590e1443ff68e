// Checks the entries of a model against the page: a statement counts only as far as the page contains it.
import { z } from 'zod';
import { findDate, readDate } from '../../../domain/dates/index.ts';
import { bodyMedia } from '../../../domain/html/media.ts';
import { deriveSlug } from '../../../domain/slugs.ts';
import { normalizeUrl } from '../../../domain/urls.ts';
import type { Item } from '../contract.ts';
import { versionOfTitle } from '../scrape/entry.ts';
import { entryPageBody } from '../scrape/entry-page-body.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import type { ReadPage } from './read-pages.ts';

const submittedEntry = z.object({
  page: z.string().max(2048),
  title: z.string().min(1).max(300),
  date: z.string().max(100).nullish(),
  version: z.string().max(100).nullish(),
  url: z.string().max(2048).nullish(),
  content: z.string().max(200_000).nullish(),
});

type SubmittedEntry = z.infer<typeof submittedEntry>;

export interface CheckInfo {
  find: (url: string) => ReadPage | null;
  hosts: AllowedHosts;
  sourceUrl: string;
  names: readonly string[];
  now: Date;
}

type Check = { ok: true; item: Item } | { ok: false; reason: string };

export function checkEntry(given: unknown, facts: CheckInfo): Check {
  const parsed = submittedEntry.safeParse(given);
  if (!parsed.success) return rejected('an entry needs at least page and title, as texts');
  const entry = parsed.data;
  const page = facts.find(entry.page);
  if (page === null) return rejected('page: it was not read');
  const { words } = foldedPage(page);
  if (!words.includes(foldWords(entry.title))) return rejected('title: it does not occur in the page');
  const dateText = entry.date?.trim() || null;
  if (dateText !== null && !words.includes(foldWords(dateText))) return rejected('date: it does not occur in the page');
  const context = { now: facts.now, relative: true };
  const date = dateText === null ? null : (readDate(dateText, context) ?? findDate(dateText, context));
  if (dateText !== null && date === null) return rejected('date: it is not a date');
  const url = addressOf(entry, page, facts);
  if (url === null) return rejected('url: it must be on the site and name one entry, not a list of them');
  const content = contentOf(entry.content ?? '', page) || bodyOf(page, facts);
  return {
    ok: true,
    item: {
      title: entry.title.trim(),
      content,
      version: versionOf(entry, words, facts.names),
      url,
      guid: null,
      publishedAt: date?.at ?? null,
      datePrecision: date?.precision ?? null,
      dateFromUpdated: false,
      media: bodyMedia(content),
      categories: [],
      links: [],
      origin: 'agent',
      confidence: 0.8,
    },
  };
}

// An entry without an address of its own is a fragment of the page that it came from.
function addressOf(
  { url, title, version }: SubmittedEntry,
  page: ReadPage,
  { hosts, sourceUrl }: CheckInfo,
): string | null {
  if (url) return hosts.allows(url) && !isIndex(url, sourceUrl) ? url : null;
  if (!isIndex(page.url, sourceUrl)) return page.url;
  const address = URL.parse(page.url);
  const slug = deriveSlug(version ?? '') ?? deriveSlug(title);
  if (address === null || slug === null) return null;
  address.hash = slug;
  return address.href;
}

function isIndex(url: string, sourceUrl: string): boolean {
  const key = normalizeUrl(url);
  return key === normalizeUrl(sourceUrl) || key === URL.parse(url)?.host.replace(/^www\./, '');
}

function versionOf({ version, title }: SubmittedEntry, words: string, names: readonly string[]): string | null {
  const stated = version?.trim();
  return stated && words.includes(foldWords(stated)) ? stated : versionOfTitle(title, names);
}

// Each line is checked alone; lines that the page does not contain are left out, whatever their markup.
function contentOf(content: string, page: ReadPage): string {
  const { letters } = foldedPage(page);
  const backed = content.split('\n').filter((line) => {
    const own = foldLetters(line);
    return own === '' || letters.includes(own);
  });
  return backed.join('\n').trim();
}

// The body of a page with one entry is the text of the page, whether the model copied it or not.
function bodyOf(page: ReadPage, { sourceUrl, names, now }: CheckInfo): string {
  if (page.html === '' || isIndex(page.url, sourceUrl)) return '';
  return entryPageBody(page.html, { address: page.url, names, now }).content;
}

const FOLDED = new WeakMap<ReadPage, { words: string; letters: string }>();

function foldedPage(page: ReadPage): { words: string; letters: string } {
  const known = FOLDED.get(page);
  if (known) return known;
  const folded = { words: foldWords(page.markdown), letters: foldLetters(page.markdown) };
  FOLDED.set(page, folded);
  return folded;
}

function foldWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*_`\\]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function foldLetters(text: string): string {
  return text
    .replace(/\]\([^()\s]{1,2048}\)/g, ']')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function rejected(reason: string): Check {
  return { ok: false, reason };
}
