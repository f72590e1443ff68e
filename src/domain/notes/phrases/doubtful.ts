import { doubt, type Phrase, words } from './phrase.ts';

const REST = { notInBug: true } as const;
// The beginning of the sentence, or a scope such as `cli:` before it.
const LEAD = String.raw`^(?:[^\s:]{1,40}: )?(?:we )?(?:now |also )?`;
const HARMLESS =
  'fail|crash|throw|break|block|hang|caus|need|requir|produc|err|leak|depend|necessary|wait|stack|reset|mutat|show|display|report|incorrect|wrong|use[sd]?\\b|reli|overlap|get |be |has|have|ha[sd]';
// Words behind "is now" that allow more than before; any other word may restrict or change something.
const OPENED =
  'available|possible|able|allowed|supported|support|fix|handled|easier|simpler|faster|quicker|smaller|smarter|more|better|also|alias|aware|work|working|compatible|correct|properly|documented|published|exposed|exported|accessible|generally|stable|tested|cached|consistent|configurable|customi[sz]able|visible|on npm|part of|in beta|complete|fully';
const SHAPES =
  'api|dom|html|markup|output|structures?|formats?|types?|order|names?|values?|signatures?|locations?|behaviou?rs?|semantics|interfaces?|defaults?|paths?|schemas?|class(?:es)?|events?|arguments?|parameters?|options?|exports?';
const SHAPE_VERBS =
  "consists?|must|only|needs?|never|does not|doesn't|do not|returns?|throws?|rejects?|errors?|has to|have to|expects?|requires?|takes?|emits?|uses?|lives?|resolves?|treats?|sends?|means?|inherits?|extends?|implements?|strips?|drops?|ignores?|skips?|excludes?|omits?|stores?|points?|follows?|checks?|validates?|enforces?|strict\\w{0,4}|private|async\\w{0,7}|required";

