// What the archive of the last version says of versions that were out then: the sections are still there and say the same.
import { compareVersionKeys, flagsPrerelease } from '../versions/index.ts';
import { type LintFinding, lintFinding } from './finding.ts';
import { unreadHeadings } from './headings.ts';
import { isMeantAs, type LintedFile, type LintSection, lineOfText } from './sections.ts';
import { differentSense, sharedStems } from './sense.ts';
import { type EntryWords, entriesOfBody } from './words.ts';

interface ArchivedFile {
  file: LintedFile;
  // The version that the archive is of, and its key.
  version: string;
  key: string;
}

const MAX_COMPARED = 400_000;

export function changedSections(file: LintedFile, { file: old, version, key }: ArchivedFile): LintFinding[] {
  const now = byKey(file.sections);
  return [...byKey(old.sections)].flatMap(([each, before]) => {
    const after = now.get(each);
    const [first] = after ?? [];
    if (!after || !first || compareVersionKeys(each, key) > 0 || first.isWithdrawn) return [];
    const was = before.flatMap(({ body }) => entriesOfBody(body));
    const is = after.flatMap((section) => entriesOfBody(section.body).map((entry) => ({ entry, section })));
    // A heading without text was a placeholder; and what somebody puts below it afterwards is new.
    if (was.length * is.length > MAX_COMPARED) return [];
    const told = comparedEntries(
      was,
      is.map(({ entry }) => entry),
    );
    if (told.added.length + told.gone.length + told.other.length === 0) return [];
    const place = told.added[0] ?? told.other[0]?.is;
    const section = is.find(({ entry }) => entry === place)?.section ?? first;
    return [
      lintFinding(
        'published-changed',
        { line: place ? lineOfText(file, section, place.text) : first.line, version: first.version },
        {
          sentence: `${first.version} was published, and its section says something else now.`,
          evidence: [
            ...told.added.map((entry) => `not in the archive of ${version}: ${shortText(entry)}`),
            ...told.gone.map((entry) => `gone: ${shortText(entry)}`),
            ...told.other.map(({ is, why }) => `another sense (${why}): ${shortText(is)}`),
          ].slice(0, 10),
          advice: `Move what is new to the section of the coming release, and leave ${first.version} as it was published.`,
        },
      ),
    ];
  });
}

function byKey(sections: readonly LintSection[]): Map<string, LintSection[]> {
  const found = new Map<string, LintSection[]>();
  for (const section of sections) found.set(section.key, [...(found.get(section.key) ?? []), section]);
  return found;
}

interface Compared {
  added: EntryWords[];
  gone: EntryWords[];
  other: { is: EntryWords; why: string }[];
}

function comparedEntries(was: readonly EntryWords[], is: readonly EntryWords[]): Compared {
  const left = new Set(was);
  const open: EntryWords[] = [];
  const other: Compared['other'] = [];
  // The same words first, so that a likeness takes nothing away from them.
  const rest = is.filter((entry) => {
    const same = [...left].find((one) => isSameWords(one, entry));
    if (same) left.delete(same);
    return !same;
  });
  for (const entry of rest) {
    const near = nearest(entry, left);
    if (near === null) {
      open.push(entry);
      continue;
    }
    left.delete(near);
    const why = differentSense(near, entry);
    if (why !== null) other.push({ is: entry, why });
  }
  // An entry that was divided, or joined with another, is in parts where it was.
  const added = open.filter((entry) => !was.some((one) => holds(one, entry)));
  const gone = [...left].filter((entry) => !is.some((one) => holds(one, entry)));
  return { ...withoutReworded(added, gone), other };
}

function isSameWords(one: EntryWords, other: EntryWords): boolean {
  return one.words.length === other.words.length && one.words.every((word, at) => word === other.words[at]);
}

function nearest(entry: EntryWords, among: ReadonlySet<EntryWords>): EntryWords | null {
  let best: EntryWords | null = null;
  let most = 0;
  for (const one of among) {
    const shared = sharedStems(entry, one);
    const likeness = shared / Math.max(1, entry.stems.size + one.stems.size - shared);
    const held = shared / Math.max(1, Math.min(entry.stems.size, one.stems.size));
    const score = likeness >= 0.34 || (held >= 0.65 && shared >= 2) ? likeness + held : 0;
    if (score > most) [best, most] = [one, score];
  }
  return best;
}

