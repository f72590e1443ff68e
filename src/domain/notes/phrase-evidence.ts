// Which phrases a sentence may hold, and which evidence each gives there. Negations, other projects, other versions and
// repaired bugs cancel it.

import { CODE_OPEN } from '../clean-text.ts';
import { leadingWord } from './classify.ts';
import { BEHAVIOUR } from './phrases/behaviour.ts';
import { COMPATIBILITY } from './phrases/compatibility.ts';
import { DEFAULTS } from './phrases/defaults.ts';
import { DOUBTFUL } from './phrases/doubtful.ts';
import type { Phrase } from './phrases/phrase.ts';
import { REMOVAL } from './phrases/removal.ts';
import { REQUIREMENT } from './phrases/requirement.ts';
import { SOFTER } from './phrases/softer.ts';
import { isInInternalPart, isInternalWork, isLeftover, UNOFFICIAL } from './user-impact.ts';

// The phrases that are evidence of breaking changes, of smaller changes or of doubt, each kind in a file of its own, in
// the order of their weight: users have to act, users may want to look, no rule can tell.
const PHRASES: readonly Phrase[] = [
  ...COMPATIBILITY,
  ...REMOVAL,
  ...REQUIREMENT,
  ...BEHAVIOUR,
  ...DEFAULTS,
  ...SOFTER,
  ...DOUBTFUL,
];

// A phrase is looked for by the longest word of each of its keys: a word of the sentence begins with `word`, and the sentence
// holds the whole `key`, which is null where the word is all of it.
interface Cue {
  word: string;
  key: string | null;
  phrases: Phrase[];
}

const STEM = 4;
// The cues by the first letters of their words, and a filter of those, which rules out most words cheaply.
const CUES = new Map<number, Cue[]>();
const FILTER = new Uint8Array(1 << 12);
const PHRASES_OF_SIGNS = PHRASES.filter(({ keys }) => keys.includes('>='));
for (const phrase of PHRASES) for (const key of phrase.keys) addCue(key, phrase);

function addCue(key: string, phrase: Phrase): void {
  const word = longestWord(key);
  const whole = key === word ? null : key;
  const stem = stemOf(word);
  const cues = CUES.get(stem) ?? [];
  CUES.set(stem, cues);
  FILTER[slotOf(stem)] = 1;
  const known = cues.find((cue) => cue.word === word && cue.key === whole);
  if (known) known.phrases.push(phrase);
  else cues.push({ word, key: whole, phrases: [phrase] });
}

function longestWord(key: string): string {
  const [longest = ''] = key.split(' ').sort((a, b) => b.length - a.length);
  return longest;
}

// The first letters of a word as a number and no string, because every word of every note has one.
function stemOf(word: string): number {
  let stem = 0;
  for (let at = 0; at < STEM && letterOf(word.charCodeAt(at)) !== 0; at += 1)
    stem = stem * 27 + letterOf(word.charCodeAt(at));
  return stem;
}

// 1 to 26 for a to z, 0 for any other character.
function letterOf(code: number): number {
  return code >= 97 && code <= 122 ? code - 96 : 0;
}

function slotOf(stem: number): number {
  return Math.imul(stem, 0x9e3779b1) >>> 20;
}

// The phrases that may match a sentence in lower case, those of its first words first.
export function phrasesWorthTrying(sentence: string): readonly Phrase[] {
  const found: Phrase[] = [];
  // A word may recur, and each cue is worth one look.
  const seen: Cue[] = [];
  let letters = 0;
  let stem = 0;
  for (let at = 0; at <= sentence.length; at += 1) {
    const letter = at < sentence.length ? letterOf(sentence.charCodeAt(at)) : 0;
    if (letter !== 0) {
      letters += 1;
      if (letters <= STEM) stem = stem * 27 + letter;
      if (letters !== STEM) continue;
    }
    // The word has as many letters as a stem, or it ends here; a longer one has been looked up before.
    const start = letter === 0 ? at - letters : at + 1 - STEM;
    const isNew = letter !== 0 || (letters > 0 && letters < STEM);
    const cues = isNew && FILTER[slotOf(stem)] === 1 ? CUES.get(stem) : undefined;
    if (letter === 0) letters = stem = 0;
    if (cues === undefined) continue;
    for (const cue of cues) {
      if (!sentence.startsWith(cue.word, start) || seen.includes(cue)) continue;
      seen.push(cue);
      if (cue.key !== null && !sentence.includes(cue.key)) continue;
      for (const phrase of cue.phrases) if (!found.includes(phrase)) found.push(phrase);
    }
  }
  if (!sentence.includes('>=') && !sentence.includes('≥')) return found;
  return [...new Set([...found, ...PHRASES_OF_SIGNS])];
}

