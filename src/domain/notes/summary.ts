// The summary of a release.
import { isBoilerplate, isEmptyTalk, isThanks, isTimestamp } from './boilerplate.ts';
import { tidyInline } from './clean-item.ts';
import { unmark } from './code-marks.ts';
import { cutWithEllipsis } from './cut.ts';
import { standaloneText } from './item-texts.ts';
import { plainText } from './plain-text.ts';
import { sentenceSpans } from './sentences.ts';
import type { NoteBody, NoteItem } from './types.ts';

const LONGEST_SUMMARY = 280;
const SHORTEST_LEAD = 40;
const MOST_ITEMS = 3;
const MOST_LEAD_PARAGRAPHS = 3;
// How many entries are read in search of different ones.
const MOST_READ = 60;

// The lead paragraph, else the most important entries, else any plain text.
export function summary(body: NoteBody, ranked: readonly NoteItem[]): string {
  const lead = leadSentences(body);
  if (lead.length > 0) return fitted(lead, ' ');
  const telling = ranked.filter(({ boilerplate }) => !boilerplate);
  const rest = telling.length > 0 ? telling : ranked.length > 0 ? ranked : fallbackItems(body.items);
  if (rest.length > 0) return fitted(uniqueTexts(rest, body), '; ');
  if (body.items.length > 0) return fitted(besideTexts(body), ' ');
  const text = plainText(body.content, 2 * LONGEST_SUMMARY);
  return isTimestamp(text) ? '' : cutWithEllipsis(text, LONGEST_SUMMARY);
}

// The informative sentences of the first paragraph that has any; none when they are too short to be a summary.
function leadSentences(body: NoteBody): string[] {
  for (const { start, end } of body.lead.slice(0, MOST_LEAD_PARAGRAPHS)) {
    const sentences: string[] = [];
    for (const span of sentenceSpans(body.content, start, Math.min(end, start + 20 * LONGEST_SUMMARY))) {
      const raw = body.content.slice(span.start, span.end);
      const text = unmark(tidyInline(raw));
      // "It can be installed with" introduces the code below it.
      if (/ (?:with|by|to|as|from|for|via|like|using)$/i.test(text)) continue;
      const hasLink = /\]\(|https?:\/\/|<a\s/i.test(raw);
      if (text && !isThanks(raw, text) && !isEmptyTalk(raw.endsWith(':') ? raw : text, hasLink)) sentences.push(text);
    }
    if (sentences.join(' ').length >= SHORTEST_LEAD) return sentences;
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
    .slice(0, MOST_ITEMS)
    .map(({ start, end }) => unmark(tidyInline(content.slice(start, Math.min(end, start + 20 * LONGEST_SUMMARY)))))
    .filter((text) => text !== '' && !isEmptyTalk(text, false));
}

function uniqueTexts(items: readonly NoteItem[], body: NoteBody): string[] {
  const texts: string[] = [];
  for (const item of items.slice(0, MOST_READ)) {
    const text = standaloneText(item, body);
    if (!texts.includes(text)) texts.push(text);
    if (texts.length === MOST_ITEMS) break;
  }
  return texts;
}

// As many whole parts as fit; only the first may be shortened.
function fitted(parts: readonly string[], separator: string): string {
  let text = '';
  for (const part of parts) {
    if (text === '') text = cutWithEllipsis(part, LONGEST_SUMMARY);
    else if (text.length + separator.length + part.length <= LONGEST_SUMMARY) text += separator + part;
    else if (separator === ' ') break;
  }
  return text;
}
