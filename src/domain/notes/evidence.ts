import { CODE_OPEN, unmark } from './code-marks.ts';
import { markNames } from './interface-names.ts';
import { isInnerLabel, isOwnWork, isOwnWorkLabel } from './own-work.ts';
import { type Phrase, phrasesWorthTrying } from './phrases/index.ts';
import { isLeftover, readRemoval } from './removals.ts';
import type { NoteClass } from './types.ts';
import { leadingWord, verbClass } from './verbs.ts';

export type EvidenceLevel = 'major' | 'minor' | null;
// A sentence that matched a rule; `doubt` only prevents a release from being called safe.
export type Quote = { level: 'major' | 'minor' | 'doubt'; rule: string; text: string };
export type EvidenceReading = { level: EvidenceLevel; explicitNone: boolean; quotes: Quote[] };

type Manner = {
  class: NoteClass | null;
  // The entry's label or type, which may say that it is about the project's own work.
  label?: string | null;
  // Stands below a heading for new things.
  addition?: boolean;
  // First number of the release's version: what goes "in 4.0" does not go now.
  major?: string | null;
};

// How an entry is read: a bug entry describes what was wrong, a chore does not address users.
type EntryTone = {
  bug: boolean;
  chore: boolean;
  inner: boolean;
  feature: (sentence: string) => boolean;
  major: string | null;
};

const SOFT =
  /\b(?:(?:potential(?:ly)?|possibl[ey]|minor|small|slight(?:ly)?|tiny)[ ,]+|(?:may|might|could|can) (?:also )?be (?:considered )?(?:an? )?)$/;
