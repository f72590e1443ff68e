import { CODE_OPEN } from './code-marks.ts';
import { type LeadingWord, leadingWord } from './verbs.ts';

export type EvidenceLevel = 'major' | 'minor' | null;
export type Reading = { level: EvidenceLevel; explicitNone: boolean };

/** How the text is to be taken: a bug entry describes what was wrong, a chore does not speak to users. */
export type Manner = { bug: boolean; chore: boolean };

type Phrase = {
  /** Without one of these in the sentence the pattern is not tried. */
  keys: readonly string[];
  pattern: RegExp;
  level: 'major' | 'minor';
  /** The phrase holds its own negation. */
  stands?: boolean;
  /** Does not count inside a bug entry. */
  notInBug?: boolean;
  /** Counts in a chore too: nobody writes it about internals. */
  strong?: boolean;
  /** The words before must name something of the interface. */
  needsSubject?: boolean;
  /** A code span must stand before. */
  needsCode?: boolean;
  aboutDeprecation?: boolean;
};

/** Up to `most` words that do not end a sentence; every part is bounded, so a text costs a fixed number of passes. */
const words = (most: number) => String.raw`(?:[^\s;,]{1,30}(?<![.!?]) ){0,${most}}?`;
const phrase = (keys: string, level: 'major' | 'minor', source: string, rest: Partial<Phrase> = {}): Phrase => ({
  keys: keys.split('|'),
  pattern: new RegExp(source, 'g'),
  level,
  ...rest,
});

const PHRASES: readonly Phrase[] = [
  phrase(
    'breaking',
    'major',
    String.raw`\bbreaking[ -]${words(2)}changes?\b(?!-?,? (?:detect|check|lint|label|workflow|polic|log\b))`,
    { strong: true },
  ),
  phrase('compatible', 'major', String.raw`(?:\bnot|n't) ${words(2)}backwards?[ -]compatible\b`, {
    stands: true,
    strong: true,
  }),
  phrase('incompatib', 'major', String.raw`\bbackwards?[ -]incompatib`, { strong: true }),
  phrase(
    'no longer',
    'major',
    String.raw`\bno longer (?:be )?(?:supports?|supported|works?|accepts?|accepted|returns?|returned|available)\b`,
    { notInBug: true },
  ),
  phrase(
    'support',
    'major',
    String.raw`(?<!\bdrag(?: and| &| n| 'n')?[ -]|-)\bdrop(?:s|ped|ping)? (?!(?:shadow|down|zone|target|cap|box)s?\b)${words(4)}support\b`,
    {
      strong: true,
    },
  ),
  phrase('support', 'major', String.raw`\bremov(?:e[sd]?|ing) ${words(3)}support\b`, { strong: true }),
  phrase('been', 'major', String.raw`\b(?:has|have) been (?:completely |fully |now )?(?:removed|dropped)\b`),
  phrase('removed', 'major', String.raw`\b(?:was|were|is|are) (?:now )?removed\b`, { needsSubject: true }),
  phrase(
    'now',
    'major',
    String.raw`\b(?:is|are) now (?:\w{1,20} )?required\b|\bnow requires?\b(?! (?:less|fewer|no|only|neither)\b)|\bmust now\b`,
  ),
  phrase(
    'must|need to|have to',
    'major',
    String.raw`\b(?:you|users|developers|consumers|clients|apps)(?: will|'ll)? (?:must|need to|have to) (?:now |also |manually )?(?:update|change|migrate|replace|rename)\b`,
  ),
  phrase(
    'minimum',
    'major',
    String.raw`\bminimum ${words(4)}(?:versions?|runtime|requirements?|node(?:\.js)?|python|java|php|ruby|go|rust|ios|android|macos)\)? ${words(4)}(?:(?:is|are) now|raised|bumped|increased)\b`,
  ),
  phrase('minimum', 'major', String.raw`\b(?:rais|bump|increas)(?:e|es|ed|s)? (?:the )?minimum ${words(4)}versions?\b`),
  phrase('default', 'major', String.raw`\bnow defaults? to\b`),
  phrase(
    'default',
    'major',
    String.raw`(?<!\bby )\bdefaults? ${words(6)}changed\b|\bchange[sd]? (?:the )?(?:(?!by )\w{1,20} )?defaults?\b`,
  ),
  phrase('deprecat', 'minor', String.raw`\bdeprecat`, { aboutDeprecation: true }),
  phrase('behavio', 'minor', String.raw`\bbehaviou?r(?:al)? changes?\b|\bchanges? (?:in|of|to) (?:the )?behaviou?r\b`),
  phrase('renamed', 'minor', String.raw`\b(?:was|were|been|is now|are now) renamed\b`, { needsCode: true }),
  phrase('affect', 'minor', String.raw`\bmay ${words(1)}affect\b`),
  phrase('break', 'minor', String.raw`\b(?:could|may|might) (?:\w{1,20} )?break\b`, { notInBug: true }),
];

const TRIGGER =
  /break|compatib|no longer|drop|remov|delet|requir|must|need to|have to|minimum|default|deprecat|renam|behavio|affect|none|n\/a|nothing/;
