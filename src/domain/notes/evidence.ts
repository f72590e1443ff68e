// Evidence of breaking changes in the sentences of one entry.
import { CODE_OPEN, unmark } from './code-marks.ts';
import { markNames } from './interface-names.ts';
import { isInternalLabel, isInternalWork, isMostlyInternalLabel } from './internal-work.ts';
import { type EntryTone, INTERFACE, phraseLevel } from './phrase-evidence.ts';
import { phrasesWorthTrying } from './phrases/index.ts';
import { readRemoval } from './removals.ts';
import type { NoteClass } from './types.ts';
import { leadingWord, verbClass } from './verbs.ts';

export type EvidenceLevel = 'major' | 'minor' | null;
// A sentence that matched a rule. `doubt` only prevents a release from being called safe.
export type Quote = { level: 'major' | 'minor' | 'doubt'; rule: string; text: string };
export type EvidenceReading = { level: EvidenceLevel; explicitNone: boolean; quotes: Quote[] };

type EntryContext = {
  class: NoteClass | null;
  // The label or type of the entry, by which it may be about internal work.
  label?: string | null;
  // The entry is in a section for additions.
  addition?: boolean;
  // The first number of the release's version: what "will be removed in 4.0" is not removed in 3.1.
  major?: string | null;
};

const EXPLICIT_NONE =
  /\bbreaking changes?: (?:none|nothing|no|n\/a)\b|\bno (?:[^\s;,.]{1,20} ){0,2}breaking changes?\b|(?<!\b(?:not|n't) )\bfully backwards?[ -]compatible\b|(?<!\b(?:not|n't|no longer) (?:an? )?)\bdrop-in (?:replacement|upgrade|update|release|version|successor|compatib)|(?<!\bnot )\b(?:is|are) (?:an? )?drop-in\b|\bno changes? (?:in|to) (?:the )?(?:functionality|public api|apis?)\b/;
const LONGEST_NOTHING = 40;
const NOTHING = /^(?:none|nothing|n\/a|nil|not applicable|no(?: known| api)? breaking changes?|no changes?)\b/;

const OWN_VERB = /remov|delet|drop|renam|deprecat/;
const RENAMING = /^renam(?:e[sd]?|ing)$/;

// What the sentences of a text say about compatibility.
export function readEvidence(marked: string, entry: EntryContext): EvidenceReading {
  const lower = marked.toLowerCase();
  const explicitNone = /breaking|compatible|drop-in|no change/.test(lower) && EXPLICIT_NONE.test(proseOf(lower));
  const reading: EvidenceReading = { level: null, explicitNone, quotes: [] };
  if (isInternalLabel(entry.label ?? null)) return reading;
  const tone: EntryTone = {
    bug: entry.class === 'bugs',
    chore: entry.class === 'other',
    inner: isMostlyInternalLabel(entry.label ?? null),
    // A function, because it is needed only where a phrase was found.
    feature: (sentence) =>
      entry.addition === true || verbClass(sentence) === 'features' || verbClass(marked) === 'features',
    major: entry.major ?? null,
  };
  for (const [index, sentence] of sentencesOf(marked).entries()) {
    const named = markNames(sentence);
    const quote = readSentence(proseOf(named === marked ? lower : named.toLowerCase()), index, tone);
    if (!quote) continue;
    reading.quotes.push({ ...quote, text: unmark(sentence) });
    if (quote.level === 'major') return { ...reading, level: 'major' };
    if (quote.level === 'minor') reading.level = 'minor';
  }
  return reading;
}

type FoundPhrase = Omit<Quote, 'text'>;

function readSentence(sentence: string, index: number, tone: EntryTone): FoundPhrase | null {
  let found: FoundPhrase | null = null;
  const verb = OWN_VERB.test(sentence) ? leadingWord(sentence) : null;
  const removal = verb ? readRemoval(sentence, verb, tone.inner) : 'nothing';
  const repairs = tone.bug || tone.chore;
  if (removal === 'interface' && !repairs) return { level: 'major', rule: 'removed' };
  if (removal === 'interface' || (removal === 'perhaps' && !tone.bug && !(tone.chore && tone.inner)))
    found = { level: 'doubt', rule: 'removed' };
  if (verb && RENAMING.test(verb.word) && INTERFACE.test(sentence) && !isInternalWork(sentence.slice(verb.start)))
    found = { level: 'minor', rule: 'renamed' };
  if (verb?.word.startsWith('deprecat')) found = { level: 'minor', rule: 'deprecated' };
  for (const rule of phrasesWorthTrying(sentence)) {
    if ((rule.firstSentenceOnly && index > 0) || (rule.level === 'doubt' && found)) continue;
    const level = phraseLevel(sentence, rule, tone);
    if (level === 'major') return { level, rule: rule.keys[0] ?? '' };
    if (level === 'minor' && found?.level !== 'minor') found = { level, rule: rule.keys[0] ?? '' };
    if (level === 'doubt') found ??= { level, rule: rule.keys[0] ?? '' };
  }
  return found;
}

function sentencesOf(text: string): string[] {
  return /[.!?] /.test(text) ? text.split(/(?<=[.!?]) /) : [text];
}

// Code that is no name of an interface: conditions, files of the project, scoped packages.
const NO_INTERFACE =
  / [!=&|<>]{1,3} |^\.[a-z]|^(?:changelog|readme|package|bower|contributing)\b.{0,5}|\.(?:md|ya?ml|json|lock)$|^@[\w-]+\/[\w.-]+$|^import |^[\w.-]+\/[\w./-]+$|^#?\d+$|^(?:const|let|var|eval|with)$|^aria-|^role\b/;

// Empties code spans, because code is a name and no statement.
function proseOf(lower: string): string {
  const text = lower.replace(/’/g, "'");
  return text.includes(CODE_OPEN)
    ? text.replace(/\uE000([^\uE000\uE001]*)\uE001/g, (_, code: string) =>
        NO_INTERFACE.test(code) ? '' : '\uE000\uE001',
      )
    : text;
}

// Whether an entry of a breaking section denies that there are any: "None", "No breaking changes".
export function deniesChanges(marked: string): boolean {
  return marked.length < 80 && NOTHING.test(marked.slice(0, LONGEST_NOTHING).toLowerCase());
}
