export type Phrase = {
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
  /** Does not count where something new is described. */
  notInFeature?: boolean;
  /** The words before must name something of the interface. */
  needsSubject?: boolean;
  /** A code span must stand before. */
  needsCode?: boolean;
  aboutDeprecation?: boolean;
  /** Counts in the first sentence alone: further ones explain how a thing works. */
  opening?: boolean;
};

/** Up to `most` words that do not end a sentence; every part is bounded, so a text costs a fixed number of passes. */
const words = (most: number) => String.raw`(?:[^\s;,]{1,30}(?<![.!?]) ){0,${most}}?`;
const phrase = (keys: string, level: 'major' | 'minor', source: string, rest: Partial<Phrase> = {}): Phrase => ({
  keys: keys.split('|'),
  pattern: new RegExp(source, 'g'),
  level,
  ...rest,
});

const PLATFORM = String.raw`(?:node(?:\.?js)?|python|php|ruby|java|jdk|scala|kotlin|golang|go|rust|elixir|erlang|swift|dart|flutter|xcode|ios|ipados|macos|android|windows|ubuntu|debian|centos|rhel|alpine|openssl|glibc|postgres(?:ql)?|mysql|mariadb|redis|react|vue|angular|svelte|django|rails|laravel|symfony|spring|typescript|webpack|terraform|kubernetes|safari|chrome|firefox|ie|internet explorer|\.net(?: core)?)`;
const USABLE = `(?:supports?|supported|works?|working|accepts?|accepted|returns?|returned|available|served|readable|read|written|included|installed|bundled|exported|shipped|emitted|provided|possible|allowed|valid|recogni[sz]ed|maintained|exists?|compatible)`;
const ADAPTED = `(?:updated?|changed?|migrated?|replaced?|renamed?|adapt(?:ed)?|adjust(?:ed)?|convert(?:ed)?|recompiled?|rebuilt|rebuild|reindex(?:ed)?|rewritten|dumped|moved?)`;
const FAILING = String.raw`(?:fails? to (?:render|compile|install|build|load|start|run)|fails? with|stops? working|or (?:the |your )?\w{1,20} (?:will not|won't) (?:start|run|work))`;

const CHANGES_SHAPE = '(?:returns?|throws?|takes?|gets?|receives?|resolves?|expects?|writes?|emits?|yields?|answers?)';