// What kind of entry a sentence belongs to: a bug fix describes what was wrong, a chore is not about users.
export type EntryTone = {
  bug: boolean;
  chore: boolean;
  // A phrase of a refactoring tells how the code is built; a removal in it still counts.
  refactoring: boolean;
  inner: boolean;
  // The entry is in a section for additions.
  addition: boolean;
  // Most other entries of the list are fixes.
  amongFixes: boolean;
  feature: (sentence: string) => boolean;
  // The entry says that the old name goes on working.
  keepsOld: () => boolean;
  major: string | null;
};

const SOFT =
  /\b(?:(?:potential(?:ly)?|possibl[ey]|minor|small|slight(?:ly)?|tiny|semi|mildly)(?: an?)?[ ,-]+|(?:may|might|could|can) (?:also )?be (?:considered )?(?:an? )?)$/;
// "This could break compatibility if …" tells what may happen.
const MAYBE = /\b(?:could|may|might|can) (?:\w{1,12} )?$/;
const NEGATION = /^(?:no|not|non|without|zero|never|avoid\w*|fix(?:e[sd]|ing)?|prevent\w*|revert\w*|detect\w*|\w+n't)$/;
// Work on something that is deprecated already deprecates nothing: "remove the deprecated calls", "fix a deprecation".
const TIDYING_VERB =
  /^(?:[^\s:]{1,40}: )?(?:fix|resolv|remov|silenc|suppress|hid|optionally hide|clean|handl|avoid|prevent|address|revert|undo|correct|typo|refactor|replac|migrat|ignor|only warn|un-?deprecat|re-?add|restor|updat|renam|simplif|improv|clarif|document|broken)\w{0,4}\b/;
const TIDIED =
  /\b(?:remov\w*|drop\w*|delet\w*|replac\w*|silenc\w*|suppress\w*|us(?:e[sd]?|ing)|of|from|to|address\w*|clean\w*|ignor\w*|updat\w*|migrat\w*|handl\w*|avoid\w*|align\w*|fix\w*|overload\w*|show\w*|setup|resolv\w*|whose|being|about|keeps?|retain\w*|preserv\w*|if|when|for|by|whenever|no longer) (?:(?:the|all|some|old|any|up|it|is|are) )*(?:[^\s;,]{1,20} ){0,2}$/;
// A deprecation that is told as such, whatever stands before it: "Document (and deprecate) `x`", "Fix `x`, deprecate `y`".
const DEPRECATING = /^\W{0,2}(?:and|also|we|are)?[ -]?deprecat(?:es?|ing)\b/;
// What a whole statement is about may have any preposition in it: "Importing from `x` is deprecated".
const DEPRECATED_NOW = /^(?:is|are)(?: now| hereby| officially)? deprecated$/;
const ASIDE = /\b(?:that|which|if|when|whether|whose|whenever|because|since|as|by|being|warn\w*|check\w*) [^,;]{0,60}$/;
const SYMPTOM = /\b(?:where|when|whenever|if|that|after|while|causing|caused|because|which|once|unless)\b/;
// "We fixed an issue where …" describes the past.
const REPAIRED = /\bfix(?:e[sd]|ing)? (?:[^\s;]{1,20} ){0,4}(?:where|when|that|which|in which|causing) /;
// A reason is mostly about another project: "Since the linter no longer supports …, we …".
const REASON =
  /\b(?:(?:since|(?<!well )as)(?! (?:of|part|this|version|v?\d|a result|well|such)\b)|because|now that|due to|given that|although)\b[^,;:]{0,80}$/;
// Words before the breaking changes of another project, or before those that this release reverts.
const ADAPTED_TO =
  /\b(?:support(?:s|ed|ing)?|handl\w{1,3}|adapt\w{0,5}(?: to| for)?|adjust\w{0,5}(?: to| for)|updat\w{1,3} (?:to|for|after)|prepar\w{1,3} for|follow(?:s|ed|ing)?|compatib\w{2,6} with|keep(?:s|ing)? up with|accommodat\w{1,3}|account(?:s|ed|ing)? for|react(?:s|ed|ing)? to|work(?:s|ed|ing)? around|mitigat\w{1,3}|cop(?:es?|ed|ing) with|compensat\w{1,3} for|due to|because of|caused by|upstream|roll(?:s|ed|ing)? back|undo\w{0,3}|unintentional\w{0,2}|accidental\w{0,2}|implement(?:s|ed|ing)?|resolv\w{1,3}|remed\w{1,5}|address\w{0,3}|document\w{0,3}|identif\w{1,3}|mention\w{0,3}|found|upcoming|future|subject to|impact of|list(?:s|ed|ing)?|describ\w{1,3}|clarif\w{1,4}|note) (?:an? |the |some |new )?(?:[^\s;]{1,20} ){0,2}$/;
// What was considered and not done: "it would be a breaking change".
const HYPOTHETICAL = /\b(?:it|that|this|which) (?:would (?:also |probably )?(?:be|cause|introduce)|was) (?:an? )?$/;
const REVERTED = /^\W{0,3}revert(?:s|ed|ing)?\b/;
// Work on the list of changes: "Update the changelog to include the breaking change".
const IN_CHANGELOG =
  /\b(?:updat|fix|amend|correct|edit|clarif)\w{0,4} (?:the )?(?:changelog|release notes)\b[^.;]{0,60}$/;
// A new check of input that never was valid breaks nobody who used it as intended.
const REFUSED = /\b(?:invalid|incorrect|unknown|malformed|misconfigured|missing|unsupported|non-existent|bogus)\b/;
const OF_ANOTHER = /^ (?:in|of|from) (?:the )?\S{1,40} (?:module|package|library|dependency)\b/;
// "When the flag is turned off, …" and "Previously, this would fail" describe no change.
const CONDITION = /\b(?:when|whenever|if|once|unless|should(?: probably)?|could|might)\b[^,;:.]{0,60}$/;
const PAST = /^\W{0,3}(?:previously|before(?: this| that)?|until now|in the past)\b(?!.{0,110}\bnow\b)/;
// The tests of a project may need more than its users do.
const OF_PROJECT =
  /\b(?:tests?|test suite|build|ci|docs|examples?|demos?|benchmarks?|development|website)(?: \w{1,12})? $/;
const ANY_TIME = /^[^.;]{0,20} (?:may|might|can) (?:be (?:introduced|made)|happen|occur)\b/;
const LATER =
  /^[^.;]{0,40}?\bin (?:(?:the |a )?(?:next|future|upcoming|following|later)\b|(?:[a-z]{1,20} ){0,3}v?(\d{1,4})(?:\.[\dx]{1,3}|\b))/;
// Below "Added", "Deprecated types" names what was added; only a whole statement says more.
const STATEMENT =
  /\b(?:is|are|was|were|been|now|marks?|marked|deprecate|may|might|could)\b|^(?:add|emit|log|show|print|issue)\w{0,3} (?:an? |the |some |more )?deprecation (?:warning|notice|message)s?$/;
// Names and parts of an interface.
export const INTERFACE =
  /\uE000|\w\(\)|\w::\w|(?<!\S)--[a-z]|\b(?:options?|flags?|apis?|endpoints?|methods?|functions?|class(?:es)?|fields?|param(?:eter)?s?|arguments?|commands?|config(?:uration)?s?|support|(?:plugin|export|prop|propert(?:y|ie)|hook|setting|attribute|theme|module|element|event)s?(?!-))\b/;
// Words behind a removal of data at run time: "is removed when the last tab closes".
const RUN_TIME =
  /^,? (?:if|when|whenever|once|after|before|upon|while|during|automatically|to (?:prevent|avoid|zero|\d)|by default when|from the (?:dom|page|cache)|on (?:blur|close|redirect|exit|error|destroy|unmount|click|submit|reset|load|init\w{0,12}|start\w{0,3}|save))\b/;
// The clause in which a phrase stands.
const LAST_CLAUSE = /[^,;:]*$/;
// What was taken away and is back: "Re-added the option that was removed by mistake".
const REINSTATED = /^\W{0,3}(?:re-?add|re-?introduc|restor|reinstat|bring|brought|revert|undo|undid|un-?deprecat)/;
const PURPOSE = /\b(?:ensure|until|so that|after|once|when|whenever|if)\b[^,;]{0,60}$/;

// The level of evidence; null when the phrase does not count.
export function phraseLevel(sentence: string, rule: Phrase, tone: EntryTone): Phrase['level'] | null {
  if ((rule.notInBug && tone.bug) || (isChore(rule, tone) && !rule.countsInChores)) return null;
  if (rule.notInFeature && tone.feature(sentence)) return null;
  rule.pattern.lastIndex = 0;
  for (let match = rule.pattern.exec(sentence); match; match = rule.pattern.exec(sentence)) {
    const before = sentence.slice(Math.max(0, match.index - 120), match.index);
    const after = sentence.slice(match.index + match[0].length, match.index + match[0].length + 120);
    if (rule.includesNegation ? REPAIRED.test(before) : isNegated(before, rule.aboutDeprecation ? match[0] : null))
      continue;
    if (rule.level === 'major' && isElsewhere({ before, found: match[0], after }, tone)) continue;
    if (rule.needsSubject && !INTERFACE.test(before)) continue;
    if (rule.needsCode && !before.includes(CODE_OPEN)) continue;
    if (tone.bug && SYMPTOM.test(before)) continue;
    if (tone.addition && rule.level === 'minor' && !STATEMENT.test(match[0])) continue;
    if (rule.level === 'doubt') return isInternalWork(afterVerb(sentence)) ? null : 'doubt';
    if (/removed|dropped/.test(match[0]) && !isRemovalOfInterface(before, after)) continue;
    if (
      /^(?:drop|remov)/.test(match[0]) &&
      !match[0].endsWith(' and support') &&
      (isLeftover(match[0]) || isInternalWork(match[0].replace(/^\S+/, '') + after))
    )
      continue;
    return isSoft(before, match[0]) ? 'minor' : rule.level;
  }
  return null;
}

function isSoft(before: string, found: string): boolean {
  return (
    SOFT.test(before) ||
    /^(?:remov|drop).*\bexperimental\b/.test(found) ||
    (found.startsWith('break') && MAYBE.test(before))
  );
}

// Whether "has been removed" is about the interface, and not about data at run time, unused code or the documentation.
function isRemovalOfInterface(before: string, after: string): boolean {
  if (RUN_TIME.test(after) || PURPOSE.test(before) || isInInternalPart(after)) return false;
  if (/\b(?:that|which) $/.test(before)) return false;
  const subject = before.slice(before.search(LAST_CLAUSE)).trimEnd();
  return !REINSTATED.test(before) && !isLeftover(subject) && !UNOFFICIAL.test(subject);
}

// An entry below "Other changes" may still raise a doubt; one that is labelled as a chore does not.
function isChore(rule: Phrase, tone: EntryTone): boolean {
  return rule.level === 'doubt' ? tone.inner : tone.chore || tone.refactoring;
}

function afterVerb(sentence: string): string {
  const verb = leadingWord(sentence);
  return verb ? sentence.slice(verb.start + verb.word.length) : sentence;
}

// A phrase that was found, with the text around it.
type PhraseMatch = { before: string; found: string; after: string };

// Whether the phrase is about another project, another version, or what may happen at any time.
function isElsewhere({ before, found, after }: PhraseMatch, tone: EntryTone): boolean {
  if (
    /\bwill (?:likely |probably |eventually |also )?$/.test(before) &&
    !/\bthis (?:release|version|update) will/.test(before)
  )
    return true;
  if (/now |will /.test(found) && /throw|reject|fail|error/.test(found) && REFUSED.test(after)) return true;
  if (REASON.test(before) || ANY_TIME.test(after) || OF_ANOTHER.test(after)) return true;
  if (!/compatib|breaking/.test(found) && (CONDITION.test(before) || PAST.test(before))) return true;
  if (/\bdefault (?:git )?branch\b/.test(found)) return true;
  if (/requir|need/.test(found) && OF_PROJECT.test(before)) return true;
  if (
    /breaking|incompatib/.test(found) &&
    [ADAPTED_TO, HYPOTHETICAL, REVERTED, IN_CHANGELOG].some((one) => one.test(before))
  )
    return true;
  const later = LATER.exec(after);
  if (!later || !/remov|gone|no longer/.test(found) || /support/.test(found)) return false;
  if (found.includes('no longer') && later[1] !== undefined && !/\.(?:0|x)\b/.test(later[0])) return false;
  return later[1] === undefined || (tone.major !== null && later[1] !== tone.major);
}

// Whether one of the last three words before the phrase, articles aside, negates it. `deprecation`: the phrase, when it is one.
function isNegated(before: string, deprecation: string | null): boolean {
  if (REPAIRED.test(before) || /^(?:no|none of|nothing) (?!longer)/.test(before)) return true;
  const clause = before.slice(Math.max(before.lastIndexOf('; '), before.lastIndexOf(': ')) + 1);
  const near = clause.match(/(?!(?:an?|the|any)\b)[a-z']+/g)?.slice(-3) ?? [];
  if (near.some((word) => NEGATION.test(word))) return true;
  if (deprecation === null || DEPRECATING.test(deprecation)) return false;
  const tidied = DEPRECATED_NOW.test(deprecation) && INTERFACE.test(before) ? ASIDE : TIDIED;
  return [clause, before].some((text) => TIDYING_VERB.test(text) || tidied.test(text));
}