const NEGATION = /^(?:no|not|non|without|zero|never|avoid\w*|fix(?:e[sd]|ing)?|prevent\w*|revert\w*|detect\w*|\w+n't)$/;
// Work on something deprecated is no deprecation: "remove the deprecated calls".
const TIDYING =
  /\b(?:remov\w*|drop\w*|delet\w*|replac\w*|silenc\w*|suppress\w*|us(?:e[sd]?|ing)|of|from|to|address\w*|clean\w*|ignor\w*|updat\w*|migrat\w*|handl\w*|avoid\w*|align\w*|fix\w*|overload\w*|show\w*|setup|resolv\w*) (?:(?:the|all|some|old|any|up) )?$/;
const SYMPTOM = /\b(?:where|when|whenever|if|that|after|while|causing|caused|because|which|once|unless)\b/;
// "We fixed an issue where …" tells of the past, wherever it stands in the sentence.
const REPAIRED = /\bfix(?:e[sd]|ing)? (?:[^\s;]{1,20} ){0,4}(?:where|when|that|which|in which|causing) /;
// A reason, which is mostly what another project did: "Since the linter no longer supports …, we …".
const REASON =
  /\b(?:(?:since|as)(?! (?:of|part|this|version|v?\d|a result|well|such)\b)|because|now that|due to|given that|although)\b[^,;:]{0,80}$/;
// Breaking changes of another project, which this one adapts to or reverts.
const ADAPTED_TO =
  /\b(?:support(?:s|ed|ing)?|handl\w{1,3}|adapt\w{0,5}(?: to| for)?|accommodat\w{1,3}|account(?:s|ed|ing)? for|react(?:s|ed|ing)? to|work(?:s|ed|ing)? around|due to|because of|caused by|upstream|roll(?:s|ed|ing)? back|undo\w{0,3}|unintentional\w{0,2}|accidental\w{0,2}|implement(?:s|ed|ing)?|resolv\w{1,3}|remed\w{1,5}|address\w{0,3}|document\w{0,3}|identif\w{1,3}|mention\w{0,3}|list(?:s|ed|ing)?|describ\w{1,3}|clarif\w{1,4}|note) (?:an? |the |some |new )?(?:[^\s;]{1,20} ){0,2}$/;
// A check of what was never right breaks nobody who used it right.
const REFUSED = /\b(?:invalid|incorrect|unknown|malformed|misconfigured|missing|unsupported|non-existent|bogus)\b/;
const OF_ANOTHER = /^ (?:in|of|from) (?:the )?\S{1,40} (?:module|package|library|dependency)\b/;
const ANY_TIME = /^[^.;]{0,20} (?:may|might|can) (?:be (?:introduced|made)|happen|occur)\b/;
const LATER =
  /^[^.;]{0,40}?\bin (?:(?:the |a )?(?:next|future|upcoming|following|later)\b|(?:[a-z]{1,20} ){0,3}v?(\d{1,4})(?:\.[\dx]{1,3}|\b))/;
const EXPLICIT_NONE =
  /\bbreaking changes?: (?:none|nothing|no|n\/a)\b|\bno (?:[^\s;,.]{1,20} ){0,2}breaking changes?\b|(?<!\b(?:not|n't) )\bfully backwards?[ -]compatible\b|(?<!\b(?:not|n't|no longer) (?:an? )?)\bdrop-in (?:replacement|upgrade|update|release|version|successor|compatib)|(?<!\bnot )\b(?:is|are) (?:an? )?drop-in\b|\bno changes? (?:in|to) (?:the )?(?:functionality|public api|apis?)\b/;
const LONGEST_NOTHING = 40;
const NOTHING = /^(?:none|nothing|n\/a|nil|not applicable|no(?: known| api)? breaking changes?|no changes?)\b/;

const OWN_VERB = /remov|delet|drop|renam|deprecat/;
const RENAMING = /^renam(?:e[sd]?|ing)$/;
const INTERFACE =
  /\uE000|\w\(\)|\w::\w|(?<!\S)--[a-z]|\b(?:options?|flags?|apis?|endpoints?|methods?|functions?|class(?:es)?|fields?|param(?:eter)?s?|arguments?|commands?|config(?:uration)?s?|support|(?:plugin|export|prop|propert(?:y|ie)|hook|setting|attribute|theme|module|element|event)s?(?!-))\b/;
// What happens to data while the software runs: "is removed when the last tab closes".
const RUN_TIME =
  /^,? (?:if|when|whenever|once|after|before|upon|while|during|automatically|on (?:blur|close|redirect|exit|error|destroy|unmount|click))\b/;
const PURPOSE = /\b(?:ensure|until|so that|after|once|when|whenever|if)\b[^,;]{0,60}$/;
// What a text says about compatibility, sentence by sentence.
export function readEvidence(marked: string, manner: Manner): EvidenceReading {
  const lower = marked.toLowerCase();
  const explicitNone = /breaking|compatible|drop-in|no change/.test(lower) && EXPLICIT_NONE.test(proseOf(lower));
  const reading: EvidenceReading = { level: null, explicitNone, quotes: [] };
  if (isOwnWorkLabel(manner.label ?? null)) return reading;
  const tone: EntryTone = {
    bug: manner.class === 'bugs',
    chore: manner.class === 'other',
    inner: isInnerLabel(manner.label ?? null),
    // Asked only where a phrase was found.
    feature: (sentence) =>
      manner.addition === true || verbClass(sentence) === 'features' || verbClass(marked) === 'features',
    major: manner.major ?? null,
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
  if (verb && RENAMING.test(verb.word) && INTERFACE.test(sentence) && !isOwnWork(sentence.slice(verb.start)))
    found = { level: 'minor', rule: 'renamed' };
  if (verb?.word.startsWith('deprecat')) found = { level: 'minor', rule: 'deprecated' };
  for (const rule of phrasesWorthTrying(sentence)) {
    if ((rule.opening && index > 0) || (rule.level === 'doubt' && found)) continue;
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

// Code that is no name of the interface: conditions, files of the project, packages of a scope.
const NO_INTERFACE =
  / [!=&|<>]{1,3} |^\.[a-z]|^(?:changelog|readme|package|bower|contributing)\b.{0,5}|\.(?:md|ya?ml|json|lock)$|^@[\w-]+\/[\w.-]+$|^import |^[\w.-]+\/[\w./-]+$|^#?\d+$|^(?:const|let|var|eval|with)$|^aria-|^role\b/;

// With code spans emptied: what stands in code is a name, not a statement.
function proseOf(lower: string): string {
  const text = lower.replace(/’/g, "'");
  return text.includes(CODE_OPEN)
    ? text.replace(/\uE000([^\uE000\uE001]*)\uE001/g, (_, code: string) =>
        NO_INTERFACE.test(code) ? '' : '\uE000\uE001',
      )
    : text;
}

// "None", "No breaking changes": an entry of a breaking section that denies it.
export function saysNothing(marked: string): boolean {
  return marked.length < 80 && NOTHING.test(marked.slice(0, LONGEST_NOTHING).toLowerCase());
}

function phraseLevel(sentence: string, rule: Phrase, tone: EntryTone): EvidenceLevel | 'doubt' {
  if ((rule.notInBug && tone.bug) || (isChore(rule, tone) && !rule.strong)) return null;
  if (!holdsKey(sentence, rule.keys)) return null;
  if (rule.notInFeature && tone.feature(sentence)) return null;
  rule.pattern.lastIndex = 0;
  for (let match = rule.pattern.exec(sentence); match; match = rule.pattern.exec(sentence)) {
    const before = sentence.slice(Math.max(0, match.index - 120), match.index);
    const after = sentence.slice(match.index + match[0].length, match.index + match[0].length + 120);
    if (rule.stands ? REPAIRED.test(before) : isNegated(before, rule.aboutDeprecation === true)) continue;
    if (rule.level === 'major' && isElsewhere(before, after, match[0], tone)) continue;
    if (rule.needsSubject && !INTERFACE.test(before)) continue;
    if (rule.needsCode && !before.includes(CODE_OPEN)) continue;
    if (tone.bug && SYMPTOM.test(before)) continue;
    if (rule.level === 'doubt') return isOwnWork(afterVerb(sentence)) ? null : 'doubt';
    if (/removed|dropped/.test(match[0]) && (RUN_TIME.test(after) || PURPOSE.test(before))) continue;
    if (/^(?:drop|remov)/.test(match[0]) && (isLeftover(match[0]) || isOwnWork(match[0].replace(/^\S+/, '') + after)))
      continue;
    return SOFT.test(before) ? 'minor' : rule.level;
  }
  return null;
}

function holdsKey(sentence: string, keys: readonly string[]): boolean {
  for (const key of keys) if (sentence.includes(key)) return true;
  return false;
}

// Whatever stands below "Other changes" may leave a doubt; what is called a chore does not.
function isChore(rule: Phrase, tone: EntryTone): boolean {
  return rule.level === 'doubt' ? tone.inner : tone.chore;
}

function afterVerb(sentence: string): string {
  const verb = leadingWord(sentence);
  return verb ? sentence.slice(verb.start + verb.word.length) : sentence;
}

// Another project, another version, or what may come at any time.
function isElsewhere(before: string, after: string, found: string, tone: EntryTone): boolean {
  if (
    /\bwill (?:likely |probably |eventually |also )?$/.test(before) &&
    !/\bthis (?:release|version|update) will/.test(before)
  )
    return true;
  if (/now |will /.test(found) && /throw|reject|fail|error/.test(found) && REFUSED.test(after)) return true;
  if (REASON.test(before) || ANY_TIME.test(after) || OF_ANOTHER.test(after)) return true;
  if (/breaking|incompatib/.test(found) && ADAPTED_TO.test(before)) return true;
  const later = LATER.exec(after);
  if (!later || !/remov|gone|no longer/.test(found) || /support/.test(found)) return false;
  if (found.includes('no longer') && later[1] !== undefined && !/\.(?:0|x)\b/.test(later[0])) return false;
  return later[1] === undefined || (tone.major !== null && later[1] !== tone.major);
}

// A denying word within three words before, articles aside.
function isNegated(before: string, deprecation: boolean): boolean {
  if (REPAIRED.test(before) || /^(?:no|none of|nothing) (?!longer)/.test(before)) return true;
  const clause = before.slice(Math.max(before.lastIndexOf('; '), before.lastIndexOf(': ')) + 1);
  const near = clause.match(/(?!(?:an?|the|any)\b)[a-z']+/g)?.slice(-3) ?? [];
  return near.some((word) => NEGATION.test(word)) || (deprecation && TIDYING.test(clause));
}