/** What maintainers write when users have to act, and, below, when users may want to look. */
const PHRASES: readonly Phrase[] = [
  phrase(
    'breaking',
    'major',
    String.raw`\bbreaking[ -]${words(2)}changes?\b(?!-?,? (?:detect|check|lint|label|workflow|polic|disclaim|notice|log\b))|^breaking changes?(?=[a-z@])(?!logs?\b|d\b)|[[(]breaking[\])]`,
    { strong: true },
  ),
  phrase('bc|api change', 'major', String.raw`\bbc[ -]breaks?\b|^api changes?:`),
  phrase('compatible', 'major', String.raw`(?:\bnot|n't) ${words(2)}backwards?[ -]compatible\b`, {
    stands: true,
    strong: true,
  }),
  phrase('compatible|drop-in', 'major', String.raw`(?:\bnot|n't) (?:be )?(?:compatible with|(?:an? )?drop-in)\b`, {
    stands: true,
    notInBug: true,
  }),
  phrase('incompatib', 'major', String.raw`\bbackwards?[ -]incompatib`, { strong: true }),
  phrase(
    'incompatib',
    'major',
    String.raw`\bincompatible ${words(1)}changes?\b|^incompatible\b|\bthese incompatibilities\b`,
    { notInBug: true },
  ),
  phrase('no longer', 'major', String.raw`\bno longer (?:be )?${USABLE}\b`, { notInBug: true }),
  phrase(
    'any more|anymore|any longer',
    'major',
    String.raw`(?:\bnot|n't) (?:be )?(?:${USABLE}|support|accept) ${words(4)}any ?(?:more|longer)\b|\bnothing any ?(?:more|longer)\b`,
    { stands: true, notInBug: true },
  ),
  phrase('support', 'major', String.raw`(?:\bnot|n't) support ${words(5)}(?:from (?:this|now)|any ?more)\b`, {
    stands: true,
    notInBug: true,
  }),
  phrase(
    'support',
    'major',
    String.raw`(?<!\bdrag(?: and| &| n| 'n')?[ -]|-)\bdrop(?:s|ped|ping)? (?!(?:shadow|down|zone|target|cap|box)s?\b)${words(4)}support\b`,
    {
      strong: true,
    },
  ),
  phrase('support', 'major', String.raw`\bremov(?:e[sd]?|ing) ${words(3)}support\b`, { strong: true }),
  phrase(
    'drop',
    'major',
    String.raw`\bdrop(?:s|ped|ping)? (?:old |legacy |the )?${PLATFORM} ?(?:<|<=|v|versions? )?\d[\w.]{0,10}(?! (?:from|in|on) (?:the )?(?:ci|tests?|matrix|build)\b)`,
    { strong: true },
  ),
  phrase('been', 'major', String.raw`\b(?:has|have) been (?:completely |fully |now )?(?:removed|dropped)\b`),
  phrase('been removed', 'major', String.raw`\b(?:endpoint|option|flag|command|method)s? (?:has|have) been removed\b`, {
    strong: true,
  }),
  phrase('removed|dropped', 'major', String.raw`\b(?:was|were|is|are) (?:now )?(?:removed|dropped)\b`, {
    needsSubject: true,
    notInBug: true,
  }),
  phrase('removed', 'major', String.raw`(?:\uE001|\w\(\)) (?:has |have )?(?:been )?removed\b`, { notInBug: true }),
  phrase(
    'gone|no more',
    'major',
    String.raw`(?<!\b(?:bug|flicker\w*|flash\w*|lag|delay|warning|error|crash|crashes|leak|noise|glitch\w*|limit)s? )\b(?:is|are) (?:now )?(?:gone|no more)\b(?! (?:than|through|via|over|up|down)\b)`,
    { notInBug: true },
  ),
  phrase(
    'taken|eliminated|discontinued|retired|shut|turned|switched|decommission',
    'major',
    String.raw`\b(?:(?:was|were|been|is|are)(?: now)?|we(?: have|'ve)?) (?:taken (?:out|away)|discontinued|retired|shut(?:ting)? (?:down|off)|turned off|decommissioned)\b|\b(?:was|were|been) (?:eliminated|switched off)\b`,
    { notInBug: true, notInFeature: true },
  ),
  phrase(
    'now',
    'major',
    String.raw`\b(?:is|are) now (?:\w{1,20} )?required\b|\bnow (?:\w{1,20}ly )?(?:requires?|needs)\b(?! (?:less|fewer|no|only|neither)\b)|\bmust now\b|\byou now need to\b`,
  ),
  phrase(
    'require|needs',
    'major',
    String.raw`^(?:this (?:version|release|update) )?(?:requires?|needs) (?:at least )?${PLATFORM}(?: versions?)? ?(?:>|>=|≥|v)? ?\d`,
    { notInBug: true },
  ),
  phrase('>=|≥', 'major', String.raw`^(?:engines?: |now |only )?${PLATFORM} ?(?:>=|≥) ?v?\d`, { notInBug: true }),
  phrase(
    'baseline|msrv|must be',
    'major',
    String.raw`\b${PLATFORM} ?\d[\w.]{0,10} baseline\b|\bbaseline ${words(2)}(?:is|to) ${words(2)}${PLATFORM} ?\d|\bmsrv (?:is|to|bump\w*|raised|increased)\b|\bmsrv: |\bmust be v?\d[\w.]{0,10} or (?:newer|later|higher|above)\b`,
    { notInBug: true },
  ),
  phrase(
    'must|need to|have to|has to|needs to',
    'major',
    String.raw`\b(?:you|users|developers|consumers|clients|apps)(?: will|'ll)? (?:must|need to|have to) (?:now |also |manually )?${ADAPTED}\b`,
  ),
  phrase(
    'must be|need to be|have to be|has to be|needs to be|need a change',
    'major',
    String.raw`\b(?:must|(?:need|have|has|needs) to) be ${words(1)}${ADAPTED}\b|\bneed an? (?:change|edit|override)\b`,
    { notInBug: true, notInFeature: true },
  ),
  phrase(
    'please|action ',
    'major',
    String.raw`\bplease (?:adapt|adjust|update|change|migrate) your\b|\baction (?:is )?(?:required|needed)\b`,
    { notInBug: true },
  ),
  phrase(
    'written|made|built|compiled|created|saved|older|old|existing|this version|this release',
    'major',
    String.raw`\b(?:written|made|built|compiled|created|saved|older|old|existing|this version|this release) ${words(5)}(?:will not|won't|cannot|can't|do not|don't|does not|doesn't) (?:be )?(?:load|run|start|compile|build|link|install|open|work|restore|import|read|use)(?:d|ed)?\b`,
    { stands: true, notInBug: true, notInFeature: true },
  ),
  phrase("fail|stop|will not|won't", 'major', String.raw`\b${FAILING}\b`, { notInBug: true, notInFeature: true }),
  phrase('rejected|refused|revoked', 'major', String.raw`\b(?:is|are) (?:rejected|refused|revoked)\b(?! unless\b)`, {
    stands: true,
    notInBug: true,
    notInFeature: true,
    opening: true,
  }),
  phrase(
    'rejected|refused|revoked|ignored|error',
    'major',
    String.raw`\b(?:is|are) now (?:rejected|refused|revoked)\b|\b(?:is|are) (?:rejected|refused) from (?:this|now)\b|\b(?:is|are)(?: now)? ignored (?:from|since|as of|now)\b|\b(?:old|former|previous|legacy)\b ${words(3)}(?:is|are)(?: now)? ignored\b|\b(?:is|are) (?:now )?an error(?: now)?\b|\bnow (?:an error|errors? out)\b`,
    { stands: true, notInBug: true, notInFeature: true },
  ),
  phrase('throw', 'major', String.raw`\bnow throws?\b`, { notInBug: true, notInFeature: true }),
  phrase(
    'instead of|rather than',
    'major',
    String.raw`(?<!\bcan )\bnow ${CHANGES_SHAPE} [^.;]{1,80}?\b(?:instead of|rather than)\b`,
    { notInBug: true, notInFeature: true },
  ),
  phrase(
    'instead of|rather than|used to',
    'major',
    String.raw`(?:\uE001|\(\)) ${words(2)}${CHANGES_SHAPE} [^.;]{1,80}?\b(?:instead of|rather than|where (?:it|they) used to)\b`,
    { notInBug: true, notInFeature: true },
  ),
  phrase(
    'mandatory|unsupported|refuses|now off|now disabled',
    'major',
    String.raw`\b(?:is|are)(?: now)? mandatory\b|\b(?:is|are) (?:\w{1,12} )?unsupported (?:from|since|as of|now)\b|\bnow unsupported\b|\brefuses to (?:start|run|load)\b|\b(?:is|are) now (?:off|disabled)\b(?! (?:when|if|while|during|until)\b)`,
    { notInBug: true, notInFeature: true },
  ),
  phrase(
    'update|adapt|adjust|callers',
    'major',
    String.raw`\b(?:update|adapt|adjust) (?:your (?:\w{1,20} )?(?:scripts?|code|imports?|config\w{0,10}|integrations?|clients?)|scripts that)\b|\bcallers ${words(4)}(?:have to|must|need to)\b`,
    { notInBug: true },
  ),
  phrase(
    'argument|parameter|signature',
    'major',
    String.raw`\b(?:argument|parameter)s? order\b|\border of (?:the )?(?:arguments|parameters)\b|\bchange[sd]? (?:the )?${words(2)}signatures?\b|\bsignatures? ${words(4)}changed\b`,
    { notInBug: true, notInFeature: true },
  ),
  phrase(
    'commonjs|cjs|umd|amd|esm',
    'major',
    String.raw`\b(?:remov|drop)(?:e[sd]?|s|ped|ping|ing)? (?:the )?(?:commonjs|cjs|umd|amd)\b|\b(?:pure |now )?esm[ -]only\b|\bpure esm\b`,
    { notInBug: true, strong: true },
  ),
  phrase(
    'async|coroutine|promise',
    'major',
    String.raw`\b(?:is|are) (?:now (?:an? )?(?:async(?:hronous)?|coroutines?)|async(?:hronous)? now)\b|\bnow returns? an? promise\b`,
    { notInBug: true },
  ),
  phrase(
    'used to|old|former|previous|original|earlier|prior',
    'major',
    String.raw`\bwhere (?:it|they|we) used to\b|\bto (?:keep|restore|get|retain|preserve|go back to|bring back) (?:the )?(?:old|former|previous|original|earlier|prior) (?:behaviou?r|defaults?|format|output|names?|values?|place|style)\b`,
    { notInBug: true, notInFeature: true },
  ),
  phrase(
    "you will|you'll",
    'major',
    String.raw`(?<!\b(?:if|to) [^.;]{0,60})\byou(?:'ll| will) (?:now )?(?:need|have) to\b`,
    {
      notInBug: true,
      notInFeature: true,
    },
  ),
  phrase(
    'minim',
    'major',
    String.raw`\bminim(?:um|al) ${words(4)}(?:versions?|runtime|requirements?|node(?:\.js)?|python|java|php|ruby|go|rust|ios|android|macos)\)? ${words(4)}(?:(?:is|are) now|raised|bumped|increased|(?:is|are) ${words(2)}now)\b`,
  ),
  phrase('minimum', 'major', String.raw`\b(?:rais|bump|increas)(?:e|es|ed|s)? (?:the )?minimum ${words(4)}versions?\b`),
  phrase('default', 'major', String.raw`\bnow defaults? to\b`),
  phrase(
    'default',
    'major',
    String.raw`(?<!\bby )\bdefaults? ${words(6)}changed\b|\bchange[sd]? (?:the )?(?:(?!by )\w{1,20} )?defaults?\b|\bdefaults? ${words(2)}\S{1,30} (?:->|→|=>) \S`,
  ),
  phrase(
    'by default',
    'major',
    String.raw`\b(?:is|are) (?:now (?:\w{1,20} )?|(?:true|false|on|off|enabled|disabled|verified|restricted|refused|blocked|strict) )[^.;]{0,60}?\bby default\b|\bby default now\b`,
    { notInBug: true, notInFeature: true },
  ),
  phrase('deprecat', 'minor', String.raw`\bdeprecat`, { aboutDeprecation: true }),
  phrase('behavio', 'minor', String.raw`\bbehaviou?r(?:al)? changes?\b|\bchanges? (?:in|of|to) (?:the )?behaviou?r\b`),
  phrase('renamed', 'minor', String.raw`\b(?:was|were|been|is now|are now) renamed\b`, { needsCode: true }),
  phrase('affect', 'minor', String.raw`\bmay ${words(1)}affect\b`),
  phrase('break', 'minor', String.raw`\b(?:could|may|might) (?:\w{1,20} )?break\b`, { notInBug: true }),
];

