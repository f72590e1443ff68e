import { CODE_OPEN } from './code-marks.ts';
import { type Phrase, phrasesWorthTrying } from './phrases.ts';
import type { NoteClass } from './types.ts';
import { type LeadingWord, leadingWord, verbClass } from './verbs.ts';

export type EvidenceLevel = 'major' | 'minor' | null;
export type Reading = { level: EvidenceLevel; explicitNone: boolean };

/** How the text is to be taken: a bug entry describes what was wrong, a chore does not speak to users. */
type Manner = { bug: boolean; chore: boolean; feature: () => boolean };

const SOFT = /\b(?:potential(?:ly)?|possibl[ey]|minor|small|slight(?:ly)?|tiny)[ ,]+$/;
const NEGATION = /^(?:no|not|non|without|zero|never|avoid\w*|fix(?:e[sd]|ing)?|prevent\w*|revert\w*|detect\w*|\w+n't)$/;
/** Work on something deprecated is no deprecation: "remove the deprecated calls". */
const TIDYING =
  /\b(?:remov\w*|drop\w*|delet\w*|replac\w*|silenc\w*|suppress\w*|us(?:e[sd]?|ing)|of|from|to|address\w*|clean\w*|ignor\w*|updat\w*|migrat\w*) (?:(?:the|all|some|old|any|up) )?$/;
const SYMPTOM = /\b(?:where|when|whenever|if|that|after|while|causing|caused|because|which|once|unless)\b/;
/** "We fixed an issue where …" tells of the past, wherever it stands in the sentence. */
const REPAIRED = /\bfix(?:e[sd]|ing)? (?:[^\s;]{1,20} ){0,4}(?:where|when|that|which|in which|causing) /;
const EXPLICIT_NONE =
  /\bbreaking changes?: (?:none|nothing|no|n\/a)\b|\bno (?:[^\s;,.]{1,20} ){0,2}breaking changes?\b|(?<!\b(?:not|n't) )\bfully backwards?[ -]compatible\b|(?<!\b(?:not|n't|no longer) (?:an? )?)\bdrop-in (?:replacement|upgrade|update|release|version|successor|compatib)|(?<!\bnot )\b(?:is|are) (?:an? )?drop-in\b/;
const NOTHING = /^(?:none|nothing|n\/a|nil|not applicable|no(?: known| api)? breaking changes?|no changes?)\b/;

const OWN_VERB = /remov|delet|drop|renam|deprecat/;
const RENAMING = /^renam(?:e[sd]?|ing)$/;
const REMOVAL = /^(?:remov(?:e[sd]?|ing)|delet(?:e[sd]?|ing)|drop(?:s|ped|ping)?)$/;
const OBJECT_END =
  /[,;:.] |\b(?:from|in|for|when|that|which|on|to|with|because|as|so|by|during|via|inside|within|after|if|where|since|now|between)\b/;
const INTERFACE =
  /\uE000|\w\(\)|\w::\w|(?<!\S)--[a-z]|\b(?:options?|flags?|apis?|endpoints?|methods?|functions?|class(?:es)?|fields?|param(?:eter)?s?|arguments?|commands?|config(?:uration)?s?|support|(?:plugin|export|prop|propert(?:y|ie)|hook|setting|attribute|theme)s?(?!-))\b/;
const LEFTOVER =
  /\b(?:unused|unnecessary|redundant|duplicate[ds]?|dead|internal|stray|leftover|superfluous|needless|useless|moot|usages?|calls?|checks?|examples?|prefix(?:es)?|debug|comments?|dependenc(?:y|ies)|deps)\b/;

/** What a text says about compatibility, phrase by phrase. */
export function readEvidence(marked: string, kind: NoteClass | null, addition = false): Reading {
  const text = proseOf(marked.toLowerCase());
  const explicitNone = /breaking|compatible|drop-in/.test(text) && EXPLICIT_NONE.test(text);
  const manner = {
    bug: kind === 'bugs',
    chore: kind === 'other',
    // Asked only where a phrase was found.
    feature: () => addition || verbClass(marked) === 'features',
  };
  let level: EvidenceLevel = null;
  for (const [index, sentence] of sentencesOf(text).entries()) {
    const verb = OWN_VERB.test(sentence) ? leadingWord(sentence) : null;
    if (verb && removesInterface(sentence, verb, manner)) return { level: 'major', explicitNone };
    if (verb && RENAMING.test(verb.word) && sentence.includes(CODE_OPEN)) level = 'minor';
    if (verb?.word.startsWith('deprecat')) level = 'minor';
    for (const rule of phrasesWorthTrying(sentence)) {
      const found = rule.opening && index > 0 ? null : phraseLevel(sentence, rule, manner);
      if (found === 'major') return { level: 'major', explicitNone };
      level ??= found;
    }
  }
  return { level, explicitNone };
}

function sentencesOf(text: string): string[] {
  return /[.!?] /.test(text) ? text.split(/(?<=[.!?]) /) : [text];
}

/** With code spans emptied: what stands in code is a name, not a statement. A condition is not even a name. */
function proseOf(lower: string): string {
  const text = lower.replaceAll('’', "'");
  return text.includes(CODE_OPEN)
    ? text.replace(/\uE000([^\uE000\uE001]*)\uE001/g, (_, code: string) =>
        / [!=&|<>]{1,3} /.test(code) ? '' : '\uE000\uE001',
      )
    : text;
}

/** "None", "No breaking changes": an entry of a breaking section that denies it. */
export function saysNothing(marked: string): boolean {
  return marked.length < 80 && NOTHING.test(marked.toLowerCase());
}

function phraseLevel(sentence: string, rule: Phrase, manner: Manner): EvidenceLevel {
  if ((rule.notInBug && manner.bug) || (manner.chore && !rule.strong)) return null;
  if (!rule.keys.some((key) => sentence.includes(key))) return null;
  if (rule.notInFeature && manner.feature()) return null;
  rule.pattern.lastIndex = 0;
  for (let match = rule.pattern.exec(sentence); match; match = rule.pattern.exec(sentence)) {
    const before = sentence.slice(Math.max(0, match.index - 120), match.index);
    if (rule.stands ? REPAIRED.test(before) : isNegated(before, rule.aboutDeprecation === true)) continue;
    if (rule.needsSubject && !INTERFACE.test(before)) continue;
    if (rule.needsCode && !before.includes(CODE_OPEN)) continue;
    if (manner.bug && SYMPTOM.test(before)) continue;
    if (/^(?:drop|remov)/.test(match[0]) && LEFTOVER.test(match[0])) continue;
    return SOFT.test(before) ? 'minor' : rule.level;
  }
  return null;
}

/** A denying word within three words before, articles aside. */
function isNegated(before: string, deprecation: boolean): boolean {
  if (REPAIRED.test(before)) return true;
  const clause = before.slice(Math.max(before.lastIndexOf('; '), before.lastIndexOf(': ')) + 1);
  const near = clause.match(/(?!(?:an?|the|any)\b)[a-z']+/g)?.slice(-3) ?? [];
  return near.some((word) => NEGATION.test(word)) || (deprecation && TIDYING.test(clause));
}

/** Remove, delete or drop as the verb, with an object that users can see. */
function removesInterface(sentence: string, verb: LeadingWord, manner: Manner): boolean {
  if (manner.bug || manner.chore || !REMOVAL.test(verb.word)) return false;
  const rest = sentence.slice(verb.start + verb.word.length, verb.start + 300);
  const end = rest.search(OBJECT_END);
  const object = end === -1 ? rest : rest.slice(0, end);
  return INTERFACE.test(object) && !LEFTOVER.test(object);
}
