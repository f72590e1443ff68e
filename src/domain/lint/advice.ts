// Breaking entries that do not say what to do. The paragraph below, a linked guide and a section of migration count.
import { findEvidence } from '../notes/breaking.ts';
import { readBody } from '../notes/read-body.ts';
import { type LintFinding, lintFinding } from './finding.ts';
import { type LintedFile, type LintSection, lineOfText } from './sections.ts';

const DOES =
  'use|call|set|pass|replace|rename|switch|migrate|move|import|require|leave|remove|delete|run|install|upgrade|update|see|add|change|read|write|wrap|convert|adjust|give|provide|specify|enable|disable|configure|prefer|opt|make|ensure|check|go|take|put|drop|pin|stay|await|catch|return|handle|consult|follow|refer|keep|turn|create|define|export|register|extend|implement|choose|try';
// An imperative that begins a sentence or a clause behind the first.
const IMPERATIVE = new RegExp(
  String.raw`[.:;!)\u2013\u2014\n-]\s+(?:(?:then|so|please|now|just|instead|otherwise|to \w+(?: \S+){0,4},)\s+)?(?:${DOES})\b`,
  'i',
);
const TELLS =
  /\b(?:instead|please|in (?:its|their) place|try (?:the |`)|you(?:'ll| will)? (?:can|must|should|need|have|may|now)|must (?:now )?(?:be|use|call|pass|set)|should (?:now )?(?:be|use|call|pass|set)|needs? to|has to|have to|renamed (?:to|as|from)|is now (?:called|named)|replaced (?:by|with)|replaces|moved (?:to|into|from)|in favou?r of|superseded by|migrat\w+|upgrad(?:e|ing) guide|to (?:keep|restore|get back|retain|opt|upgrade|update|fix)|alternatives?|equivalent|no (?:action|changes?) (?:is |are )?(?:needed|required|necessary)|nothing to do|if you|unless you|(?:now )?(?:use|accept|take|expect)s? `)/i;
const ARROW = /(?:=>|->|\u2192|\u27a1|\u21d2)/;
const GUIDE =
  /\]\([^()\s]{0,400}(?:migrat|upgrad|guide|breaking|docs?\b|wiki|codemod)[^()\s]{0,200}\)|https?:\/\/\S{0,300}(?:migrat|upgrad|guide|codemod)/i;
// A raised requirement says itself what is needed.
const PLATFORM =
  /\b(?:node(?:\.?js)?|npm|typescript|react|vue|python|ruby|php|java|browsers?|ie ?\d*|safari|chrome|deno|bun|yarn|pnpm|angular|webpack|eslint|es20\d\d|es\d)\b/i;
const REQUIRES =
  /\b(?:requires?d?|drop(?:ped|s|ping)?|minimum|at least|support|or (?:newer|later|higher|above)|bump(?:ed|s)?|engines?|peer)\b|[<>]=?\s?\d/i;
const SECTION = /^\s{0,3}#{1,6}[^\n]{0,60}\b(?:migrat|upgrad|how to|what to do)/im;

const MAX_ENTRIES = 300;
const MAX_ENTRY = 5000;

// What is out is read as it is, so there it is no more than a note.
export function breaksWithoutAdvice(file: LintedFile, release: LintSection | null, isOut: boolean): LintFinding[] {
  if (release === null) return [];
  const { body, version, heading } = release;
  if (SECTION.test(body)) return [];
  const read = readBody(body);
  const { entries, explicitNone, level } = findEvidence({ title: heading, body: read, major: null });
  if (explicitNone || level !== 'major') return [];
  const lead = body.slice(0, entries[0]?.lineStart ?? 0);
  if (GUIDE.test(lead)) return [];
  return entries.slice(0, MAX_ENTRIES).flatMap(({ lineStart, lineEnd }) => {
    const text = body.slice(lineStart, lineEnd);
    const told = `${text.slice(0, MAX_ENTRY)}\n${belowEntry(body, lineEnd)}`;
    if (/^\s*(?:#|\|)/.test(text) || saysWhatToDo(told)) return [];
    const finding = lintFinding(
      'break-without-advice',
      { line: lineOfText(file, release, text), version },
      {
        sentence: 'The entry says what breaks, and not what to do now.',
        evidence: [text.trim().replace(/\s+/g, ' ').slice(0, 160)],
        advice: 'Add a sentence: what to call, set or write instead, or a link to a guide.',
      },
    );
    return [isOut ? { ...finding, level: 'info' } : finding];
  });
}

function saysWhatToDo(text: string): boolean {
  if (TELLS.test(text) || ARROW.test(text) || GUIDE.test(text) || IMPERATIVE.test(text)) return true;
  return PLATFORM.test(text) && REQUIRES.test(text);
}

const MAX_BELOW = 2000;

// What belongs to an entry: code and deeper lines behind it, or the next paragraph.
function belowEntry(body: string, from: number): string {
  const lines = body.slice(from, from + MAX_BELOW).split('\n');
  const kept: string[] = [];
  let isCode = false;
  let paragraphs = 0;
  for (const line of lines) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    if (isCode || isFence || line.trim() === '') {
      kept.push(line);
      continue;
    }
    if (/^(?:[-*+]|\d{1,3}[.)])\s|^\s{0,3}#/.test(line)) break;
    if (!/^\s{2,}/.test(line) && (kept.at(-1) ?? '').trim() === '') paragraphs += 1;
    if (paragraphs > 1) break;
    kept.push(line);
  }
  return kept.join('\n');
}
