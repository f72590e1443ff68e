import { isEmptyTalk, isTimestamp } from './boilerplate.ts';
import { tidyInline } from './clean-item.ts';
import { unmark } from './code-marks.ts';
import { cutWithMark } from './cut.ts';
import { toldText } from './item-texts.ts';
import { plainText } from './plain-text.ts';
import { sentenceSpans } from './sentences.ts';
import type { NoteBody, NoteItem } from './types.ts';

const LONGEST_SUMMARY = 280;
const SHORTEST_LEAD = 40;
const MOST_ITEMS = 3;
const MOST_LEAD_PARAGRAPHS = 3;

/** The lead paragraph, else the top entries, else whatever plain text there is. */
export function summary(body: NoteBody, ranked: readonly NoteItem[]): string {
  const lead = leadSentences(body);
  if (lead.length > 0) return fitted(lead, ' ');
  const rest = ranked.length > 0 ? ranked : fallbackItems(body.items);
  if (rest.length > 0) return fitted(uniqueTexts(rest, body), '; ');
  const text = plainText(body.content, 2 * LONGEST_SUMMARY);
  return isTimestamp(text) ? '' : cutWithMark(text, LONGEST_SUMMARY);
}

/** Sentences of the first paragraph that says something; it counts from 40 characters. */
function leadSentences(body: NoteBody): string[] {
  for (const { start, end } of body.lead.slice(0, MOST_LEAD_PARAGRAPHS)) {
    const sentences: string[] = [];
    for (const span of sentenceSpans(body.content, start, Math.min(end, start + 20 * LONGEST_SUMMARY))) {
      const raw = body.content.slice(span.start, span.end);
      const text = unmark(tidyInline(raw));
      if (text && !isEmptyTalk(raw.endsWith(':') ? raw : text, /\]\(|https?:\/\/|<a\s/i.test(raw)))
        sentences.push(text);
    }
    if (sentences.join(' ').length >= SHORTEST_LEAD) return sentences;
    if (sentences.length > 0) return [];
  }
  return [];
}

function fallbackItems(items: readonly NoteItem[]): NoteItem[] {
  const telling = items.filter((item) => item.class === null && !item.boilerplate && !isEmptyTalk(item.text, false));
  if (telling.length > 0) return telling;
  const other = items.filter((item) => item.class !== null || item.boilerplate);
  return other.length > 0 ? other : items.filter((item) => !isEmptyTalk(item.text, false)).slice(0, MOST_ITEMS);
}

function uniqueTexts(items: readonly NoteItem[], body: NoteBody): string[] {
  const texts = new Set<string>();
  for (const item of items) {
    texts.add(toldText(item, body));
    if (texts.size === MOST_ITEMS) break;
  }
  return [...texts];
}

/** Whole parts that fit together; only the first is ever cut. */
function fitted(parts: readonly string[], separator: string): string {
  let text = '';
  for (const part of parts) {
    if (text === '') text = cutWithMark(part, LONGEST_SUMMARY);
    else if (text.length + separator.length + part.length <= LONGEST_SUMMARY) text += separator + part;
    else if (separator === ' ') break;
  }
  return text;
}
