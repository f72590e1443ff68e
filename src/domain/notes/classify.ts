// The class of change that an entry states itself: by a prefix, a label, a marker or a warning sign.
import { classOfName } from './headings.ts';
import type { NoteClass } from './types.ts';

const TYPES = new Map<string, NoteClass>(
  Object.entries({
    'breaking change': 'breaking',
    'breaking changes': 'breaking',
    'breaking-change': 'breaking',
    breaking: 'breaking',
    deprecate: 'deprecated',
    security: 'security',
    sec: 'security',
    feat: 'features',
    feature: 'features',
    perf: 'enhancements',
    refactor: 'enhancements',
    style: 'enhancements',
    enhancement: 'enhancements',
    improvement: 'enhancements',
    fix: 'bugs',
    bugfix: 'bugs',
    hotfix: 'bugs',
    'bug fix': 'bugs',
    bug: 'bugs',
    revert: 'bugs',
    chore: 'other',
    docs: 'other',
    doc: 'other',
    ci: 'other',
    build: 'other',
    test: 'other',
    tests: 'other',
    deps: 'other',
  }),
);

const PREFIX = /^([A-Za-z][A-Za-z -]{0,24})(?:\(([^()]{0,60})\))?(!)?:(?=\s|$)/;
const LABEL = /^(?:\[([A-Za-z][\w &/,-]{0,30})\]|([A-Za-z][\w &/,-]{0,30})(?:\([^()]{0,60}\))?!?:(?=\s))/;
const BRACKET = /^\[([A-Za-z][A-Za-z -]{0,24})\]:?(?:\s+-)?\s/;
const ADVISORY = /\bCVE-\d{4}-\d{4,}\b|\bGHSA(?:-[0-9a-z]{4}){3}\b/i;
const BUMP =
  /^(?:bump(?:s|ed)?\b.{0,120}? to v?\d|(?:updated?|updates|upgraded?|upgrades) (?:the )?(?:dependency |package |module )?\S{1,80} (?:from \S{1,40} )?to v?\d+(?:\.\d+|\.x|$))/i;
const CASCADE =
  /^[@\w./-]{2,80}:? v?\d[\w.-]{0,30} (?:=>|->|→) v?\d|^(?:note: )?version (?:bump|update) only\b|^update[sd]? (?:all )?(?:\w{1,20} )?dependenc(?:y|ies)\b|^@?[\w./-]{1,100}(?:@v?| v?(?=\d{1,5}\.\d))\d[\w.+-]{0,60}(?: \((?:major|minor|patch)\))?$/i;

type EntryMarker = {
  class: NoteClass | null;
  // The class by the written type alone: `feat!:` is breaking, its own class is features.
  own: NoteClass | null;
  // Length of the prefix that is cut off the text.
  length: number;
  // The label or type itself in lower case, without a leading `[BREAKING]`.
  label: string | null;
};

// Signs of breaking changes, which the cleaned text no longer has.
const WARNING_SIGN = /^\s{0,4}(?:💥|⚠|:boom:|:warning:)/u;

// Whether a text begins with a letter, as most do: patterns of signs need not be tried on it.
export function startsWithLetter(text: string): boolean {
  const letter = text.charCodeAt(0) | 32;
  return letter >= 97 && letter <= 122;
}

// An update of a dependency: its first word says so, or a number follows it.
function isUpdate(text: string): boolean {
  const first = text.charAt(0);
  if ('bBuU'.includes(first) && BUMP.test(text)) return true;
  if ('nNvVuU'.includes(first)) return CASCADE.test(text);
  const space = text.indexOf(' ');
  const word = space === -1 ? text : text.slice(0, space);
  return (/^v?\d/i.test(text.slice(space + 1, space + 3)) || /[@\d]/.test(word)) && CASCADE.test(text);
}

// The most important of the classes that the entry states. `raw` is the text as published.
export function readMarker(marked: string, raw = ''): EntryMarker {
  const prefix = marked.startsWith('[') ? BRACKET.exec(marked) : marked.includes(':') ? PREFIX.exec(marked) : null;
  const name = prefix?.[1]?.toLowerCase().trim() ?? '';
  const type = TYPES.get(name);
  const own = type && prefix?.[2]?.startsWith('deps') ? 'other' : (type ?? (name ? classOfName(name) : null));
  const length = prefix && (type || prefix[3]) ? prefix[0].length : 0;
  const label = readLabel(own === 'breaking' ? marked.slice(prefix?.[0].length ?? 0).trimStart() : marked);
  const found = (value: NoteClass | null): EntryMarker => ({ class: value, own, length, label });
  if (own === 'breaking' || prefix?.[3] || isShouted(marked) || (!startsWithLetter(raw) && WARNING_SIGN.test(raw))) {
    return { class: 'breaking', own: own === 'breaking' ? null : own, length, label };
  }
  if (own === 'deprecated' || own === 'removed') return found(own);
  if (own === 'security' || hasAdvisory(marked)) return found('security');
  const shown = marked.slice(length).trimStart();
  if (own === null && isUpdate(shown)) return { class: 'other', own: 'other', length, label };
  return found(own);
}

function readLabel(text: string): string | null {
  const label = text.startsWith('[') || text.includes(':') ? LABEL.exec(text) : null;
  return (label?.[1] ?? label?.[2])?.toLowerCase().trim() ?? null;
}

// `BREAKING` in capitals marks an entry wherever it is written, unless the words before negate it.
function isShouted(marked: string): boolean {
  const at = marked.includes('BREAKING') ? marked.search(/\bBREAKING\b/) : -1;
  if (at === -1) return false;
  const before = marked.slice(Math.max(0, at - 30), at);
  return !/\b(?:no|not|non|without|zero|potential(?:ly)?|possibl[ey]|minor|small)\b[\s\w'-]{0,20}$/i.test(before);
}

export function hasAdvisory(text: string): boolean {
  return text.includes('-') && ADVISORY.test(text);
}
