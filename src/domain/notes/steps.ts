// The instructions of migration notes and of migration guides as lists of steps that stand alone: plain text without
// headings, references and credits, with code between backticks.

import { CODE_CLOSE, CODE_OPEN } from '../clean-text.ts';
import { fenceRun } from '../markdown/line-syntax.ts';
import { cellsOf } from '../markdown/tables.ts';
import { scanBlocks } from './blocks.ts';
import { readMarker } from './classify.ts';
import { tidyInline } from './clean-item.ts';
import { cutAtWord } from './cut.ts';
import type { NoteBlock } from './markdown-lines.ts';
import { leadsToCode, requestsWithin } from './migration.ts';

const MAX_STEP_LENGTH = 320;
const MAX_NAME_LENGTH = 40;
const MAX_NAME_WORDS = 3;
const MAX_COMMAND_LENGTH = 120;
// What is left of a line that only carried a marker, a number or a commit.
const LEADING_MARK = /^(?:\*+\s*|\((?:SEMVER-MAJOR|BREAKING(?: CHANGES?)?)\)\s*|[\s–—:-]+(?=\S))+/i;
const TRAILING_POINTER = /(?:\s*\((?:see)?|\s[-–—] docs|;?\s+see)$/i;
const POINTER = /\s*\((?:learn|read|see) more\)/gi;
const SAYS_NOTHING =
  /^[\W\d]*$|^(?:breaking(?: changes?)?|migration|upgrading|note|notes|before|after|or|and|to|into|old|new|ref|(?:and )?(?:see )?for (?:more|further) (?:information|info|details|context))[.:!]?$/i;
// Words of which a line consists that only leads to an example: "E.g. code that previously looked like this:", "Into this:".
const EXAMPLE_WORDS = new Set(
  (
    'an and api as be becomes before below can change changed code could did do e example examples following follows for ' +
    'from g had have if in instance instead into is it like look looked looks newer now of old or previously refactor ' +
    'replace should similar so something such that the then this to was were will with would you'
  ).split(' '),
);

const IS_GONE = /\b(?:drop(?:s|ped)?|removed?|removes|no longer supports?|unsupported|discontinued)\b(?:[^.]|\.\S)*$/i;
const NAME = /^[^`:]{1,40}$/;
const NAMES_ALONE = /^`[^`]+`(?:(?:,| and| or| \/) `[^`]+`)*[.;,]?$/;

interface StepDraft {
  text: string;
  listed: boolean;
  indent: number;
  // The text ends with a colon.
  isOpen: boolean;
  isCompleted: boolean;
}

// `longest`: where a step is cut.
export function migrationSteps(notes: string, longest: number = MAX_STEP_LENGTH): string[] {
  const drafts: StepDraft[] = [];
  // The bare names of components above nested entries.
  const names: StepDraft[] = [];
  for (const block of scanBlocks(notes)) {
    const raw = notes.slice(block.start, block.end);
    if (block.kind === 'code') withCommand(drafts.at(-1), raw);
    if (block.kind !== 'item' && block.kind !== 'text' && block.kind !== 'table') continue;
    const draft = readDraft(block, raw);
    if (draft === null) continue;
    while (names.length > 0 && (names.at(-1)?.indent ?? 0) >= draft.indent) names.pop();
    if (completes(drafts.at(-1), draft)) continue;
    if (isBareName(draft)) names.push(draft);
    else drafts.push(withName(draft, names.at(-1)));
  }
  const hasList = drafts.some(({ listed }) => listed);
  const steps = drafts
    // A sentence that only introduces the list asks for nothing.
    .filter(({ listed, isOpen, isCompleted }) => !(hasList && !listed && isOpen && !isCompleted))
    .filter((draft) => !isExample(draft))
    .map(({ text }) => text);
  const texts = steps.length > 0 ? steps : names.map(({ text }) => text);
  return [...new Set(texts.map((text) => finishedStep(text, longest)))];
}

function readDraft({ kind, indent }: NoteBlock, raw: string): StepDraft | null {
  if (kind === 'table' && !isTableOfNames(raw)) return null;
  const quoted =
    kind === 'table' ? raw.replaceAll(/^\s*\||\|\s*$/g, '').replaceAll('|', ' – ') : raw.replace(/^(?:\s*>)+\s?/, '');
  const tidy = tidyInline(quoted);
  const text = tidy.slice(readMarker(tidy, quoted).length).replace(LEADING_MARK, '');
  const visible = text
    .trim()
    .replace(POINTER, '')
    .replace(TRAILING_POINTER, '')
    .replaceAll('`', '’')
    .replaceAll(CODE_OPEN, '`')
    .replaceAll(CODE_CLOSE, '`');
  const isOpen = /:[\s*_]*$/.test(raw);
  if (SAYS_NOTHING.test(visible)) return null;
  return { text: visible, listed: kind === 'item', indent, isOpen, isCompleted: false };
}

// A line that leads to code which is not told.
function isExample({ text }: StepDraft): boolean {
  if (!/(?::|…)$/.test(text) || text.includes('`')) return false;
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => EXAMPLE_WORDS.has(word));
}

// A row that begins with two names in code: the old one and the new one. Others describe.
function isTableOfNames(row: string): boolean {
  const [one = '', other = ''] = cellsOf(row);
  return one !== other && /^`[^`]+`/.test(one) && /^`[^`]+`/.test(other);
}

function isBareName({ text, listed }: StepDraft): boolean {
  return listed && text.length <= MAX_NAME_LENGTH && text.split(' ').length <= MAX_NAME_WORDS && !/[a-z] /.test(text);
}

// A nested entry completes a sentence that ends with a colon, and so does a name below a paragraph: one in code, or one of what
// the paragraph says is gone.
function completes(last: StepDraft | undefined, { text, listed, indent }: StepDraft): boolean {
  if (!last?.isOpen || !listed) return false;
  const isPart = last.listed
    ? indent > last.indent
    : NAMES_ALONE.test(text) || (IS_GONE.test(last.text) && NAME.test(text));
  if (!isPart) return false;
  last.text += `${last.isCompleted ? ';' : ':'} ${text.replace(/[.;]$/, '')}`;
  last.isCompleted = true;
  return true;
}

function withName(draft: StepDraft, name: StepDraft | undefined): StepDraft {
  return name ? { ...draft, text: `${name.text}: ${draft.text}` } : draft;
}

// Code of one statement or a few belongs to the step that announces it; longer code is left to the notes.
function withCommand(last: StepDraft | undefined, code: string): void {
  if (!last || last.isCompleted || !(last.isOpen || leadsToCode(last.text))) return;
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  const written = lines.filter((line) => fenceRun(line) === null);
  const command = written.length > 1 && SHOWS_OLD.test(last.text) ? null : oneLine(written);
  last.text += command === null ? ' …' : `: \`${command.replaceAll('`', '’')}\``;
  last.isOpen = false;
}

const MAX_CODE_LINES = 8;
const SHOWS_OLD = /\b(?:before|formerly|old code|previously|used to|was|were)\b/i;
// Lines that mean something else on one line: comments, mappings of YAML, prompts.
const BOUND_TO_LINE = /^\s*(?:\/\/|#|--|[$>] )|^\s*[\w-]+:\s*$|\/\/ /;

function oneLine(lines: readonly string[]): string | null {
  if (lines.length > MAX_CODE_LINES || (lines.length > 1 && lines.some((line) => BOUND_TO_LINE.test(line))))
    return null;
  const text = lines
    .map((line) => line.trim())
    .reduce((all, line) => {
      if (all === '') return line;
      const goesOn = /[([{,;=|&.+:?]$|=>$/.test(all) || /^[)\]}.?:|&+]/.test(line);
      return `${all}${goesOn ? ' ' : '; '}${line}`;
    }, '');
  return text === '' || text.length > MAX_COMMAND_LENGTH ? null : text;
}

function finishedStep(text: string, longest: number = MAX_STEP_LENGTH): string {
  const whole = text.replace(/[:;,]$/, '');
  if (whole.length <= longest) return whole;
  const requests = requestsWithin(whole, longest);
  if (requests !== null) return requests;
  const cut = cutAtWord(whole, longest - 1);
  // Code that lost its end is no code.
  return `${cut.split('`').length % 2 === 0 ? cut.replace(/`(?=[^`]*$)/, '') : cut}…`;
}

// The steps of a migration guide: one for each of its lowest headings, in the words of the heading and of what follows it.
// More than a guide of that length has.
export const MAX_STEPS = 300;
const MAX_GUIDE_LENGTH = 20_000;
const MAX_HEADING_LENGTH = 160;
const MAX_PART_LENGTH = 400;
const MIN_HEADINGS = 2;
const MIN_ENTRIES = 2;
// Headings above what asks for nothing.
const ASIDE =
  /^\W*(?:introduction|overview|summary|contents?|table of contents|new features?|features|what'?s new|install(?:ation|ing)?|getting started|requirements?|credits|thanks|contributors?|support|help|questions|faq|links|resources|conclusion|why\b.*|notes?|before|after|examples?\b.*|background|motivation|related\b.*|troubleshooting|further reading|verify\b.*|v?\d[\d.x]* behaviou?r)\W*$/i;
// Sentences that ask for something, or tell what is gone.
const ASKS =
  /\b(?:removed?|renamed?|replaced?|drop(?:s|ped)?|moved|no longer|must|requires?|required|instead|deprecated|need(?:s|ed)? to|should|(?:has|have) been|is now|are now)\b|\b(?:add|use|set|install|run|switch|pass|call)\b[^.]*`/i;
// A sentence that means the one before it.
const GOES_ON =
  /^(?:this(?! (?:release|version|guide|major|package|library))|these|that|those|it|they)\b|^(?:instead,|(?:please |(?:you|and) (?:should|must|can|need to|have to) )?use\b.*\binstead\b(?! of))/i;
// Sentences about those who have nothing to do: "This was already deprecated, so you should have updated your code".
const ASKS_NOBODY =
  /^this (?:was|has been) (?:already |previously )?deprecated (?:in|since) v?\d\b|^if you (?:are|'re) (?:unable|not able) to (?:upgrade|migrate|update)\b/i;
const MAX_ASKING = 5;
const MAX_PARAGRAPH_LENGTH = 2_000;
const MAX_ENTRY_LENGTH = 320;
const MIN_SENTENCE_LENGTH = 20;

// Headings above parts of which none asks for anything.
const NEWS = /^\W*(?:(?:new|additional|other) features?|features|what'?s new|additions|contributors?)\W*$/i;

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
    if (ASKS_NOBODY.test(sentence)) continue;
    const before = sentences.at(-1) ?? '';
    const isPart =
      before.length < MIN_SENTENCE_LENGTH ||
      (GOES_ON.test(sentence) && before.length + sentence.length < MAX_ENTRY_LENGTH);
    if (before !== '' && isPart) sentences[sentences.length - 1] = `${before} ${sentence}`;
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
  const titleOf = ({ start, end }: NoteBlock) => text.slice(start, end).replaceAll(/^#+|#+$/g, '');
  let newsLevel = 0;
  return headings.flatMap((block, index) => {
    if (newsLevel === 0 || block.level <= newsLevel) newsLevel = NEWS.test(titleOf(block)) ? block.level : 0;
    if (newsLevel > 0) return [];
    const next = headings[index + 1];
    if (next && next.level > block.level && isEmptyBetween(blocks, block, next)) return [];
    const heading = titleOf(block);
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
  const told = name.length + sentence.length > MAX_PART_LENGTH ? name : `${name.replace(/[.:]$/, '')}: ${sentence}`;
  const more = asking(paragraphs).filter((one) => !told.includes(one));
  return [told, ...more.slice(0, MAX_ASKING)];
}
