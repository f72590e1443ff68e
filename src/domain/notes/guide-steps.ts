// The steps of a migration guide: one for each of its lowest headings, in the words of the heading and of what follows it.

import { scanBlocks } from './blocks.ts';
import type { NoteBlock } from './markdown-lines.ts';
import { finishedStep, migrationSteps } from './steps.ts';

const MAX_STEPS = 60;
const MAX_GUIDE_LENGTH = 20_000;
const MAX_HEADING_LENGTH = 160;
const MAX_TEXT_LENGTH = 200;
const MIN_HEADINGS = 2;
const MIN_ENTRIES = 2;
// Headings above what asks for nothing.
const ASIDE =
  /^\W*(?:introduction|overview|summary|contents?|table of contents|new features?|features|what'?s new|install(?:ation|ing)?|getting started|requirements?|credits|thanks|contributors?|support|help|questions|faq|links|resources|conclusion|why\b.*|notes?|before|after|examples?\b.*|background|motivation|related\b.*|troubleshooting|further reading|verify\b.*|v?\d[\d.x]* behaviou?r)\W*$/i;
// Sentences that ask for something, or tell what is gone.
const ASKS =
  /\b(?:removed?|renamed?|replaced?|drop(?:s|ped)?|moved|no longer|must|requires?|required|instead|deprecated|need(?:s|ed)? to|should|(?:has|have) been|is now|are now)\b|\b(?:add|use|set|install|run|switch|pass|call)\b[^.]*`/i;
// A sentence that means the one before it.
const GOES_ON = /^(?:this(?! (?:release|version|guide|major|package|library))|these|that|those|it|they)\b[^`]*$/i;
const MAX_ASKING = 5;
const MAX_PARAGRAPH_LENGTH = 2_000;
const MAX_ENTRY_LENGTH = 320;
const MIN_SENTENCE_LENGTH = 20;

interface Part {
  heading: string;
  body: string;
}

export function guideSteps(guide: string): string[] {
  const text = guide.slice(0, MAX_GUIDE_LENGTH);
  const parts = lowestParts(text);
  const steps = parts.length < MIN_HEADINGS ? entriesOf(text) : [...leadSteps(text), ...parts.flatMap(stepsOfPart)];
  return [...new Set(steps)].slice(0, MAX_STEPS);
}

// Entries and paragraphs; of a long one, the sentences that ask for something.
function entriesOf(text: string): string[] {
  return migrationSteps(text, MAX_PARAGRAPH_LENGTH).flatMap((entry) => {
    if (entry.length <= MAX_ENTRY_LENGTH) return [entry];
    const sentences = asking([entry]).slice(0, MAX_ASKING);
    return sentences.length > 0 ? sentences : [finishedStep(entry)];
  });
}

// What is asked for before the first heading.
function leadSteps(text: string): string[] {
  const first = scanBlocks(text).find(isHeading);
  const lead = text.slice(0, first?.lineStart ?? 0);
  if (isList(lead)) return entriesOf(lead).filter((entry) => ASKS.test(entry));
  return asking(migrationSteps(lead, MAX_PARAGRAPH_LENGTH)).slice(0, MAX_ASKING);
}

// The sentences of paragraphs that ask for something.
function asking(paragraphs: readonly string[]): string[] {
  const sentences = paragraphs.flatMap(sentencesOf);
  return sentences.filter((one) => ASKS.test(one) && one.length <= MAX_ENTRY_LENGTH);
}

function sentencesOf(paragraph: string): string[] {
  const sentences: string[] = [];
  for (const sentence of paragraph.split(/(?<=[.!?])\s+(?=[\p{Lu}`])/u)) {
    const before = sentences.at(-1);
    if (before !== undefined && (before.length < MIN_SENTENCE_LENGTH || GOES_ON.test(sentence)))
      sentences[sentences.length - 1] = `${before} ${sentence}`;
    else sentences.push(sentence);
  }
  return sentences;
}

function isList(text: string): boolean {
  const listed = scanBlocks(text).filter(({ kind, indent }) => kind === 'table' || (kind === 'item' && indent < 2));
  return listed.length >= MIN_ENTRIES;
}

// The parts of a text below headings that have no heading of their own below them.
function lowestParts(text: string): Part[] {
  const blocks = scanBlocks(text);
  const headings = blocks.filter(isHeading);
  return headings.flatMap((block, index) => {
    const next = headings[index + 1];
    if (next && next.level > block.level && isEmptyBetween(blocks, block, next)) return [];
    const heading = text.slice(block.start, block.end).replaceAll(/^#+|#+$/g, '');
    if (ASIDE.test(heading.replaceAll(/[*_`]/g, ''))) return [];
    return [{ heading, body: text.slice(block.end, next?.lineStart ?? text.length) }];
  });
}

function isHeading({ kind, label, level }: NoteBlock): boolean {
  return kind === 'heading' && !label && level <= 6;
}

function isEmptyBetween(blocks: readonly NoteBlock[], one: NoteBlock, other: NoteBlock): boolean {
  return blocks.indexOf(other) === blocks.indexOf(one) + 1;
}

function stepsOfPart({ heading, body }: Part): string[] {
  const [name = ''] = migrationSteps(heading.trim().slice(0, MAX_HEADING_LENGTH));
  if (isList(body)) {
    const entries = entriesOf(body);
    if (entries.length >= MIN_ENTRIES) return entries;
  }
  const paragraphs = migrationSteps(body, MAX_PARAGRAPH_LENGTH);
  const [first = ''] = paragraphs;
  if (name === '') return first === '' ? [] : [finishedStep(first)];
  if (first === '') return [name];
  const [sentence = first] = sentencesOf(first);
  const told = sentence.length > MAX_TEXT_LENGTH ? name : `${name.replace(/[.:]$/, '')}: ${sentence}`;
  const more = asking(paragraphs).filter((one) => !told.includes(one));
  return [told, ...more.slice(0, MAX_ASKING)];
}
