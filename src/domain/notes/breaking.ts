import type { TextRange } from '../markdown/offsets.ts';
import type { VersionStep } from '../versions/step.ts';
import { readMark } from './classify.ts';
import { tidyInline } from './clean-item.ts';
import { type EvidenceLevel, type EvidenceReading, type Quote, readEvidence, saysNothing } from './evidence.ts';
import { type Habits, isHabitual, NO_HABITS } from './habits.ts';
import { inline } from './inline.ts';
import { isOwnWork, isOwnWorkLabel } from './own-work.ts';
import { isUnmissedRemoval } from './removals.ts';
import type { BreakingVerdict, Lines, NoteAside, NoteBody, NoteItem, NoteSection } from './types.ts';
import { verbClass } from './verbs.ts';

type EvidenceLocation = TextRange & Lines & { parent?: NoteItem | null };

export type BreakingEvidence = {
  level: EvidenceLevel;
  explicitNone: boolean;
  // Something reads like a change that users may notice, but no rule could tell.
  doubt: boolean;
  // The items with evidence, and what is nested below them, in body order: instructions are looked for there.
  locations: EvidenceLocation[];
  // The sentences that matched a rule.
  quotes: Quote[];
  // A heading announces breaks or removals, whatever stands below.
  announced: boolean;
};

type EvidenceInput = { title: string; body: NoteBody; major?: string | null; habits?: Habits | undefined };

// Headings of additions: what new things require or refuse breaks nobody.
const ADDITIONS = /^\W{0,4}(?:added|additions|new features?)\W{0,4}$/i;
// Headings of issue reports, which describe what was wrong.
const REPORTS = /^\W{0,4}(?:closed|fixed|open|resolved|known) issues?\W{0,4}$/i;
const SOFT_HEADING = /\b(?:potential(?:ly)?|possibl[ey]|minor|small)\b.{0,20}\bbreaking\b/i;
// A longer entry of a breaking section tells of a change, whatever it says about its weight.
const LONGEST_DENIAL = 160;
const WARNING_SIGN = /^\s{0,4}(?:⚠|:warning:)/u;

type FoundEvidence = { level: EvidenceLevel; explicitNone: boolean; quotes: readonly Quote[] };
const NOTHING_FOUND: FoundEvidence = { level: null, explicitNone: false, quotes: [] };

// Everything in title and body that speaks for or against a break.
export function findEvidence({ title, body, major = null, habits = NO_HABITS }: EvidenceInput): BreakingEvidence {
  const all: BreakingEvidence = {
    level: null,
    explicitNone: false,
    doubt: false,
    locations: [],
    quotes: [],
    announced: false,
  };
  const note = ({ level, explicitNone, quotes }: FoundEvidence, location: EvidenceLocation | null) => {
    all.explicitNone ||= explicitNone;
    all.quotes.push(...quotes);
    all.doubt ||= quotes.length > 0;
    if (!level) return;
    if (location) all.locations.push(location);
    if (all.level !== 'major') all.level = level;
  };

  note(titleEvidence(title, major), null);
  for (const item of body.items) note(itemEvidence(item, { content: body.content, major, habits }), item);
  const carriers = new Set<EvidenceLocation>(all.locations);
  for (const aside of body.asides) {
    const found = asideEvidence(aside, { content: body.content, major, habits });
    note(found, aside);
    if (!found.level && aside.parent && carriers.has(aside.parent)) all.locations.push(aside);
  }
  for (const section of body.sections) {
    if (sectionWeight(section)) all.announced = true;
    else if (/\bbreaking\b/i.test(section.title)) {
      const { explicitNone } = readEvidence(section.title, { class: null });
      note({ ...NOTHING_FOUND, explicitNone }, null);
    } else note(headingEvidence(section, major), null);
  }
  if (all.announced && !all.explicitNone && !all.level && hasOnlyCode(body)) all.level = 'major';
  all.locations.sort((a, b) => a.start - b.start);
  return all;
}

// The verdict table: first matching row.
export function breakingVerdict(
  evidence: BreakingEvidence,
  input: { items: readonly NoteItem[]; step: VersionStep | null; versionNumbers: readonly string[] },
): BreakingVerdict {
  const { items, step, versionNumbers } = input;
  const [first = '0', second = '0'] = versionNumbers;
  const stableLine = Number(first) >= 1;
  if (evidence.level === 'major') return 'major';
  if (evidence.level === 'minor') return step === 'major' ? 'major' : 'minor';
  if (evidence.explicitNone) return 'none';
  if (step === 'major' && stableLine) return 'major';
  if (evidence.announced || evidence.doubt) return 'unknown';
  const promises = (step === 'minor' && stableLine) || (step === 'patch' && (stableLine || Number(second) >= 1));
  if (promises && items.some((item) => item.class !== null)) return 'none';
  const onlyRepairs = items.length > 0 && items.every((item) => item.class === 'bugs' || item.class === 'security');
  return step === null && onlyRepairs ? 'none' : 'unknown';
}

type EvidenceContext = { content: string; major: string | null; habits: Habits };

