// What a breaking release asks of its readers: its instructions, and whatever else of it breaks, in its own words.
import { unmark } from '../clean-text.ts';
import type { BreakingEvidence, EvidenceLocation } from './breaking.ts';
import { readMarker, verbClass } from './classify.ts';
import { tidyInline } from './clean-item.ts';
import { readEvidence } from './evidence.ts';
import { codeBelow, migrationNotes } from './migration.ts';
import { guideSteps, MAX_STEPS, migrationSteps } from './steps.ts';
import type { BreakingVerdict, NoteBody } from './types.ts';

const MAX_LENGTH_READ = 20_000;
const TELLS_REMOVAL = /\b(?:remov|drop|delet|gone\b|no longer\b|discontinu|unsupported\b)/i;

// Null when nothing breaks, or nothing says what.
export function upgradeSteps(verdict: BreakingVerdict, evidence: BreakingEvidence, body: NoteBody): string[] | null {
  if (verdict !== 'minor' && verdict !== 'major') return null;
  const instructions = migrationNotes(verdict, evidence, body, MAX_LENGTH_READ);
  const steps = instructions === null ? [] : guideSteps(instructions);
  const told = steps.map(wordsOfStep);
  for (const location of meantBreaks(evidence, body)) {
    if (steps.length >= MAX_STEPS) break;
    for (const text of textsOfBreak(location, body.content)) {
      const words = wordsOfStep(text);
      if (told.some((one) => one.includes(words))) continue;
      const part = told.findIndex((one) => words.includes(one));
      const at = part === -1 ? steps.length : part;
      steps[at] = text;
      told[at] = words;
    }
  }
  return steps.length > 0 ? steps : null;
}

// What was added or repaired breaks nobody, unless it is all that stands below a heading of breaking changes.
function meantBreaks({ entries }: BreakingEvidence, { content }: NoteBody): readonly EvidenceLocation[] {
  const others = entries.filter(({ start, end, section }) => {
    if (section?.class === 'removed') return true;
    const raw = content.slice(start, end);
    const marked = tidyInline(raw);
    const { class: marker } = readMarker(marked, raw);
    const isHarmless = (marker ?? verbClass(marked)) === 'features' || marker === 'bugs' || marker === 'other';
    return !isHarmless || readEvidence(marked, { class: null }).level !== null;
  });
  const sections = new Set(others.map(({ section }) => section));
  return entries.filter((one) => others.includes(one) || !sections.has(one.section));
}

// Headings and rows of a table are no sentences that could be quoted.
const NO_SENTENCE = /^\s*[#|]|^(?!.*\p{L}{3})|^\W*breaking(?: changes?)?\W*$/iu;

function textsOfBreak(location: EvidenceLocation, content: string): string[] {
  const { lineStart, lineEnd, start, end, section } = location;
  const text = [content.slice(lineStart, lineEnd), ...codeBelow(content, location)].join('\n');
  const steps = migrationSteps(text);
  const raw = content.slice(start, end);
  if (/^\s*#/.test(raw)) return [];
  const texts = steps.length > 0 || NO_SENTENCE.test(raw) ? steps : [unmark(tidyInline(raw)).trim()];
  return section?.class === 'removed' ? texts.map((one) => (TELLS_REMOVAL.test(one) ? one : `Removed: ${one}`)) : texts;
}

function wordsOfStep(text: string): string {
  const words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return ` ${words} `;
}