// Phrases for a change of the interface that may or may not break users. They are no evidence of a breaking change, but
// prevent a release from being called safe.
export const DOUBTFUL: readonly Phrase[] = [
  doubt('no longer', String.raw`\bno longer (?!${HARMLESS})`, { ...REST, includesNegation: true }),
  // Behind "that" follows what a fix is for: "such that they no longer include `undefined`".
  doubt('no longer', String.raw`\uE001 (?:(?!that\b|which\b)[a-z]{1,20} ){0,5}no longer (?!${HARMLESS})`, {
    includesNegation: true,
  }),
  doubt('by default', String.raw`\bby default\b`, { includesNegation: true }),
  doubt(
    'breaking',
    String.raw`(?<!\b(?:not|non|without|no|revert\w*|fix\w*|avoid\w*|prevent\w*|zero|detect\w*)\b.{0,20})\bbreaking (?:changes?\b|api)`,
    { ...REST, includesNegation: true },
  ),
  doubt(
    'instead of|rather than',
    String.raw`^(?!(?:[^\s:]{1,40}: )?(?:us(?:e[sd]?|ing)|implement\w{0,3}) (?!es|\w+ modules)).{0,400}?\b(?:instead of|rather than)\b`,
    REST,
  ),
  doubt(
    'previously|used to|before this',
    String.raw`\b(?:previously|used to (?!be (?:wrong|broken))|before this)\b`,
    REST,
  ),
  doubt('now', String.raw`(?<!\bcan )\bnow (?:${SHAPE_VERBS})\b`, REST),
  doubt('is now|are now', String.raw`\b(?:is|are) now (?!(?:an? |the )?(?:${OPENED}))`, REST),
  doubt('renam', String.raw`\brenam(?:es|ed)\b [^;]{0,60}\uE000`),
  doubt('renam|rebrand', String.raw`\b(?:renam|rebrand)(?:e[sd]?|s|ed|ing)\b`, REST),
  doubt(
    'change|changed|changes|changing|modif|alter|adjust|rework|redesign',
    String.raw`${LEAD}(?:chang|modif|alter|adjust|rework|redesign)(?:e[sd]?|s|ed|ing|y|ies|ied)? (?!the way\b)(?:[^;]{1,80} (?:to|from|into)\b|${words(4)}(?:${SHAPES})\b)|\bchang(?:es|ed) (?:the |its |how )?${words(3)}(?:${SHAPES})\b`,
    REST,
  ),
  doubt(
    'signature|return type|return value|argument order|order of|public api|api change',
    String.raw`\b(?:function|method|call(?:back)?|type|api|constructor) signatures?\b|\bsignatures? (?:of|for|to|now|changed)\b|\breturn (?:type|value)s? (?:of|is|are|now|to|for|from|changed)\b|\b(?:argument|parameter)s? order\b|\border of (?:the )?(?:argument|parameter|callback)s?\b|\bpublic api\b|^api changes?:`,
    {},
  ),
  doubt(
    'peer|engines|minimum|supported|oldest',
    String.raw`\bpeer[ -]?dep\w*|\bengines\b|\bminimum ${words(3)}versions?\b|\b(?:supported|oldest) ${words(2)}(?:platform|version|browser|runtime|engine|environment)s?\b`,
    {},
  ),
  doubt(
    'must|mandatory|required|has to|have to|obligatory',
    String.raw`\b(?:must(?! (?:be )?loaded)|mandatory|obligatory|required(?! terms?\b| if you are upgrading)|ha(?:ve|s) to)\b(?<!\b(?:no|not|n't)\b.{0,45})`,
    { ...REST, includesNegation: true },
  ),
  doubt(
    'throw|reject|refus|disallow|forbid|prohibit|enforc|restrict|constrain|require|requires|deny|raise',
    String.raw`${LEAD}(?:throw|reject|refus|disallow|forbid|prohibit|enforc|restrict|constrain|requir|den|rais)(?:e[sd]?|s|ed|ing|y|ies|ied)? (?<!required )(?!better|clearer|nicer|(?:the )?(?:proper|correct|right)\b)\S`,
    REST,
  ),
  doubt('stricter|strictness|tighten', String.raw`\b(?:stricter|strictness|tighten\w{0,3})\b`, REST),
  doubt(
    'disable|disables|disabled|disabling|stop|hide|hides|turn',
    `${LEAD}(?:(?:disabl|hid)(?:e[sd]?|ing)|stop(?:s|ped|ping)?|turn(?:s|ed|ing)? off) `,
    {},
  ),
  doubt(
    'replace|replaces|replaced|replacing|supersede',
    String.raw`${LEAD}replac(?:e[sd]?|ing) (?!(?:the )?[^;]{0,40}\bdependenc)[^;]{1,80}\b(?:with|by)\b|\b(?:replac(?:es|ed by|ing)|supersed(?:es|ed|ing)) (?:the |an? |using )?(?:\uE000|old|previous|former|existing|\w{1,20} (?:option|method|function|class|api|prop|module|package|hook|plugin)s?\b)`,
    { notInBug: true },
  ),
  doubt(
    'move|moves|moved|moving|switch|convert|migrate|split|merge|merges|merged|extract|swap|invert|reverse',
    String.raw`${LEAD}(?!merge with\b)(?:mov|switch|convert|migrat|split|merg|extract|swap|invert|revers)(?:e[sd]?|s|ed|ing|t?ed|t?ing|ped|ping)? (?=[^;]{0,80}(?:\uE000|\b(?:option|method|function|class|api|prop|propert(?:y|ie)|module|package|plugin|addon|component|type|export|esm|es6|es modules?|peer|namespace|repositor(?:y|ie)|event|setting|config\w{0,8})s?\b))`,
    REST,
  ),
  doubt(
    'make|makes|made|making',
    String.raw`${LEAD}ma(?:kes?|de|king) [^;]{1,80}\b(?:required|private|internal|async\w{0,7}|sync\w{0,7}|static|strict|readonly|read-only|immutable|(?:the|an?) (?:new )?(?:default|optional|peer)|optional (?:peer )?dependency)\b`,
    {},
  ),
  doubt(
    'default|defaults',
    String.raw`${LEAD}(?:chang|updat|set|us|switch|increas|decreas|reduc|rais|lower|bump|new|adjust|enabl|disabl|mak|revert)(?:e[sd]?|s|ed|ing|t?ing)? [^;]{0,60}(?<!by )\bdefaults?\b(?! (?:options?|settings?|export|import|policies|opts))|\bdefaults? (?:is|are) now\b|\bnew defaults?\b|\bdefaults? to using\b`,
    {},
  ),
  doubt(
    'only',
    String.raw`\b(?:only (?:support(?:s|ed)?|works? (?:with|on|in)|accepts?|allows?|exports?|compatible)|supports? only)\b`,
    REST,
  ),
  doubt(
    'node|nodejs|python',
    String.raw`${LEAD}(?:bump|rais|requir|target|updat|upgrad|increas|set)(?:e[sd]?|s|ed|ing)? (?:the )?(?:minimum |min |required |supported |engines? )?${words(2)}(?:node(?:\.?js)?|python) (?:version|engine|requirement|to|>=|v?\d)`,
    { notInBug: true, countsInChores: true },
  ),
  doubt(
    'now',
    String.raw`\bnow (?:throws?|rejects?|requires?|expects?|must|only (?!when|if)|takes?)\b(?! (?:the )?(?:correct|proper|right|account|into|precedence|care))`,
    {},
  ),
  doubt(
    'remov|drop|dropped|drops|delet',
    String.raw`(?<=\S )(?:remov(?:e[sd]?|ing)|drop(?:s|ped|ping)?|delet(?:es|ed|ing)) (?:the |all |some |old |support for )?(?:\w{1,20} )?(?:\uE000|(?:option|flag|api|endpoint|method|function|class|field|param(?:eter)?|argument|command|prop|propert(?:y|ie)|hook|setting|attribute|theme|plugin|export|event|module|component)s?\b)`,
    REST,
  ),
  doubt(
    'discontinu|retire|retires|retired|abandon|sunset|withdr|rid of|unsupported|obsolete|eol|end-of-life',
    String.raw`\b(?:discontinu\w{1,3}|retire[sd]?|abandon(?:s|ed|ing)?|sunset(?:s|ting)?|withdr(?:aws?|ew|awn)|(?:get|gets|got|getting) rid of|unsupported|obsoletes?|eol|end-of-life)\b`,
    REST,
  ),
  doubt(
    'beware|heads up|attention|caution|be aware|migrate|migration|incompatib|compatibility',
    String.raw`\b(?:beware|heads[ -]up|attention|caution|be aware|migration guide|(?:to|should|can|must|please) migrate|incompatib\w{1,8}|(?:backwards?|binary|api)[ -]compatibility)\b`,
    REST,
  ),
  doubt(
    'requires',
    String.raw`\brequires (?:an? |the |your )?${words(2)}(?:updates?|upgrades?|migrations?|changes?|rebuild|reinstall)\b`,
    {},
  ),
  doubt('esm|es modules|commonjs', String.raw`\b(?:esm|es modules?|commonjs|cjs)[ -]only\b|\bpure esm\b`, {}),
];
