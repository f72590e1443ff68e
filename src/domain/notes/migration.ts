// Instructions for upgrading, quoted from the release.
import { fenceRun } from '../markdown/line-syntax.ts';
import type { BreakingEvidence } from './breaking.ts';
import { cutAtWord } from './cut.ts';
import type { BreakingVerdict, Lines, NoteBody } from './types.ts';

const MAX_NOTES_LENGTH = 1500;
const MAX_LINES_ABOVE = 3;

const GAP = '[^\\n]{1,120}?';
const INSTRUCTION = new RegExp(
  String.raw`\buse\b${GAP}\binstead\b|\binstead,? use\b|\bin favou?r of\b|\breplaced?\b${GAP}\b(?:with|by)\b|\brenamed?\b${GAP}\bto\b|(?<!\b(?:is|are|was|were|be|been|longer|cannot) )\b(?:set|run) (?:[\`"'<[-]|(?:the|your|this|that|its?|an?|npx|npm|yarn|pnpm|bun|each|all|both)\b|\S{1,80}[=(:])|\bmigrat(?:e|ing)\b|\bchanged?\b${GAP}\bto\b|\bupgrade to\b`,
  'i',
);
// A version of the runtime that is needed from now on asks for an upgrade of it.
const RUNTIME = String.raw`(?:node(?:\.?js)?|deno|bun|python|php|ruby|java|jdk|\.net|typescript)(?![\w/-]|\.\w)`;
const NEEDED = new RegExp(
  String.raw`\b${RUNTIME}[^\n.;]{0,40}?\d[^\n;]{0,40}?\b(?:(?:is|are) (?:now )?(?:required|needed)|(?:is|are) no longer supported)\b|\b(?:requires?|needs?|minimum|min|drop(?:s|ped|ping)?|remov(?:e[sd]?|ing)|no longer supports?)\b[^\n.;]{0,60}?\b${RUNTIME}[^\n;]{0,40}?\d`,
  'i',
);
const LATER = /\b(?:next|future|upcoming) (?:release|version|major)\b/i;
const GUIDE_LINK =
  /\[[^\]\n]{0,200}(?:migrat(?:ion|ing)|upgrad(?:e|ing)[ -]?guide|upgrading)[^\]\n]{0,200}\]\(|https?:\/\/[^\s)>\]]{1,300}(?:migrat(?:ion|ing)|upgrad(?:e|ing)[-_]?guide|upgrading)/i;

// The lines of the release that explain how to migrate; null when there are none or nothing breaks.
export function migrationNotes(
  verdict: BreakingVerdict,
  evidence: BreakingEvidence,
  body: NoteBody,
  longest: number = MAX_NOTES_LENGTH,
): string | null {
  if (verdict !== 'minor' && verdict !== 'major') return null;
  const lines = migrationSection(body, longest) ?? instructionLines(evidence, body.content, longest);
  return (lines && wholeLines(lines, longest)) ?? guideLines(body.content);
}

function migrationSection({ content, sections }: NoteBody, longest: number): string[] | null {
  const section = sections.find((candidate) => candidate.class === 'migration' && candidate.filled);
  if (!section) return null;
  const text = content.slice(section.start, Math.min(section.end, section.start + longest * 4));
  return text.replace(/^[#\s]*\n/, '').split('\n');
}

function instructionLines({ locations }: BreakingEvidence, content: string, longest: number): string[] {
  const lines: string[] = [];
  let total = 0;
  let last = -1;
  for (const location of locations) {
    if (total > longest) break;
    if (location.lineStart === last) continue;
    last = location.lineStart;
    const end = Math.min(location.lineEnd, location.lineStart + MAX_NOTES_LENGTH * 2);
    const own = content.slice(location.lineStart, end).split('\n');
    const found = requests(own);
    if (found.length === 0) continue;
    // A line may continue the one above it or be nested in an entry; the lines that name its subject are quoted too.
    const above = location.parent ? [firstLine(location.parent, content)] : [];
    const named = found[0] === 0 ? [] : own.slice(0, Math.min(found[0] ?? 0, MAX_LINES_ABOVE));
    for (const line of [...above, ...named, ...found.map((index) => own[index] ?? '')]) {
      if (line === '' || lines.includes(line)) continue;
      lines.push(line);
      total += line.length;
    }
    const code = found.at(-1) === own.length - 1 ? codeBelow(content, location) : [];
    lines.push(...code);
    total += code.join('\n').length;
  }
  return lines;
}

const MAX_CODE_LINES = 30;
const MAX_CODE_LENGTH = 1000;

// The lines of the code block to which the last line of an entry leads: "To keep the old behavior, change it to".
export function codeBelow(content: string, { lineStart, lineEnd }: Lines): string[] {
  if (!leadsToCode(content.slice(Math.max(lineStart, lineEnd - 60), lineEnd))) return [];
  const lines = content
    .slice(lineEnd, lineEnd + MAX_CODE_LENGTH)
    .replace(/^(?:[ \t]*\n)+/, '')
    .split('\n', MAX_CODE_LINES);
  const closing =
    fenceRun(lines[0] ?? '') === null ? -1 : lines.findIndex((line, at) => at > 0 && fenceRun(line) !== null);
  return lines.slice(0, closing + 1);
}

// Whether a text is completed by what stands below it.
export function leadsToCode(text: string): boolean {
  return /:[\s*_]*$|\b(?:as|below|by|do|example|following|follows|instead|like|this|to|use|with)[\s*_]*$/i.test(text);
}

// The lines that ask for something, each with those on which its sentence goes on.
function requests(lines: readonly string[]): number[] {
  const found: number[] = [];
  for (const [index, line] of lines.entries()) {
    const isWrapped = index > 0 && found.at(-1) === index - 1 && goesOn(lines[index - 1] ?? '', line);
    if (isWrapped || INSTRUCTION.test(line) || needsRuntime(line) || holdsRequest(line)) found.push(index);
  }
  return found;
}

function needsRuntime(line: string): boolean {
  return NEEDED.test(line) && !LATER.test(line);
}

const UNFINISHED =
  /(?:,|\b(?:an?|and|are|as|at|be|by|due|for|from|if|in|into|is|its|named|of|on|or|see|that|the|to|use|using|via|when|which|with|your))$/i;

const WRAPPED_LINE = 60;

// Whether a sentence is wrapped between two lines: it goes on in lower case, or the line before is full or unfinished.
function goesOn(line: string, next: string): boolean {
  if (/^\s{0,12}[a-z,;:)\]]/.test(next)) return true;
  const isOpen = line.length > WRAPPED_LINE ? !/[.!?:;]\W*$/.test(line.slice(-12)) : UNFINISHED.test(line.slice(-12));
  return isOpen && next.trim() !== '';
}

