// The verdict whether a release breaks its users, from all evidence in its title, its headings and its entries. An entry is
// read together with its section, its marker and the habits of the source.
import type { TextRange } from '../markdown/offsets.ts';
import type { VersionStep } from '../versions/parse.ts';
import { isAddition, readMarker, verbClass } from './classify.ts';
import { tidyInline } from './clean-item.ts';
import {
  deniesChanges,
  type EvidenceLevel,
  type EvidenceReading,
  proseOf,
  type Quote,
  readEvidence,
} from './evidence.ts';
import { type Habits, isHabitual, NO_HABITS } from './habits.ts';
import { inline } from './inline.ts';
import type { BreakingVerdict, Lines, NoteAside, NoteBody, NoteItem, NoteSection } from './types.ts';
import { isInternalLabel, isInternalWork, isUnmissedRemoval } from './user-impact.ts';

export type EvidenceLocation = TextRange & Lines & { parent?: NoteItem | null; section: NoteSection | null };

export type BreakingEvidence = {
  level: EvidenceLevel;
  explicitNone: boolean;
  // Some sentence may describe a change that users notice, but no rule could decide.
  doubt: boolean;
  // The items with evidence and the entries nested in them, in the order of the body. Instructions are searched there.
  locations: EvidenceLocation[];
  // What breaks, with the sentence that says so; null where only the section or a mark does.
  breaks: Map<unknown, string | null>;
  // Those that break by themselves, in the order of the body.
  entries: EvidenceLocation[];
  // The sentences that matched a rule.
  quotes: Quote[];
  // Some heading announces breaking changes or removals, whatever its section holds.
  announced: boolean;
};

type EvidenceInput = { title: string; body: NoteBody; major?: string | null; habits?: Habits | undefined };

// All evidence for or against a breaking change in title and body.
export function findEvidence({ title, body, major = null, habits = NO_HABITS }: EvidenceInput): BreakingEvidence {
  const all: BreakingEvidence = {
    level: null,
    explicitNone: false,
    doubt: false,
    locations: [],
    breaks: new Map(),
    entries: [],
    quotes: [],
    announced: false,
  };
  const record = ({ level, explicitNone, quotes }: FoundEvidence, location: EvidenceLocation | null) => {
    all.explicitNone ||= explicitNone;
    all.quotes.push(...quotes);
    all.doubt ||= quotes.length > 0;
    if (!level) return;
    if (location) all.locations.push(location);
    if (location && level === 'major') {
      const said = quotes.find((quote) => quote.level === 'major');
      const isWhole = location.parent === undefined && (said?.rule === 'section' || said?.rule === 'mark');
      all.breaks.set(location, isWhole ? null : (said?.text ?? null));
    }
    if (location && (level === 'major' || sectionWeight(location.section))) all.entries.push(location);
    if (all.level !== 'major') all.level = level;
  };

  record(titleEvidence(title, major), null);
  const fixes = mostlyFixes(body.items);
  for (const item of body.items) {
    const amongFixes = item.class === null && fixes.has(item.section);
    record(itemEvidence(item, { content: body.content, major, habits, amongFixes }), item);
  }
  const carriers = new Set<EvidenceLocation>(all.locations);
  for (const aside of body.asides) {
    const found = asideEvidence(aside, { content: body.content, major, habits });
    record(found, aside);
    if (!found.level && aside.parent && carriers.has(aside.parent)) all.locations.push(aside);
  }
  for (const section of body.sections) {
    if (sectionWeight(section)) all.announced = true;
    else if (/\bbreaking\b/i.test(section.title)) {
      const { explicitNone } = readEvidence(section.title, { class: null });
      record({ ...NOTHING_FOUND, explicitNone }, null);
    } else record(headingEvidence(section, major), null);
  }
  if (all.announced && !all.explicitNone && !all.level && hasOnlyCode(body)) all.level = 'major';
  for (const found of [all.locations, all.entries]) found.sort((a, b) => a.start - b.start);
  return all;
}

const MIN_FIXES = 3;
const NO_SECTIONS: ReadonlySet<NoteSection | null> = new Set();

// The sections without a class whose entries are mostly fixes: what else they tell is mostly a fix too.
function mostlyFixes(items: readonly NoteItem[]): ReadonlySet<NoteSection | null> {
  let found = 0;
  for (const { own } of items) if (own === 'bugs') found += 1;
  if (found < MIN_FIXES) return NO_SECTIONS;
  const counts = new Map<NoteSection | null, { fixes: number; all: number }>();
  for (const { section, own, listed } of items) {
    if (!listed || (section?.class ?? null) !== null) continue;
    const count = counts.get(section) ?? { fixes: 0, all: 0 };
    counts.set(section, count);
    count.all += 1;
    if (own === 'bugs') count.fixes += 1;
  }
  const mostly = [...counts].filter(([, { fixes, all }]) => fixes >= MIN_FIXES && fixes * 2 > all);
  return new Set(mostly.map(([section]) => section));
}

// The verdict is that of the first rule that applies.
export function breakingVerdict(
  evidence: BreakingEvidence,
  input: { items: readonly NoteItem[]; step: VersionStep | null; versionNumbers: readonly string[] },
): BreakingVerdict {
  const { items, step, versionNumbers } = input;
  const [first = '0', second = '0'] = versionNumbers;
  const stableLine = Number(first) >= 1;
  // 2.0.3 may be the first of its line that is stored; what broke was told by 2.0.0.
  const isFirstOfLine = versionNumbers.slice(1).every((number) => Number(number) === 0);
  if (evidence.level === 'major') return 'major';
  if (evidence.level === 'minor') return step === 'major' ? 'major' : 'minor';
  if (evidence.explicitNone) return 'none';
  if (step === 'major' && stableLine && isFirstOfLine) return 'major';
  if (evidence.announced || evidence.doubt) return 'unknown';
  const promises = (step === 'minor' && stableLine) || (step === 'patch' && (stableLine || Number(second) >= 1));
  if (promises && items.some((item) => item.class !== null || isAddition(item.marked))) return 'none';
  const onlyRepairs = items.length > 0 && items.every((item) => item.class === 'bugs' || item.class === 'security');
  return step === null && onlyRepairs ? 'none' : 'unknown';
}

