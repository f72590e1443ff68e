import { minor, type Phrase, words } from './phrase.ts';

// Phrases for smaller changes, which users may want to look at.
export const SOFTER: readonly Phrase[] = [
  // "is now deprecated", "mark `x` as deprecated".
  minor(
    'deprecat',
    String.raw`\b(?:is|are|was|were|been|be|now|becomes?|gets?|got|mark(?:s|ed|ing)?|flag(?:s|ged)?|as|considered)(?: (?!not\b)[^\s;,]{1,30}){0,3}? deprecated\b(?! (?:in|since|by) (?:the )?(?:node|react|v8|npm|python|typescript|upstream|chrome)\b)`,
    { aboutDeprecation: true, countsInChores: true },
  ),
  // "Added `y` and deprecated `x`", "`x` deprecated in favor of `y`", "Deprecation: …".
  minor(
    'deprecat',
    String.raw`(?:\band|&|[,;:]|\balso|\bwe|\bare|\bto|\bfully|\bsoft(?:ly)?)[ -]deprecat(?:es?|ed|ing)\b(?! (?:api|code|method|function|option|usage|warning|message)s?\b(?! in favou?r))|^(?:\[[^\]]{1,30}\] )?(?:fully |soft(?:ly)? |formally |officially )?deprecat(?:e|es|ed|ing|ions?)(?::| (?!warning|message|notice|error|api\b))|\bdeprecated the \w|(?:\uE001|\)|\b(?!(?:remov|drop|fix|us|replac|delet|updat|support|handl|silenc|clean|call)[a-z]{0,4}\b|(?:the|all|some|old|of|for|to|from|with|any|about)\b)[a-z]{2,30}) deprecated(?= (?:in favou?r|and replaced|and will|now\b|use\b|instead|for removal)|[.;,:]? ?$)`,
    { aboutDeprecation: true, countsInChores: true },
  ),
  // "Add a deprecation warning for `x`", "deprecation of `x`".
  minor(
    'deprecat',
    String.raw`(?:^|[:,;] |\band )(?:add|emit|log|show|print|issue|introduc|implement|display|giv|includ|return)\w{0,3} (?:an? |the |some |more )?(?:[^\s;,]{1,30} ){0,2}deprecati\w{1,4}\b(?: (?:warning|notice|message)s?\b)?|\bdeprecation (?:warnings?|notices?|messages?) (?:for|about|when|on|if|to|that) (?!.{0,40}\b(?:node(?:\.?js)?|react|v8|npm|gcc|typescript) )|\bdeprecation of\b`,
    { aboutDeprecation: true },
  ),
  minor('deprecation', String.raw`^(?:[^\s;,]{1,30} ){0,3}deprecations?\.?$`, {
    aboutDeprecation: true,
    notInBug: true,
  }),
  minor(
    'maintained',
    String.raw`\bthis (?:package|project|module|library|repo(?:sitory)?|plugin) is no longer maintained\b`,
    { includesNegation: true },
  ),
  minor(
    'behavio',
    String.raw`\b(?=behav|change)(?<!\bno (?:[\w,-]{1,20} ){0,6})(?:behaviou?r(?:al)? changes?\b|changes? (?:in|of|to) (?:the )?behaviou?r\b)`,
  ),
  minor('breaking', String.raw`\b(?:mildly|midly|slightly|semi|potential(?:ly)?|possibly)[ -]breaking\b(?! change)`, {
    notInBug: true,
  }),
  minor('renamed', String.raw`\uE001 renamed (?:to|as)\b|\b(?:was|were|been|is now|are now) renamed\b`, {
    needsCode: true,
  }),
  minor('affect', String.raw`\bmay ${words(1)}affect\b`, { notInBug: true }),
  minor('break', String.raw`\b(?:could|may|might) (?:\w{1,20} )?break\b`, { notInBug: true }),
  minor(
    'change',
    String.raw`\b(?:could|may|might) ${words(2)}change\b(?! (?:later|again|in (?:the )?future|at any time))|\busers will (?:experience|see|lose|notice)\b|\bchanges? that affects? ${words(3)}users\b`,
    {
      notInBug: true,
      notInFeature: true,
    },
  ),
  minor(
    'renam',
    String.raw`\b(?:method|option|function|prop|param|parameter|argument|event|class|command|flag|hook|charset|setting)s? renamed\b`,
    {},
  ),
  minor(
    'change',
    String.raw`^change[sd]? (?:the )?\uE000\uE001 to \uE000\uE001(?! in (?:comments?|the (?:docs|readme|tests?)))`,
    { notInBug: true },
  ),
  minor('now', String.raw`\uE001 (?:[a-z]{1,20} ){0,2}(?:is|are) now \uE000`, {
    notInBug: true,
    notInFeature: true,
  }),
  minor('peer', String.raw`^mov(?:e[sd]?|ing) \S{1,40} ${words(3)}to (?:an? )?peer\b`, { countsInChores: true }),
  minor(
    'moved|moves|move|moving',
    String.raw`^mov(?:e[sd]?|ing) (?:the )?\uE000\uE001 (?!logic|docs?|code|tests?|implementation)${words(4)}(?:to|into|under)\b(?! (?:the |its |an? )?(?:own |regular |separate |dev\w{0,10} |optional |different |appropriate )*(?:\w{1,20} )?(?:dep\w{0,12}|utils?|helpers?|files?|folder|director\w{1,3}|place|docs?|devdep\w{0,12}))`,
    { notInBug: true },
  ),
];