function firstLine({ lineStart }: Lines, content: string): string {
  const end = content.indexOf('\n', lineStart);
  return content.slice(lineStart, Math.min(end === -1 ? content.length : end, lineStart + MAX_NOTES_LENGTH));
}

function guideLines(content: string): string | null {
  if (!/migrat|upgrad/i.test(content)) return null;
  const lines: string[] = [];
  let total = 0;
  const all = content.split('\n');
  for (const [index, line] of all.entries()) {
    if (line.length > MAX_NOTES_LENGTH * 2 || !GUIDE_LINK.test(line)) continue;
    const before = all[index - 1] ?? '';
    const isWrapped = before.trim() !== '' && before.length <= MAX_NOTES_LENGTH && goesOn(before, line);
    if (isWrapped && lines.at(-1) !== before) lines.push(before);
    lines.push(line);
    total += line.length;
    if (total > MAX_NOTES_LENGTH) break;
  }
  return wholeLines(lines);
}

// As many whole lines as fit, without a code fence that would stay open. Null when only blank lines are left.
export function wholeLines(lines: readonly string[], longest: number = MAX_NOTES_LENGTH): string | null {
  const fitting: string[] = [];
  let total = 0;
  let fenceAt = -1;
  for (const line of lines) {
    if (total + line.length > longest) break;
    if (fenceRun(line) !== null) fenceAt = fenceAt === -1 ? fitting.length : -1;
    fitting.push(line);
    total += line.length + 1;
  }
  if (fitting.length === 0 && lines[0]) return cutAtWord(lines[0].trim(), longest);
  const complete = fenceAt > 0 && fitting.length < lines.length ? fitting.slice(0, fenceAt) : fitting;
  return (
    complete
      .join('\n')
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd() || null
  );
}

// Sentences that ask readers to do something.
const VERBS =
  'Adjust|Call|Configure|Disable|Enable|Ensure|Import|Install|Make sure|Opt (?:back )?(?:in|out)|Pass|Specify|Switch|Update|Use|Wrap';
const OPENING = String.raw`(?:Please (?!see\b|read\b|note\b)[a-z]|(?:${VERBS})\b)`;
const DUTY = String.raw`\b[Yy]ou(?: will|'ll| may| now)? (?:must|need to|have to|should)\b(?! be able\b)`;

// At the start of an entry an imperative tells what was done; behind its first sentence it tells readers what to do.
const REQUEST_BEHIND = new RegExp(String.raw`[.!]['"\x60)\]*]{0,3}\s{1,3}${OPENING}|${DUTY}`);
const REQUEST = new RegExp(`^${OPENING}|${DUTY}`);
const SENTENCE_START = /(?<=[.!?]['")\]]?)\s+(?=[\p{Lu}`])/u;

function holdsRequest(text: string): boolean {
  return REQUEST_BEHIND.test(text);
}

// The first sentence of a text and those that ask for something, or these alone, within `longest` characters; null when that is not
// possible.
export function requestsWithin(text: string, longest: number): string | null {
  const [first = '', ...others] = text.split(SENTENCE_START);
  const requests = others.filter((sentence) => REQUEST.test(sentence));
  if (requests.length === 0) return null;
  const fitting = [[first, ...requests], requests].map((sentences) => sentences.join(' '));
  // Code that was split in the middle is no code.
  return fitting.find((one) => one.length <= longest && one.split('`').length % 2 === 1) ?? null;
}
