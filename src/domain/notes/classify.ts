// The class of change that an entry states itself: by a prefix, a label, a marker, a warning sign or the verb that it begins
// with.
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
    change: 'enhancements',
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

// "[BUG #87]: `x` does not …", "Fixes #12: …": the name of a report tells what was wrong.
const FIXED_REPORT =
  /^[\s*_[(]{0,4}(?:(?:bug|defect|regression)s? ?#?\d{1,7}|(?:fix(?:e[sd])?|resolve[sd]?) (?:issue |bug |gh[- ]?)?#?\d{1,7})\b/i;

// Signs of breaking changes, which the cleaned text no longer has.
const WARNING_SIGN = /^\s{0,4}(?:💥|⚠|:boom:|:warning:)/u;

// Whether a text begins with a letter, as most do: patterns of signs need not be tried on it.
function startsWithLetter(text: string): boolean {
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
  if (own === null && raw !== '' && FIXED_REPORT.test(raw)) return { class: 'bugs', own: 'bugs', length, label };
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

// The verbs that mean a class.
const VERBS: Readonly<Partial<Record<NoteClass, string>>> = {
  deprecated: 'deprecate',
  features: 'add introduce support implement allow enable launch',
  enhancements: 'improve update change enhance optimise optimize increase reduce speed rename refactor make',
  bugs: 'fix resolve correct prevent avoid handle',
};

function forms(verb: string): string[] {
  if (verb === 'make') return ['make', 'makes', 'made', 'making'];
  if (verb === 'speed') return ['speed', 'speeds', 'sped', 'speeding'];
  if (verb.endsWith('e')) return [verb, `${verb}s`, `${verb}d`, `${verb.slice(0, -1)}ing`];
  return [verb, /(?:x|ch)$/.test(verb) ? `${verb}es` : `${verb}s`, `${verb}ed`, `${verb}ing`];
}

const CLASS_OF_FORM = new Map<string, NoteClass>([['new', 'features']]);
for (const [name, verbs] of Object.entries(VERBS)) {
  for (const verb of verbs.split(' ')) for (const form of forms(verb)) CLASS_OF_FORM.set(form, name as NoteClass);
}

const FILLERS = new Set(
  "we we've we’ve i i've also now have has had been finally just this the it you can will and".split(' '),
);
const RELEASE_NOUNS = new Set(['release', 'update', 'version', 'patch', 'build', 'app', 'team']);
const SCOPE = /^[^\s:]{1,40}(?: [^\s:]{1,20}){0,2}(?::| [-–—])\s/;
// "[CHANGE] [cli] Remove …": labels in brackets before the verb.
const LABELS = /^(?:\[[A-Za-z][\w &/,.-]{0,30}\]:? ){1,3}/;
const MARKS = new Set('-–—•·*>');
const MAX_FILLERS = 6;

export type LeadingWord = { word: string; start: number };

// The first word that may be the verb. Scope labels, pronouns and adverbs before it are skipped.
export function leadingWord(text: string): LeadingWord | null {
  const head = text.slice(0, 400);
  const first = wordFrom(head, head.startsWith('[') ? (LABELS.exec(head)?.[0].length ?? 0) : 0);
  if (first && CLASS_OF_FORM.has(first.word)) return first;
  const scope = hasScope(head) ? SCOPE.exec(head) : null;
  return scope ? wordFrom(head, scope[0].length) : first;
}

// Rules out most texts, because this is asked of every sentence.
function hasScope(head: string): boolean {
  return head.includes(': ') || head.includes(' - ') || head.includes(' – ') || head.includes(' — ');
}

const WORDS = /[A-Za-z'’]+|[^\sA-Za-z'’]/g;

function wordFrom(text: string, from: number): LeadingWord | null {
  WORDS.lastIndex = from;
  let before = '';
  for (let count = 0; count < MAX_FILLERS; count += 1) {
    const match = WORDS.exec(text);
    if (!match) return null;
    const word = match[0].toLowerCase();
    const filler =
      FILLERS.has(word) ||
      MARKS.has(word) ||
      (word.endsWith('ly') && /[a-z]{2}ly$/.test(word)) ||
      (RELEASE_NOUNS.has(word) && /^th(?:is|e)$/.test(before));
    if (!filler) return { word, start: match.index };
    before = word;
  }
  return null;
}

const ADDITION = /^(?:expos|export|provid|includ|creat|offer|ability|option|possibility|possible)(?:e[sd]?|s|ed|ing)?$/;

// Whether an entry without a class of its own tells of something new: "Expose `x`", "Ability to …". Additions get the same
// verdict in whatever words they are told.
export function isAddition(text: string): boolean {
  const found = leadingWord(text);
  return found !== null && ADDITION.test(found.word);
}

export function verbClass(text: string): NoteClass | null {
  const found = leadingWord(text);
  return found ? (CLASS_OF_FORM.get(found.word) ?? null) : null;
}
