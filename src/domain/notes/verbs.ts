// The verb that an entry begins with, and the class of change that it means.
import type { NoteClass } from './types.ts';

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
const MARKS = new Set('-–—•·*>');
const MAX_FILLERS = 6;

export type LeadingWord = { word: string; start: number };

// The first word that may be the verb. Scope labels, pronouns and adverbs before it are skipped.
export function leadingWord(text: string): LeadingWord | null {
  const head = text.slice(0, 400);
  const first = wordFrom(head, 0);
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