// Whether a major verdict rests on the number of the version alone: nothing in the notes speaks of a break.
export function isByVersion({ level, announced, doubt }: BreakingEvidence, verdict: BreakingVerdict): boolean {
  return verdict === 'major' && level === null && !announced && !doubt;
}

function titleEvidence(title: string, major: string | null): FoundEvidence {
  if (!/[a-z]{3}/i.test(title)) return NOTHING_FOUND;
  const marked = tidyInline(title.slice(0, 500));
  const mark = readMarker(marked);
  const reading = readEvidence(marked.slice(mark.length), { class: mark.class ?? verbClass(marked), major });
  return mark.class === 'breaking' ? asMajor(reading, 'mark', title) : reading;
}

// A heading may be evidence itself: "No longer supporting IE9 and IE10".
function headingEvidence({ title, skipped, class: kind }: NoteSection, major: string | null): FoundEvidence {
  if (skipped || kind !== null) return NOTHING_FOUND;
  return readEvidence(title, { class: kind, major });
}

// Whether some breaking section holds nothing but code, which is still evidence of a breaking change.
function hasOnlyCode({ sections, items, asides }: NoteBody): boolean {
  const read = new Set([...items, ...asides].map(({ section }) => section));
  return sections.some(
    (section) => section.filled && sectionWeight(section) === 'major' && !section.skipped && !read.has(section),
  );
}

// The evidence in one entry.

// Headings of additions: what something new requires or rejects breaks nobody.
const ADDITIONS = /^\W{0,4}(?:added|additions|new features?)\W{0,4}$/i;
// Headings of lists of issues, which describe what was wrong.
const REPORTS =
  /^\W{0,4}(?:(?:closed|fixed|open|resolved|known) )?(?:issues?|tickets?|bug reports?)(?: (?:closed|fixed|resolved))?\W{0,4}$/i;
const SOFT_HEADING = /\b(?:potential(?:ly)?|possibl[ey]|minor|small)\b.{0,20}\bbreaking\b/i;
// A longer entry of a breaking section describes a change, even if it also says that nothing breaks.
const MAX_DENIAL_LENGTH = 160;
const WARNING_SIGN = /^\s{0,4}(?:⚠|:warning:)/u;

type FoundEvidence = { level: EvidenceLevel; explicitNone: boolean; quotes: readonly Quote[] };
const NOTHING_FOUND: FoundEvidence = { level: null, explicitNone: false, quotes: [] };

type EvidenceContext = { content: string; major: string | null; habits: Habits; amongFixes?: boolean };

function itemEvidence(item: NoteItem, { content, major, habits, amongFixes = false }: EvidenceContext): FoundEvidence {
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
  if (weight === 'major' && !isUnmissed(item) && !isPlainAddition(item)) return asMajor(reading, 'section', item.text);
  if (weight === 'minor') return asMinor(reading, item.text);
  if (item.class === 'deprecated') return atLeastMinor(asDeprecation(reading), item.text);
  return reading;
}

// "⚠️ The release got failed.", "⚠️ Do not use this version": about the publication, not about what it holds.
const ABOUT_RELEASE =
  /^\W{0,6}(?:(?:the|this) (?:release|version|build|tag|package)(?: (?:got|has|had|was|is|been|not|never|accidentally|mistakenly)){1,3} (?:failed|broken|skipped|published|released|yanked|unpublished|retracted|withdrawn|pulled|superseded)|(?:please )?(?:do not|don['’]t) (?:use|install) (?:this|it)\b)(?:(?!\b(?:breaking|remov|renam|requir|drop|no longer))[^\n]){0,120}$/i;

// Whether a marker means nothing because this project also puts it on fixes or on internal work.
function isMeaninglessMarker(item: NoteItem, content: string, habits: Habits): boolean {
  if (isInternalLabel(item.label)) return true;
  const raw = content.slice(item.start, item.start + 12);
  return WARNING_SIGN.test(raw) && (habits.warnsOfFixes || item.own === 'bugs' || ABOUT_RELEASE.test(item.marked));
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

// Below "Major changes" may stand what is new: that breaks nobody unless its own words say so.
function isPlainAddition({ section, own }: NoteItem): boolean {
  return own === 'features' && /^\W{0,4}major changes\W{0,4}$/i.test(section?.title ?? '');
}

// "deps: debug@3.1.0" with what that release changed nested below it: those are changes of another project.
const DEPENDENCY_UPDATE =
  /^(?:(?:deps?|dependencies): )?(?:@?[\w./-]{1,60}@[~^]?v?\d|(?:updated?|bump(?:ed)?|upgraded?) \S{1,60} to v?\d)/i;

function isDependencyUpdate({ class: kind, marked, text }: NoteItem): boolean {
  return kind === 'other' && (DEPENDENCY_UPDATE.test(marked) || DEPENDENCY_UPDATE.test(text));
}

function asideEvidence(
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

function asMajor(reading: EvidenceReading, rule: string, text: string): FoundEvidence {
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

function sectionWeight(section: NoteSection | null): EvidenceLevel {
  if (section?.class !== 'breaking' && section?.class !== 'removed') return null;
  return SOFT_HEADING.test(section.title) ? 'minor' : 'major';
}
