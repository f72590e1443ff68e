// Evidence of a breaking change in one entry: its sentences, read together with its section, its marker and the habits of
// the source.
import { readMarker, verbClass } from './classify.ts';
import {
  deniesChanges,
  type EvidenceLevel,
  type EvidenceReading,
  proseOf,
  type Quote,
  readEvidence,
} from './evidence.ts';
import { type Habits, isHabitual } from './habits.ts';
import { inline } from './inline.ts';
import { isInternalLabel, isInternalWork } from './internal-work.ts';
import { isUnmissedRemoval } from './removals.ts';
import type { NoteAside, NoteItem, NoteSection } from './types.ts';

// Headings of additions: what something new requires or rejects breaks nobody.
const ADDITIONS = /^\W{0,4}(?:added|additions|new features?)\W{0,4}$/i;
// Headings of lists of issues, which describe what was wrong.
const REPORTS = /^\W{0,4}(?:closed|fixed|open|resolved|known) issues?\W{0,4}$/i;
const SOFT_HEADING = /\b(?:potential(?:ly)?|possibl[ey]|minor|small)\b.{0,20}\bbreaking\b/i;
// A longer entry of a breaking section describes a change, even if it also says that nothing breaks.
const MAX_DENIAL_LENGTH = 160;
const WARNING_SIGN = /^\s{0,4}(?:⚠|:warning:)/u;

export type FoundEvidence = { level: EvidenceLevel; explicitNone: boolean; quotes: readonly Quote[] };
export const NOTHING_FOUND: FoundEvidence = { level: null, explicitNone: false, quotes: [] };

type EvidenceContext = { content: string; major: string | null; habits: Habits; amongFixes?: boolean };

export function itemEvidence(
  item: NoteItem,
  { content, major, habits, amongFixes = false }: EvidenceContext,
): FoundEvidence {
  if (isHabitual(habits, item.text)) return NOTHING_FOUND;
  const weight = sectionWeight(item.section);
  const reported = REPORTS.test(item.section?.title ?? '');
  const reading = readEvidence(item.marked, {
    class: reported ? 'bugs' : item.class,
    label: item.label,
    addition: ADDITIONS.test(item.section?.title ?? ''),
    amongFixes,
    major,
  });
  const byMarker = item.class === 'breaking' && !weight && !isMeaninglessMarker(item, content, habits) ? 'major' : null;
  if (deniesChanges(item.marked) || (!byMarker && denies(reading, weight, item.marked))) {
    return { ...NOTHING_FOUND, explicitNone: weight !== null || byMarker === 'major' || reading.explicitNone };
  }
  if (byMarker === 'major') return asMajor(reading, 'mark', item.text);
  if (weight === 'major' && !isUnmissed(item)) return asMajor(reading, 'section', item.text);
  if (weight === 'minor') return asMinor(reading, item.text);
  if (item.class === 'deprecated') return atLeastMinor(asDeprecation(reading), item.text);
  return reading;
}

// Whether a marker means nothing because this project also puts it on fixes or on internal work.
function isMeaninglessMarker(item: NoteItem, content: string, habits: Habits): boolean {
  if (isInternalLabel(item.label)) return true;
  const raw = content.slice(item.start, item.start + 12);
  return WARNING_SIGN.test(raw) && (habits.warnsOfFixes || item.own === 'bugs');
}

// Whether no user misses what an entry in a section of removals has removed: tests, examples, unused code.
function isUnmissed(item: NoteItem): boolean {
  if (item.section?.class !== 'removed') return false;
  return (
    isInternalLabel(item.label) ||
    isUnmissedRemoval(proseOf(item.marked.toLowerCase())) ||
    isInternalWork(item.marked.toLowerCase())
  );
}

// "deps: debug@3.1.0" with what that release changed nested below it: those are changes of another project.
const DEPENDENCY_UPDATE =
  /^(?:(?:deps?|dependencies): )?(?:@?[\w./-]{1,60}@[~^]?v?\d|(?:updated?|bump(?:ed)?|upgraded?) \S{1,60} to v?\d)/i;

function isDependencyUpdate({ class: kind, marked, text }: NoteItem): boolean {
  return kind === 'other' && (DEPENDENCY_UPDATE.test(marked) || DEPENDENCY_UPDATE.test(text));
}

export function asideEvidence(
  { start, end, section, parent }: NoteAside,
  { content, major, habits }: EvidenceContext,
): FoundEvidence {
  const marked = inline(content.slice(start, end));
  if (isHabitual(habits, marked) || (parent && isDependencyUpdate(parent))) return NOTHING_FOUND;
  const weight = sectionWeight(section);
  const reported = REPORTS.test(section?.title ?? '');
  const kind = reported ? 'bugs' : (parent?.class ?? section?.class ?? verbClass(marked));
  const marker = readMarker(marked);
  const label = marker.label ?? (isInternalLabel(parent?.label ?? null) ? (parent?.label ?? null) : null);
  const reading = readEvidence(marked, { class: kind, label, major });
  const byMarker = marker.class === 'breaking' && !isInternalLabel(marker.label);
  const nothing = deniesChanges(marked.slice(marker.length).trimStart());
  if (nothing || (!byMarker && denies(reading, weight, marked))) {
    return { ...NOTHING_FOUND, explicitNone: weight !== null || byMarker || reading.explicitNone };
  }
  if (byMarker || (!parent && weight === 'major')) return asMajor(reading, byMarker ? 'mark' : 'section', marked);
  if (weight === 'minor') return asMinor(reading, marked);
  return !parent && section?.class === 'deprecated' ? atLeastMinor(reading, marked) : reading;
}

export function asMajor(reading: EvidenceReading, rule: string, text: string): FoundEvidence {
  return { level: 'major', explicitNone: reading.explicitNone, quotes: [{ level: 'major', rule, text }] };
}

// A heading such as "Minor breaking changes" lowers the level of its entries.
function asMinor(reading: EvidenceReading, text: string): FoundEvidence {
  return { ...reading, level: 'minor', quotes: [{ level: 'minor', rule: 'section', text }] };
}

// What a deprecated name was replaced with still works; only what is gone or breaks by its own words is more.
function asDeprecation(reading: EvidenceReading): EvidenceReading {
  if (reading.level !== 'major' || reading.quotes.some(({ level, rule }) => level === 'major' && rule !== 'replaced'))
    return reading;
  return { ...reading, level: 'minor', quotes: reading.quotes.filter(({ level }) => level !== 'major') };
}

function atLeastMinor(reading: EvidenceReading, text: string): FoundEvidence {
  if (reading.level === 'major') return reading;
  return { ...reading, level: 'minor', quotes: [...reading.quotes, { level: 'minor', rule: 'section', text }] };
}

// Whether an entry says that there are no breaking changes; below a heading that announces them only a short entry does.
function denies(reading: EvidenceReading, weight: EvidenceLevel, marked: string): boolean {
  return reading.explicitNone && reading.level === null && (weight === null || marked.length <= MAX_DENIAL_LENGTH);
}

export function sectionWeight(section: NoteSection | null): EvidenceLevel {
  if (section?.class !== 'breaking' && section?.class !== 'removed') return null;
  return SOFT_HEADING.test(section.title) ? 'minor' : 'major';
}
