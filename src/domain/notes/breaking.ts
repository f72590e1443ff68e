import { readMark } from './classify.ts';
import { tidyInline } from './clean-item.ts';
import { type EvidenceLevel, type Reading, readEvidence, saysNothing } from './evidence.ts';
import { inline } from './inline.ts';
import type { BreakingVerdict, Lines, NoteAside, NoteBody, NoteItem, NoteSection, Span, VersionStep } from './types.ts';
import { verbClass } from './verbs.ts';

type Place = Span & Lines;

export type BreakingEvidence = {
  level: EvidenceLevel;
  explicitNone: boolean;
  /** What carries the evidence, and what is nested below it, in body order: where instructions are looked for. */
  places: Place[];
  /** A heading announces breaks or removals, whatever stands below. */
  announced: boolean;
};

/** Below these everything is new: what it requires or refuses breaks nobody. */
const ADDITIONS = /^\W{0,4}(?:added|additions|new features?)\W{0,4}$/i;
const SOFT_HEADING = /\b(?:potential(?:ly)?|possibl[ey]|minor|small)\b.{0,20}\bbreaking\b/i;

/** Everything in title and body that speaks for or against a break. */
export function findEvidence(title: string, body: NoteBody): BreakingEvidence {
  const found: BreakingEvidence = { level: null, explicitNone: false, places: [], announced: false };
  const note = (level: EvidenceLevel, explicitNone: boolean, place: Place | null) => {
    found.explicitNone ||= explicitNone;
    if (!level) return;
    if (place) found.places.push(place);
    if (found.level !== 'major') found.level = level;
  };

  note(...titleEvidence(title), null);
  for (const item of body.items) note(...itemEvidence(item), item);
  const carriers = new Set<Place>(found.places);
  for (const aside of body.asides) {
    const [level, explicitNone] = asideEvidence(aside, body.content);
    note(level, explicitNone, aside);
    if (!level && aside.parent && carriers.has(aside.parent)) found.places.push(aside);
  }
  for (const section of body.sections) {
    const weight = sectionWeight(section);
    if (weight) found.announced = true;
    else if (/\bbreaking\b/i.test(section.title)) {
      note(null, readEvidence(section.title, null).explicitNone, null);
    }
  }
  if (found.announced && !found.explicitNone && !found.level && hasOnlyCode(body)) found.level = 'major';
  found.places.sort((a, b) => a.start - b.start);
  return found;
}

/** The verdict table: first matching row. */
export function breakingVerdict(
  evidence: BreakingEvidence,
  input: { items: readonly NoteItem[]; step: VersionStep; versionNumbers: readonly string[] },
): BreakingVerdict {
  const { items, step, versionNumbers } = input;
  const [first = '0', second = '0'] = versionNumbers;
  const stableLine = Number(first) >= 1;
  if (evidence.level === 'major') return 'major';
  if (evidence.level === 'minor') return step === 'major' ? 'major' : 'minor';
  if (evidence.explicitNone) return 'none';
  if (step === 'major' && stableLine) return 'major';
  if (evidence.announced) return 'unknown';
  const promises = (step === 'minor' && stableLine) || (step === 'patch' && (stableLine || Number(second) >= 1));
  if (promises && items.some((item) => item.class !== null)) return 'none';
  const onlyRepairs = items.length > 0 && items.every((item) => item.class === 'bugs' || item.class === 'security');
  return step === null && onlyRepairs ? 'none' : 'unknown';
}

function titleEvidence(title: string): [EvidenceLevel, boolean] {
  if (!/[a-z]{3}/i.test(title)) return [null, false];
  const marked = tidyInline(title.slice(0, 500));
  const mark = readMark(marked);
  const kind = mark.class ?? verbClass(marked);
  const said = readEvidence(marked.slice(mark.length), kind);
  return [mark.class === 'breaking' ? 'major' : said.level, said.explicitNone];
}

function itemEvidence(item: NoteItem): [EvidenceLevel, boolean] {
  const weight = sectionWeight(item.section);
  const said = readEvidence(item.marked, item.class, ADDITIONS.test(item.section?.title ?? ''));
  const byMark = item.class === 'breaking' && !weight ? 'major' : item.class === 'deprecated' ? 'minor' : null;
  if (saysNothing(item.marked) || (byMark !== 'major' && denies(said)))
    return [null, weight !== null || byMark === 'major' || said.explicitNone];
  return [stronger(stronger(weight, byMark), said.level), said.explicitNone];
}

function asideEvidence({ start, end, section, parent }: NoteAside, content: string): [EvidenceLevel, boolean] {
  const marked = inline(content.slice(start, end));
  const weight = sectionWeight(section);
  const kind = parent?.class ?? section?.class ?? verbClass(marked);
  const said = readEvidence(marked, kind);
  const mark = readMark(marked);
  const byMark = mark.class === 'breaking' ? 'major' : null;
  const nothing = saysNothing(marked.slice(mark.length).trimStart());
  if (nothing || (!byMark && denies(said))) return [null, weight !== null || byMark !== null || said.explicitNone];
  const bySection = parent ? null : (weight ?? (section?.class === 'deprecated' ? 'minor' : null));
  return [stronger(stronger(bySection, byMark), said.level), said.explicitNone];
}

/** "There are no breaking changes", also below a heading that announces them. */
function denies(said: Reading): boolean {
  return said.explicitNone && said.level === null;
}

function sectionWeight(section: NoteSection | null): EvidenceLevel {
  if (section?.class !== 'breaking' && section?.class !== 'removed') return null;
  return SOFT_HEADING.test(section.title) ? 'minor' : 'major';
}

/** A breaking section that shows nothing but code still tells of a break. */
function hasOnlyCode(body: NoteBody): boolean {
  return body.sections.some((section) => section.filled && sectionWeight(section) === 'major' && !section.skipped);
}

function stronger(a: EvidenceLevel, b: EvidenceLevel): EvidenceLevel {
  return a === 'major' || b === 'major' ? 'major' : (a ?? b);
}
