// The summary of a release.

import { unmark } from '../clean-text.ts';
import { tidyInline } from './clean-item.ts';
import { cutWithEllipsis } from './cut.ts';
import { plainText } from './plain-text.ts';
import { sentenceSpans } from './sentences.ts';
import { standaloneText } from './standalone.ts';
import { isBoilerplate, isEmptyTalk, isThanks, isTimestamp } from './talk.ts';
import type { NoteBody, NoteItem } from './types.ts';

const MAX_SUMMARY_LENGTH = 280;
const MIN_LEAD_LENGTH = 40;
const MAX_ITEMS = 3;
const MAX_LEAD_PARAGRAPHS = 3;
// How many entries are read in search of different ones.
const MAX_READ = 60;

// The lead paragraph, else the most important entries, else any plain text.
export function summary(body: NoteBody, ranked: readonly NoteItem[]): string {
  const lead = leadSentences(body);
  if (lead.length > 0) return fitted(lead, ' ');
  const telling = ranked.filter(({ boilerplate }) => !boilerplate);
  const rest = telling.length > 0 ? telling : ranked.length > 0 ? ranked : fallbackItems(body.items);
  if (rest.length > 0) return fitted(uniqueTexts(rest, body), '; ');
  if (body.items.length > 0) return fitted(besideTexts(body), ' ');
  const text = plainText(body.content, 2 * MAX_SUMMARY_LENGTH);
  return isTimestamp(text) ? '' : cutWithEllipsis(text, MAX_SUMMARY_LENGTH);
}

// The informative sentences of the first paragraph that has any; none when they are too short to be a summary.
function leadSentences(body: NoteBody): string[] {
  for (const { start, end } of body.lead.slice(0, MAX_LEAD_PARAGRAPHS)) {
    const sentences: string[] = [];
    for (const span of sentenceSpans(body.content, start, Math.min(end, start + 20 * MAX_SUMMARY_LENGTH))) {
      const raw = body.content.slice(span.start, span.end);
      const text = unmark(tidyInline(raw));
      // "It can be installed with" introduces the code below it.
      if (/ (?:with|by|to|as|from|for|via|like|using)$/i.test(text)) continue;
      const hasLink = /\]\(|https?:\/\/|<a\s/i.test(raw);
      if (text && !isThanks(raw, text) && !isEmptyTalk(raw.endsWith(':') ? raw : text, hasLink)) sentences.push(text);
    }
    if (sentences.join(' ').length >= MIN_LEAD_LENGTH) return sentences;
    if (sentences.length > 0) return [];
  }
  return [];
}

function fallbackItems(items: readonly NoteItem[]): NoteItem[] {
  const telling = items.filter((item) => item.class === null && !item.boilerplate && !isEmptyTalk(item.text, false));
  if (telling.length > 0) return telling;
  const other = items.filter((item) => item.class !== null && !item.boilerplate);
  if (other.length > 0) return other;
  const plain = items.filter(({ boilerplate }) => !boilerplate);
  return plain.length > 0 ? plain : items.filter(({ text }) => isBoilerplate(text));
}

// The paragraphs beside a list without informative entries.
function besideTexts({ content, asides }: NoteBody): string[] {
  return asides
    .slice(0, MAX_ITEMS)
    .map(({ start, end }) => unmark(tidyInline(content.slice(start, Math.min(end, start + 20 * MAX_SUMMARY_LENGTH)))))
    .filter((text) => text !== '' && !isEmptyTalk(text, false));
}

function uniqueTexts(items: readonly NoteItem[], body: NoteBody): string[] {
  // Two sections often have the same entry, once with a link whose removal closed a gap.
  const texts: string[] = [];
  for (const item of items.slice(0, MAX_READ)) {
    const text = standaloneText(item, body);
    if (!texts.some((known) => differInSpace(known, text))) texts.push(text);
    if (texts.length === MAX_ITEMS) break;
  }
  return texts;
}

// Whether two texts are the same but for white space. Different ones mostly differ at their first letters.
function differInSpace(a: string, b: string): boolean {
  for (let i = 0, j = 0; ; i += 1, j += 1) {
    while (isSpace(a, i)) i += 1;
    while (isSpace(b, j)) j += 1;
    if (i >= a.length || j >= b.length) return i >= a.length && j >= b.length;
    if (a.charCodeAt(i) !== b.charCodeAt(j)) return false;
  }
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : at < text.length && /\s/.test(text.charAt(at));
}

// As many whole parts as fit; only the first may be shortened.
function fitted(parts: readonly string[], separator: string): string {
  let text = '';
  for (const part of parts) {
    if (text === '') text = cutWithEllipsis(part, MAX_SUMMARY_LENGTH);
    else if (text.length + separator.length + part.length <= MAX_SUMMARY_LENGTH) text += separator + part;
    else if (separator === ' ') break;
  }
  return text;
}