function holds(whole: EntryWords, part: EntryWords): boolean {
  return sharedStems(part, whole) / part.stems.size >= 0.7;
}

// As many came as went: each that shares a word with one that went is that one in other words.
function withoutReworded(added: EntryWords[], gone: EntryWords[]): Pick<Compared, 'added' | 'gone'> {
  const lost = new Set(gone);
  const came = added.filter((entry) => {
    const like = [...lost].find((one) => sharedStems(entry, one) > 0);
    if (like) lost.delete(like);
    return !like;
  });
  return { added: came, gone: [...lost] };
}

function shortText({ text }: EntryWords): string {
  const line = text.replace(/\s+/g, ' ').replace(/^(?:[-*+\u2022]|\d{1,3}[.)])\s+/, '');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

const ELSEWHERE =
  /\b(?:older|previous|earlier|prior|former|past|archived?|before)\b[^\n]{0,120}\b(?:versions?|releases?|changes?|changelogs?|entries|notes|history)\b|\b(?:changelog|changes|history|releases?)[-_.]?v?\d[\w.]*\.(?:md|rst|txt)\b/i;

// One finding for each place of the file where sections are gone.
export function lostSections(file: LintedFile, { file: old, version, key }: ArchivedFile): LintFinding[] {
  const kept = new Set(file.sections.flatMap(({ keys }) => keys));
  const known = old.sections.filter((section) => compareVersionKeys(section.key, key) <= 0);
  const isKept = (section: LintSection) => section.keys.some((one) => kept.has(one));
  const lost = known.filter((section) => !isKept(section) && !flagsPrerelease(section.parsed) && !section.isWithdrawn);
  if (lost.length === 0 || file.sections.length === 0) return [];
  const highestKept = highest(known.filter(isKept));
  const lowestKept = lowest(file.sections);
  const newest = highest(file.sections);
  const unread = unreadHeadings(file);
  const missing = lost.filter((section) => {
    if (unread.some(({ text }) => isMeantAs(text, section.version))) return false;
    if (highestKept === null) return false;
    // Another release line goes on in a file of its own.
    const isOtherLine = newest !== null && lineOf(newest) !== lineOf(section);
    if (isOtherLine && compareVersionKeys(section.key, highestKept.key) > 0) return false;
    const isBelowAll = lowestKept !== null && compareVersionKeys(section.key, lowestKept.key) < 0;
    return !(isBelowAll && (lineOf(section) !== lineOf(lowestKept) || says(file)));
  });
  return groupedByPlace(file, missing).map(({ line, sections }) => {
    const names = sections.map((one) => one.version);
    const [first] = names;
    const several = names.length > 1;
    return lintFinding(
      'published-lost',
      { line, version: first ?? null },
      {
        sentence: several
          ? `${names.length} published sections are gone: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}.`
          : `The published section ${first} is gone.`,
        evidence: sections.slice(0, 5).map((one) => `in the archive of ${version}: ${one.heading.slice(0, 120)}`),
        advice: `Put ${several ? 'them' : 'it'} back here, or say in the file where older versions are.`,
      },
    );
  });
}

function says({ lines }: LintedFile): boolean {
  return ELSEWHERE.test([...lines.slice(0, 30), ...lines.slice(-30)].join('\n').slice(0, 20_000));
}

function lineOf({ parsed: { numbers } }: LintSection): string {
  return numbers[0] === '0' ? `0.${numbers[1] ?? '0'}` : (numbers[0] ?? '');
}

function highest(sections: readonly LintSection[]): LintSection | null {
  return sections.reduce<LintSection | null>(
    (most, one) => (most === null || compareVersionKeys(one.key, most.key) > 0 ? one : most),
    null,
  );
}

function lowest(sections: readonly LintSection[]): LintSection | null {
  return sections.reduce<LintSection | null>(
    (least, one) => (least === null || compareVersionKeys(one.key, least.key) < 0 ? one : least),
    null,
  );
}

// Where a lost section stood: at the next lower version that is there, else at the end.
function groupedByPlace(file: LintedFile, lost: readonly LintSection[]) {
  const places = new Map<number, LintSection[]>();
  for (const section of lost) {
    const below = highest(file.sections.filter(({ key }) => compareVersionKeys(key, section.key) < 0));
    const line = below?.line ?? file.sections.at(-1)?.line ?? 1;
    places.set(line, [...(places.get(line) ?? []), section]);
  }
  return [...places].map(([line, sections]) => ({ line, sections }));
}
