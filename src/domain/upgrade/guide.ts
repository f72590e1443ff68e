// Upgrade guides: documents with a section for each version that needs notes, headed by the version to upgrade to.

import { headingIndex } from '../changelog/headings.ts';
import { wholeLines } from '../notes/migration.ts';
import { versionSort } from '../versions/index.ts';
import { PLAIN_PRERELEASE_WORDS } from '../versions/prerelease.ts';

// The section on upgrading to a version, in the guide's own lines; null when the guide has none for it.
export type UpgradeGuide = (version: string) => string | null;

export function guideFrom(sections: ReadonlyMap<string, string>): UpgradeGuide {
  return (version) => sections.get(versionSort(version) ?? '') ?? null;
}

// The sections, by the version to upgrade to.
export function guideSections(text: string, names: readonly string[]): Map<string, string> {
  const headings = headingIndex(text);
  const known = new Set(names.flatMap(wordsOf));
  const sections = new Map<string, string>();
  for (const [index, { offset, level, text: title }] of headings.entries()) {
    const target = targetOf(title, known);
    const key = target === null ? null : versionSort(target);
    if (key === null || sections.has(key)) continue;
    let next = index + 1;
    while ((headings[next]?.level ?? 0) > level) next += 1;
    const notes = sectionText(text, offset, headings[next]?.offset ?? text.length);
    if (notes !== null) sections.set(key, notes);
  }
  return sections;
}

// The most characters of a section that are kept.
const LONGEST_SECTION = 20_000;

function sectionText(text: string, start: number, end: number): string | null {
  const body = text.indexOf('\n', start);
  if (body === -1 || body >= end) return null;
  const section = text.slice(body + 1, Math.min(end, body + LONGEST_SECTION));
  return section.replace(/^(?:[ \t]*\n)+/, '').trimEnd() || null;
}

// As much of a section as migration notes may hold.
export function notesOfSection(section: string): string | null {
  return wholeLines(section.split('\n'));
}

const VERSION = new RegExp(
  String.raw`(?<![\p{L}\d.])v?\d{1,9}(?:\.\d{1,9}){0,3}(?:\.[x*])?(?:[-.]?(?:${PLAIN_PRERELEASE_WORDS.join('|')})[.\d]{0,6})?(?![\p{L}\d])`,
  'giu',
);
const LEADS_ON = /^\s*(?:to|→|->|=>|➜)\s*(?:version\s+)?$/i;
const LEAD_WORDS = new Set(
  (
    'upgrade upgrading upgrades migrate migrating migration migrations update updating moving move guide guides notes ' +
    'release releases version versions changes change breaking from to in for the of and a new what s how'
  ).split(' '),
);

// The version that a heading is about: the only one it names, or the second of "from … to …".
function targetOf(title: string, known: ReadonlySet<string>): string | null {
  const plain = title.replace(/\[([^\]]{0,200})\]\([^)]{0,300}\)/g, '$1').replace(/[`*_]/g, '');
  const [first, second, third] = [...plain.matchAll(VERSION)];
  if (!first || third) return null;
  const before = wordsOf(plain.slice(0, first.index));
  if (!before.every((word) => LEAD_WORDS.has(word) || known.has(word))) return null;
  const last = second ?? first;
  if (second && !LEADS_ON.test(plain.slice(first.index + first[0].length, second.index))) return null;
  const rest = plain.slice(last.index + last[0].length);
  // "2 ways to do it" names no version.
  if (/^\d+$/.test(last[0]) && /^\s+[\p{L}\d]/u.test(rest)) return null;
  return last[0].replace(/\.[x*]$/i, '');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