function titleEvidence(title: string, major: string | null): FoundEvidence {
  if (!/[a-z]{3}/i.test(title)) return NOTHING_FOUND;
  const marked = tidyInline(title.slice(0, 500));
  const mark = readMark(marked);
  const reading = readEvidence(marked.slice(mark.length), { class: mark.class ?? verbClass(marked), major });
  return mark.class === 'breaking' ? asMajor(reading, 'mark', title) : reading;
}

// "No longer supporting IE9 and IE10" may be a heading.
function headingEvidence({ title, skipped, class: kind }: NoteSection, major: string | null): FoundEvidence {
  if (skipped || kind !== null) return NOTHING_FOUND;
  return readEvidence(title, { class: kind, major });
}

function itemEvidence(item: NoteItem, { content, major, habits }: EvidenceContext): FoundEvidence {
  if (isHabitual(habits, item.text)) return NOTHING_FOUND;
  const weight = sectionWeight(item.section);
  const reported = REPORTS.test(item.section?.title ?? '');
  const reading = readEvidence(item.marked, {
    class: reported ? 'bugs' : item.class,
    label: item.label,
    addition: ADDITIONS.test(item.section?.title ?? ''),
    major,
  });
  const byMark = item.class === 'breaking' && !weight && !isEmptyMark(item, content, habits) ? 'major' : null;
  if (saysNothing(item.marked) || (!byMark && denies(reading, weight, item.marked))) {
    return { ...NOTHING_FOUND, explicitNone: weight !== null || byMark === 'major' || reading.explicitNone };
  }
  if (byMark === 'major') return asMajor(reading, 'mark', item.text);
  if (weight === 'major' && !isUnmissed(item)) return asMajor(reading, 'section', item.text);
  if (weight === 'minor') return asMinor(reading, item.text);
  if (item.class === 'deprecated') return atLeastMinor(reading, item.text);
  return reading;
}

// A mark that this project puts on fixes too, or on its own work, says nothing about a break.
function isEmptyMark(item: NoteItem, content: string, habits: Habits): boolean {
  if (isOwnWorkLabel(item.label)) return true;
  const raw = content.slice(item.start, item.start + 12);
  return WARNING_SIGN.test(raw) && (habits.warnsOfFixes || item.own === 'bugs');
}

// In a section of removals: tests, examples and what was not used.
function isUnmissed(item: NoteItem): boolean {
  if (item.section?.class !== 'removed') return false;
  return isOwnWorkLabel(item.label) || isUnmissedRemoval(item.marked) || isOwnWork(item.marked.toLowerCase());
}

function asideEvidence(
  { start, end, section, parent }: NoteAside,
  { content, major, habits }: EvidenceContext,
): FoundEvidence {
  const marked = inline(content.slice(start, end));
  if (isHabitual(habits, marked)) return NOTHING_FOUND;
  const weight = sectionWeight(section);
  const reported = REPORTS.test(section?.title ?? '');
  const kind = reported ? 'bugs' : (parent?.class ?? section?.class ?? verbClass(marked));
  const mark = readMark(marked);
  const label = mark.label ?? (isOwnWorkLabel(parent?.label ?? null) ? (parent?.label ?? null) : null);
  const reading = readEvidence(marked, { class: kind, label, major });
  const byMark = mark.class === 'breaking' && !isOwnWorkLabel(mark.label);
  const nothing = saysNothing(marked.slice(mark.length).trimStart());
  if (nothing || (!byMark && denies(reading, weight, marked))) {
    return { ...NOTHING_FOUND, explicitNone: weight !== null || byMark || reading.explicitNone };
  }
  if (byMark || (!parent && weight === 'major')) return asMajor(reading, byMark ? 'mark' : 'section', marked);
  if (weight === 'minor') return asMinor(reading, marked);
  return !parent && section?.class === 'deprecated' ? atLeastMinor(reading, marked) : reading;
}

function asMajor(reading: EvidenceReading, rule: string, text: string): FoundEvidence {
  return { level: 'major', explicitNone: reading.explicitNone, quotes: [{ level: 'major', rule, text }] };
}

// A heading of small breaks lowers what stands below it.
function asMinor(reading: EvidenceReading, text: string): FoundEvidence {
  return { ...reading, level: 'minor', quotes: [{ level: 'minor', rule: 'section', text }] };
}

function atLeastMinor(reading: EvidenceReading, text: string): FoundEvidence {
  if (reading.level === 'major') return reading;
  return { ...reading, level: 'minor', quotes: [...reading.quotes, { level: 'minor', rule: 'section', text }] };
}

// "There are no breaking changes", also below a heading that announces them.
function denies(reading: EvidenceReading, weight: EvidenceLevel, marked: string): boolean {
  return reading.explicitNone && reading.level === null && (weight === null || marked.length <= LONGEST_DENIAL);
}

function sectionWeight(section: NoteSection | null): EvidenceLevel {
  if (section?.class !== 'breaking' && section?.class !== 'removed') return null;
  return SOFT_HEADING.test(section.title) ? 'minor' : 'major';
}

// A breaking section that shows nothing but code still tells of a break.
function hasOnlyCode({ sections, items, asides }: NoteBody): boolean {
  const read = new Set([...items, ...asides].map(({ section }) => section));
  return sections.some(
    (section) => section.filled && sectionWeight(section) === 'major' && !section.skipped && !read.has(section),
  );
}
