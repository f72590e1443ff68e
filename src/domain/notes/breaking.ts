// The verdict whether a release breaks its users, from all evidence in its title and body.
import type { TextRange } from '../markdown/offsets.ts';
import type { VersionStep } from '../versions/parse.ts';
import { isAddition, readMarker, verbClass } from './classify.ts';
import { tidyInline } from './clean-item.ts';
import {
  asideEvidence,
  asMajor,
  type FoundEvidence,
  itemEvidence,
  NOTHING_FOUND,
  sectionWeight,
} from './entry-evidence.ts';
import { type EvidenceLevel, type Quote, readEvidence } from './evidence.ts';
import { type Habits, NO_HABITS } from './habits.ts';
import type { BreakingVerdict, Lines, NoteBody, NoteItem, NoteSection } from './types.ts';

type EvidenceLocation = TextRange & Lines & { parent?: NoteItem | null };

export type BreakingEvidence = {
  level: EvidenceLevel;
  explicitNone: boolean;
  // Some sentence may describe a change that users notice, but no rule could decide.
  doubt: boolean;
  // The items with evidence and the entries nested in them, in the order of the body. Instructions are searched there.
  locations: EvidenceLocation[];
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
    quotes: [],
    announced: false,
  };
  const record = ({ level, explicitNone, quotes }: FoundEvidence, location: EvidenceLocation | null) => {
    all.explicitNone ||= explicitNone;
    all.quotes.push(...quotes);
    all.doubt ||= quotes.length > 0;
    if (!level) return;
    if (location) all.locations.push(location);
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
  all.locations.sort((a, b) => a.start - b.start);
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
  if (evidence.level === 'major') return 'major';
  if (evidence.level === 'minor') return step === 'major' ? 'major' : 'minor';
  if (evidence.explicitNone) return 'none';
  if (step === 'major' && stableLine) return 'major';
  if (evidence.announced || evidence.doubt) return 'unknown';
  const promises = (step === 'minor' && stableLine) || (step === 'patch' && (stableLine || Number(second) >= 1));
  if (promises && items.some((item) => item.class !== null || isAddition(item.marked))) return 'none';
  const onlyRepairs = items.length > 0 && items.every((item) => item.class === 'bugs' || item.class === 'security');
  return step === null && onlyRepairs ? 'none' : 'unknown';
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
