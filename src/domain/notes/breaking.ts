import { readMark } from './classify.ts';
import { tidyInline } from './clean-item.ts';
import { type EvidenceLevel, readEvidence, saysNothing } from './evidence.ts';
import { inline } from './inline.ts';
import type { BreakingVerdict, NoteBody, NoteItem, NoteSection, Span, VersionStep } from './types.ts';
import { verbClass } from './verbs.ts';

export type BreakingEvidence = {
  level: EvidenceLevel;
  explicitNone: boolean;
  /** Places that carry the evidence, in body order: where instructions are looked for. */
  places: (Span & { lineStart: number })[];
  /** A heading announces breaks or removals, whatever stands below. */
  announced: boolean;
};

const SOFT_HEADING = /\b(?:potential(?:ly)?|possibl[ey]|minor|small)\b.{0,20}\bbreaking\b/i;

/** Everything in title and body that speaks for or against a break. */
export function findEvidence(title: string, body: NoteBody): BreakingEvidence {
  const found: BreakingEvidence = { level: null, explicitNone: false, places: [], announced: false };
  const note = (level: EvidenceLevel, explicitNone: boolean, place: (Span & { lineStart: number }) | null) => {
    found.explicitNone ||= explicitNone;
    if (!level) return;
    if (place) found.places.push(place);
    if (found.level !== 'major') found.level = level;
  };

  note(...titleEvidence(title), null);
  for (const item of body.items) note(...itemEvidence(item), item);
  for (const aside of body.asides) {
    const marked = inline(body.content.slice(aside.start, aside.end));
    const weight = sectionWeight(aside.section);
    const denied = weight !== null && saysNothing(marked);
    const kind = aside.parent?.class ?? aside.section?.class ?? verbClass(marked);
    const said = readEvidence(marked, { bug: kind === 'bugs', chore: kind === 'other' });
    const byMark = readMark(marked).class === 'breaking' ? 'major' : null;
    const bySection =
      denied || aside.parent ? null : (weight ?? (aside.section?.class === 'deprecated' ? 'minor' : null));
    note(stronger(stronger(bySection, byMark), said.level), said.explicitNone || denied, aside);
  }
  for (const section of body.sections) {
    const weight = sectionWeight(section);
    if (weight) found.announced = true;
    else if (/\bbreaking\b/i.test(section.title)) {
      note(null, readEvidence(section.title, { bug: false, chore: false }).explicitNone, null);
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
  const said = readEvidence(marked.slice(mark.length), { bug: kind === 'bugs', chore: kind === 'other' });
  return [mark.class === 'breaking' ? 'major' : said.level, said.explicitNone];
}

function itemEvidence(item: NoteItem): [EvidenceLevel, boolean] {
  const weight = sectionWeight(item.section);
  const said = readEvidence(item.marked, { bug: item.class === 'bugs', chore: item.class === 'other' });
  if ((weight || item.class === 'deprecated') && saysNothing(item.marked)) return [null, weight !== null];
  const byMark = item.class === 'breaking' && !weight ? 'major' : item.class === 'deprecated' ? 'minor' : null;
  return [stronger(stronger(weight, byMark), said.level), said.explicitNone];
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