const SOFT = /\b(?:potential(?:ly)?|possibl[ey]|minor|small|slight(?:ly)?|tiny)[ ,]+$/;
const NEGATION = /^(?:no|not|non|without|zero|never|avoid\w*|fix(?:e[sd]|ing)?|prevent\w*|revert\w*|detect\w*|\w+n't)$/;
/** Work on something deprecated is no deprecation: "remove the deprecated calls". */
const TIDYING =
  /\b(?:remov\w*|drop\w*|delet\w*|replac\w*|silenc\w*|suppress\w*|us(?:e[sd]?|ing)|of|from|to|address\w*|clean\w*|ignor\w*|updat\w*|migrat\w*) (?:(?:the|all|some|old|any|up) )?$/;
const SYMPTOM = /\b(?:where|when|whenever|if|that|after|while|causing|caused|because|which|once|unless)\b/;
const EXPLICIT_NONE =
  /\bno (?:[^\s;,.]{1,20} ){0,2}breaking changes?\b|(?<!\b(?:not|n't) )\bfully backwards?[ -]compatible\b|(?<!\b(?:not|n't|no longer) (?:an? )?)\bdrop-in (?:replacement|upgrade|update|release|version|successor|compatib)|(?<!\bnot )\b(?:is|are) (?:an? )?drop-in\b/;
const NOTHING = /^(?:none|nothing|n\/a|nil|not applicable|no(?: known| api)? breaking changes?|no changes?)\b/;

const OWN_VERB = /remov|delet|drop|renam|deprecat/;
const RENAMING = /^renam(?:e[sd]?|ing)$/;
const REMOVAL = /^(?:remov(?:e[sd]?|ing)|delet(?:e[sd]?|ing)|drop(?:s|ped|ping)?)$/;
const OBJECT_END =
  /[,;:.] |\b(?:from|in|for|when|that|which|on|to|with|because|as|so|by|during|via|inside|within|after|if|where|since|now|between)\b/;
const INTERFACE =
  /\uE000|\b(?:options?|flags?|apis?|endpoints?|methods?|functions?|class(?:es)?|fields?|param(?:eter)?s?|arguments?|commands?|config(?:uration)?s?|support)\b/;
const LEFTOVER =
  /\b(?:unused|unnecessary|redundant|duplicate[ds]?|dead|internal|stray|leftover|superfluous|needless|useless|moot|usages?)\b/;

/** What a text says about compatibility, phrase by phrase. */
export function readEvidence(marked: string, manner: Manner): Reading {
  const lower = marked.toLowerCase();
  if (!TRIGGER.test(lower)) return { level: null, explicitNone: false };
  const text = proseOf(lower);
  const explicitNone = /breaking|compatible|drop-in/.test(text) && EXPLICIT_NONE.test(text);
  let level: EvidenceLevel = null;
  for (const sentence of text.split(/(?<=[.!?]) /)) {
    if (!TRIGGER.test(sentence)) continue;
    const verb = OWN_VERB.test(sentence) ? leadingWord(sentence) : null;
    if (verb && removesInterface(sentence, verb, manner)) return { level: 'major', explicitNone };
    if (verb && RENAMING.test(verb.word) && sentence.includes(CODE_OPEN)) level = 'minor';
    if (verb?.word.startsWith('deprecat')) level = 'minor';
    for (const rule of PHRASES) {
      const found = phraseLevel(sentence, rule, manner);
      if (found === 'major') return { level: 'major', explicitNone };
      level ??= found;
    }
  }
  return { level, explicitNone };
}

/** With code spans emptied: what stands in code is a name, not a statement. */
function proseOf(lower: string): string {
  const text = lower.replaceAll('’', "'");
  return text.includes(CODE_OPEN) ? text.replace(/\uE000[^\uE000\uE001]*\uE001/g, '\uE000\uE001') : text;
}

/** "None", "No breaking changes": an entry of a breaking section that denies it. */
export function saysNothing(marked: string): boolean {
  return marked.length < 80 && NOTHING.test(marked.toLowerCase());
}

function phraseLevel(sentence: string, rule: Phrase, manner: Manner): EvidenceLevel {
  if ((rule.notInBug && manner.bug) || (manner.chore && !rule.strong)) return null;
  if (!rule.keys.some((key) => sentence.includes(key))) return null;
  rule.pattern.lastIndex = 0;
  for (let match = rule.pattern.exec(sentence); match; match = rule.pattern.exec(sentence)) {
    const before = sentence.slice(Math.max(0, match.index - 120), match.index);
    if (!rule.stands && isNegated(before, rule.aboutDeprecation === true)) continue;
    if (rule.needsSubject && !INTERFACE.test(before)) continue;
    if (rule.needsCode && !before.includes(CODE_OPEN)) continue;
    if (manner.bug && SYMPTOM.test(before)) continue;
    return SOFT.test(before) ? 'minor' : rule.level;
  }
  return null;
}

/** A denying word within three words before, articles aside. */
function isNegated(before: string, deprecation: boolean): boolean {
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