const STEM = 4;
const NONE: ReadonlySet<Phrase> = new Set();
const RULES_OF_CUE = new Map<number, Phrase[]>();
const RULES_OF_SIGNS = PHRASES.filter(({ keys }) => keys.includes('>='));
for (const rule of PHRASES) {
  for (const cue of new Set(rule.keys.map(cueOf))) RULES_OF_CUE.set(cue, [...(RULES_OF_CUE.get(cue) ?? []), rule]);
}

/** How the longest word of a key begins: one word of a sentence tells which phrases are worth trying. */
function cueOf(key: string): number {
  const [longest = ''] = key.split(' ').sort((a, b) => b.length - a.length);
  return cueAt(longest, 0);
}

/** The first letters of the word that begins here, as a number: every word of every note is looked at. */
function cueAt(text: string, start: number): number {
  let cue = 0;
  for (let at = start; at < start + STEM; at += 1) {
    const letter = text.charCodeAt(at) - 96;
    if (!(letter >= 1 && letter <= 26)) break;
    cue = cue * 27 + letter;
  }
  return cue;
}

/** The phrases that a sentence in lower case may hold; most sentences hold none. */
export function phrasesWorthTrying(sentence: string): ReadonlySet<Phrase> {
  let found: Set<Phrase> | null = null;
  let inWord = false;
  for (let at = 0; at < sentence.length; at += 1) {
    const code = sentence.charCodeAt(at);
    const letter = code >= 97 && code <= 122;
    const rules = letter && !inWord ? RULES_OF_CUE.get(cueAt(sentence, at)) : undefined;
    inWord = letter;
    if (!rules) continue;
    found ??= new Set();
    for (const rule of rules) found.add(rule);
  }
  if (!sentence.includes('>=') && !sentence.includes('≥')) return found ?? NONE;
  return new Set([...(found ?? NONE), ...RULES_OF_SIGNS]);
}
