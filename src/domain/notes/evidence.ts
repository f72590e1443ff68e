import { CODE_OPEN } from './inline.ts';
import { leadingWord } from './verbs.ts';

export type EvidenceLevel = 'major' | 'minor' | null;
export type Reading = { level: EvidenceLevel; explicitNone: boolean };

/** How the text is to be taken: a bug entry describes what was wrong, a chore does not speak to users. */
export type Manner = { bug: boolean; chore: boolean };

type Phrase = {
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
};

/** Up to `most` words that do not end a sentence; every part is bounded, so a text costs a fixed number of passes. */
const words = (most: number) => String.raw`(?:[^\s;,]{1,30}(?<![.!?]) ){0,${most}}?`;
const phrase = (source: string, level: 'major' | 'minor', rest: Partial<Phrase> = {}): Phrase => ({
  pattern: new RegExp(source, 'g'),
  level,
  ...rest,
});

const PHRASES: readonly Phrase[] = [
  phrase(String.raw`\bbreaking[ -]${words(2)}changes?\b`, 'major', { strong: true }),
  phrase(String.raw`(?:\bnot|n't) ${words(2)}backwards?[ -]compatible\b`, 'major', { stands: true, strong: true }),
  phrase(String.raw`\bbackwards?[ -]incompatib`, 'major', { strong: true }),
  phrase(
    String.raw`\bno longer (?:be )?(?:supports?|supported|works?|accepts?|accepted|returns?|returned|available)\b`,
    'major',
    {
      notInBug: true,
    },
  ),
  phrase(String.raw`(?<!\bdrag(?: and| &| n| 'n')?[ -]|-)\bdrop(?:s|ped|ping)? ${words(4)}support\b`, 'major', {
    strong: true,
  }),
  phrase(String.raw`\bremov(?:e[sd]?|ing) ${words(3)}support\b`, 'major', { strong: true }),
  phrase(String.raw`\b(?:has|have) been (?:completely |fully |now )?(?:removed|dropped)\b`, 'major'),
  phrase(String.raw`\b(?:was|were|is|are) (?:now )?removed\b`, 'major', { needsSubject: true }),
  phrase(String.raw`\b(?:is|are) now (?:\w{1,20} )?required\b|\bnow requires?\b|\bmust now\b`, 'major'),
  phrase(
    String.raw`\b(?:you|users|developers|consumers|clients|apps)(?: will|'ll)? (?:must|need to|have to) (?:now |also |manually )?(?:update|change|migrate|replace|rename)\b`,
    'major',
  ),
  phrase(
    String.raw`\bminimum ${words(4)}(?:versions?|runtime|requirements?|node(?:\.js)?|python|java|php|ruby|go|rust|ios|android|macos)\)? ${words(4)}(?:(?:is|are) now|raised|bumped|increased)\b`,
    'major',
  ),
  phrase(String.raw`\b(?:rais|bump|increas)(?:e|es|ed|s)? (?:the )?minimum ${words(4)}versions?\b`, 'major'),
  phrase(String.raw`\bnow defaults? to\b`, 'major'),
  phrase(
    String.raw`(?<!\bby )\bdefaults? ${words(6)}changed\b|\bchange[sd]? (?:the )?(?:\w{1,20} )?defaults?\b`,
    'major',
  ),
  phrase(String.raw`\bdeprecat`, 'minor'),
  phrase(String.raw`\bbehaviou?r(?:al)? changes?\b|\bchanges? (?:in|of|to) (?:the )?behaviou?r\b`, 'minor'),
  phrase(String.raw`\bmay ${words(1)}affect\b`, 'minor'),
  phrase(String.raw`\b(?:could|may|might) (?:\w{1,20} )?break\b`, 'minor', { notInBug: true }),
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

const REMOVAL = /^(?:remov(?:e[sd]?|ing)|delet(?:e[sd]?|ing)|drop(?:s|ped|ping)?)$/;
const OBJECT_END =
  /[,;:.] |\b(?:from|in|for|when|that|which|on|to|with|because|as|so|by|during|via|inside|within|after|if|where|since)\b/;
const INTERFACE =
  /\uE000|\b(?:options?|flags?|apis?|endpoints?|methods?|functions?|class(?:es)?|fields?|param(?:eter)?s?|arguments?|commands?|config(?:uration)?s?|support)\b/;
const LEFTOVER =
  /\b(?:unused|unnecessary|redundant|duplicated?|dead|internal|stray|leftover|superfluous|needless|useless)\b/;

/** What a text says about compatibility, phrase by phrase. */
export function readEvidence(marked: string, manner: Manner): Reading {
  const text = marked.toLowerCase().replace(/’/g, "'");
  if (!TRIGGER.test(text)) return { level: null, explicitNone: false };
  const explicitNone = EXPLICIT_NONE.test(text);
  let level: EvidenceLevel = null;
  for (const sentence of text.split(/(?<=[.!?]) (?=\S)/)) {
    if (removesInterface(sentence, manner)) return { level: 'major', explicitNone };
    if (/^renam(?:e[sd]?|ing)$/.test(leadingWord(sentence)?.word ?? '') && sentence.includes(CODE_OPEN))
      level = 'minor';
    for (const rule of PHRASES) {
      const found = phraseLevel(sentence, rule, manner);
      if (found === 'major') return { level: 'major', explicitNone };
      level ??= found;
    }
  }
  return { level, explicitNone };
}

/** "None", "No breaking changes": an entry of a breaking section that denies it. */
export function saysNothing(marked: string): boolean {
  return marked.length < 80 && NOTHING.test(marked.toLowerCase());
}

function phraseLevel(sentence: string, rule: Phrase, manner: Manner): EvidenceLevel {
  if ((rule.notInBug && manner.bug) || (manner.chore && !rule.strong)) return null;
  rule.pattern.lastIndex = 0;
  for (let match = rule.pattern.exec(sentence); match; match = rule.pattern.exec(sentence)) {
    const before = sentence.slice(Math.max(0, match.index - 120), match.index);
    if (!rule.stands && isNegated(before, rule.pattern.source.includes('deprecat'))) continue;
    if (rule.needsSubject && !INTERFACE.test(before)) continue;
    if (manner.bug && SYMPTOM.test(before)) continue;
    return SOFT.test(before) ? 'minor' : rule.level;
  }
  return null;
}

/** A denying word within three words before. */
function isNegated(before: string, deprecation: boolean): boolean {
  const clause = before.slice(Math.max(before.lastIndexOf('; '), before.lastIndexOf(': ')) + 1);
  const near = clause.match(/[a-z']+/g)?.slice(-3) ?? [];
  return near.some((word) => NEGATION.test(word)) || (deprecation && TIDYING.test(clause));
}

/** Remove, delete or drop as the verb, with an object that users can see. */
function removesInterface(sentence: string, manner: Manner): boolean {
  if (manner.bug || manner.chore) return false;
  const verb = leadingWord(sentence);
  if (!verb || !REMOVAL.test(verb.word)) return false;
  const rest = sentence.slice(verb.start + verb.word.length, verb.start + 300);
  const end = rest.search(OBJECT_END);
  const object = end === -1 ? rest : rest.slice(0, end);
  return INTERFACE.test(object) && !LEFTOVER.test(object);
}
