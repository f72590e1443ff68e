// The instructions of migration notes as a list of steps that stand alone: plain text without headings, references and
// credits, with code between backticks.
import { fenceRun } from '../markdown/line-syntax.ts';
import { cellsOf } from '../markdown/tables.ts';
import { scanBlocks } from './blocks.ts';
import { readMarker } from './classify.ts';
import { tidyInline } from './clean-item.ts';
import { CODE_CLOSE, CODE_OPEN } from './code-marks.ts';
import { cutAtWord } from './cut.ts';
import type { NoteBlock } from './markdown-lines.ts';
import { requestsWithin } from './migration.ts';

const MAX_STEP_LENGTH = 320;
const MAX_NAME_LENGTH = 40;
const MAX_NAME_WORDS = 3;
const MAX_COMMAND_LENGTH = 120;
// What is left of a line that only carried a marker, a number or a commit.
const LEADING_MARK = /^(?:\*+\s*|\((?:SEMVER-MAJOR|BREAKING(?: CHANGES?)?)\)\s*|[\s–—:-]+(?=\S))+/i;
const TRAILING_POINTER = /(?:\s*\((?:see)?|\s[-–—] docs|;?\s+see)$/i;
const POINTER = /\s*\((?:learn|read|see) more\)/gi;
const SAYS_NOTHING =
  /^[\W\d]*$|^(?:breaking(?: changes?)?|migration|upgrading|note|notes|before|after|or|and|to|into|old|new)[.:!]?$/i;

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
  if (SAYS_NOTHING.test(visible)) return null;
  return { text: visible, listed: kind === 'item', indent, isOpen: /:[\s*_]*$/.test(raw), isCompleted: false };
}

// A row that begins with two names in code: the old one and the new one. Others describe.
function isTableOfNames(row: string): boolean {
  const [one = '', other = ''] = cellsOf(row);
  return one !== other && /^`[^`]+`/.test(one) && /^`[^`]+`/.test(other);
}

function isBareName({ text, listed }: StepDraft): boolean {
  return listed && text.length <= MAX_NAME_LENGTH && text.split(' ').length <= MAX_NAME_WORDS && !/[a-z] /.test(text);
}

// A nested entry completes a sentence that ends with a colon, and so does a name in code below a paragraph.
function completes(last: StepDraft | undefined, { text, listed, indent }: StepDraft): boolean {
  if (!last?.isOpen || !listed || (last.listed ? indent <= last.indent : !NAMES_ALONE.test(text))) return false;
  last.text += `${last.isCompleted ? ';' : ':'} ${text.replace(/[.;]$/, '')}`;
  last.isCompleted = true;
  return true;
}

function withName(draft: StepDraft, name: StepDraft | undefined): StepDraft {
  return name ? { ...draft, text: `${name.text}: ${draft.text}` } : draft;
}

// A command of one line belongs to the step that announces it; longer code is left to the notes.
function withCommand(last: StepDraft | undefined, code: string): void {
  if (!last?.isOpen || last.isCompleted) return;
  const lines = code.split('\n').filter((line) => line.trim() !== '' && fenceRun(line) === null);
  const command = lines[0]?.trim().replaceAll('`', '’') ?? '';
  if (lines.length === 1 && command.length <= MAX_COMMAND_LENGTH) last.text += `: \`${command}\``;
  else last.text += ' …';
  last.isOpen = false;
}

export function finishedStep(text: string, longest: number = MAX_STEP_LENGTH): string {
  const whole = text.replace(/[:;,]$/, '');
  if (whole.length <= longest) return whole;
  const requests = requestsWithin(whole, longest);
  if (requests !== null) return requests;
  const cut = cutAtWord(whole, longest - 1);
  // Code that lost its end is no code.
  return `${cut.split('`').length % 2 === 0 ? cut.replace(/`(?=[^`]*$)/, '') : cut}…`;
}
