// Upgrade guides: documents with a section for each version that needs notes, headed by the version to upgrade to.

import { targetOfName, versionAfter } from '../changelog/guide-names.ts';
import { headingIndex } from '../changelog/headings.ts';
import { wholeLines } from '../notes/migration.ts';
import { versionSort } from '../versions/index.ts';
import { PLAIN_PRERELEASE_WORDS } from '../versions/prerelease.ts';

// The section on upgrading to a version, in the guide's own lines; null when the guide has none for it.
export type UpgradeGuide = (version: string) => string | null;

export interface GuideSection {
  // As it would be published: `5.0.0` where the guide says 5.
  version: string;
  text: string;
}

export function guideFrom(sections: ReadonlyMap<string, GuideSection>): UpgradeGuide {
  return (version) => sections.get(versionSort(version) ?? '')?.text ?? null;
}

export interface GuideText {
  text: string;
  // What the headings may call the product.
  names: readonly string[];
  filename?: string | undefined;
}

// The sections, by the version to upgrade to. A guide to one version, as its file name, title or introduction says, is one
// section.
export function guideSections({ text, names, filename = '' }: GuideText): Map<string, GuideSection> {
  const known = new Set(names.flatMap(wordsOf));
  const headings = headingIndex(text);
  const sections = sectionsByHeading(text, headings, known);
  const { title, intro } = beginning(text, headings);
  const target = targetOfName(filename) ?? targetOf(title, known) ?? targetOfIntro(intro, known);
  const key = target === null ? null : versionSort(target);
  const isWhole = [...sections.keys()].every((one) => one === key);
  const whole = keptText(text.slice(title === '' ? 0 : text.indexOf('\n', headings[0]?.offset) + 1));
  if (target === null || key === null || whole === null || !isWhole) return sections;
  return new Map([[key, { version: published(target), text: whole }]]);
}

type Headings = ReturnType<typeof headingIndex>;

// The heading with which a text begins, and what stands below it up to the next one.
function beginning(text: string, headings: Headings): { title: string; intro: string } {
  const [first, second] = headings;
  const isTitled = first !== undefined && text.slice(0, first.offset).trim() === '';
  const end = isTitled ? second?.offset : first?.offset;
  return {
    title: isTitled ? first.text : '',
    intro: text.slice(isTitled ? first.offset : 0, end).slice(0, MAX_INTRO_LENGTH),
  };
}

const MAX_INTRO_LENGTH = 600;

// "… from Acme 1.x to 2.x" in the first lines.
function targetOfIntro(intro: string, known: ReadonlySet<string>): string | null {
  const plain = intro.replace(/[`*_]/g, '');
  const [, said = ''] = /\b(?:upgrad|migrat)\w+\s+from\s+([^.\n]*(?:\.[^.\n]+)*)/i.exec(plain) ?? [];
  const [first, second] = [...said.matchAll(VERSION)];
  if (
    !first ||
    !second ||
    !wordsOf(said.slice(0, first.index)).every((word) => known.has(word) || LEAD_WORDS.has(word))
  )
    return null;
  const isLed = leadsOn(said.slice(first.index + first[0].length, second.index), known);
  return isLed ? second[0].replace(/\.[x*]$/i, '') : null;
}

// The sections of several guides; the first that has one for a version tells it.
export function sectionsOfGuides(guides: readonly GuideText[]): Map<string, GuideSection> {
  const sections = new Map<string, GuideSection>();
  for (const guide of guides) {
    for (const [key, section] of guideSections(guide)) if (!sections.has(key)) sections.set(key, section);
  }
  return sections;
}

function sectionsByHeading(text: string, headings: Headings, known: ReadonlySet<string>): Map<string, GuideSection> {
  const sections = new Map<string, GuideSection>();
  for (const [index, { offset, level, text: title }] of headings.entries()) {
    const target = targetOf(title, known);
    const key = target === null ? null : versionSort(target);
    if (target === null || key === null || sections.has(key)) continue;
    let next = index + 1;
    while ((headings[next]?.level ?? 0) > level) next += 1;
    const notes = sectionText(text, offset, headings[next]?.offset ?? text.length);
    if (notes !== null) sections.set(key, { version: published(target), text: notes });
  }
  return sections;
}

function published(target: string): string {
  const version = target.replace(/^v/i, '');
  return /^\d+(?:\.\d+)?$/.test(version) ? [...version.split('.'), '0', '0'].slice(0, 3).join('.') : version;
}

// The most characters of a section that are kept.
const MAX_SECTION_LENGTH = 20_000;

function sectionText(text: string, start: number, end: number): string | null {
  const body = text.indexOf('\n', start);
  if (body === -1 || body >= end) return null;
  return keptText(text.slice(body + 1, Math.min(end, body + MAX_SECTION_LENGTH)));
}

function keptText(section: string): string | null {
  return (
    section
      .slice(0, MAX_SECTION_LENGTH)
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd() || null
  );
}

// As much of a section as migration notes may hold.
export function notesOfSection(section: string): string | null {
  return wholeLines(section.split('\n'));
}

const VERSION = new RegExp(
  String.raw`(?<![\p{L}\d.])v?\d{1,9}(?:\.\d{1,9}){0,3}(?:\.[x*])?(?:[-.]?(?:${PLAIN_PRERELEASE_WORDS.join('|')})[.\d]{0,6})?(?![\p{L}\d])`,
  'giu',
);
const LEADS_ON = /^\s*(?:to|→|->|=>|➜)\s*$/i;
const LEAD_WORDS = new Set(
  (
    'upgrade upgrading upgrades migrate migrating migration migrations update updating moving move guide guides notes ' +
    'release releases version versions changes change breaking from to in for the of and a new what s how js'
  ).split(' '),
);

// The version that a heading is about: the only one it names, the second of "from … to …", the one after "from …".
function targetOf(title: string, known: ReadonlySet<string>): string | null {
  const plain = title
    .replace(/\[([^\]]{0,200})\]\([^)]{0,300}\)/g, '$1')
    .replace(/<[^<>]{0,200}>/g, '')
    .replace(/[`*_]/g, '');
  const [first, second, third] = [...plain.matchAll(VERSION)];
  if (!first || third) return null;
  const before = wordsOf(plain.slice(0, first.index));
  if (!before.every((word) => LEAD_WORDS.has(word) || known.has(word))) return null;
  const last = second ?? first;
  if (second && !leadsOn(plain.slice(first.index + first[0].length, second.index), known)) return null;
  const rest = plain.slice(last.index + last[0].length);
  // "2 ways to do it" and "2. Rename it" name no version, "1 to 2 upgrade guide" does.
  if (/^\d+$/.test(last[0]) && /^(?:\s+(?!(?:upgrad|migrat)\w+\b|guide\b)[\p{L}\d]|[.)]\s)/iu.test(rest)) return null;
  const version = last[0].replace(/\.[x*]$/i, '');
  return !second && before.includes('from') ? versionAfter(version) : version;
}

// What stands between two versions: "to", with the name of the product.
function leadsOn(between: string, known: ReadonlySet<string>): boolean {
  const words = between.replace(/[\p{L}\p{N}.]+/gu, (word) =>
    word.toLowerCase() === 'version' || wordsOf(word).every((one) => known.has(one)) ? '' : word,
  );
  return LEADS_ON.test(words);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
