import { major, type Phrase, PLATFORM, words } from './phrase.ts';

const USABLE = `(?:support(?:s|ed|ing)?|works?|working|accepts?|accepted|returns?|returned|appl(?:y|ies|ied)|exports?|available|served|readable|be read|written|included|installed|bundled|exported|shipped|ships?|bundles?|provides?|offers?|emitted|provided|possible|allowed|valid|recogni[sz]ed|exists?|compatible)`;
// Verbs for what a part of the interface did by itself until now.
const STOPPED =
  'creates?|includes?|takes?|assumes?|exposes?|emits?|triggers?|fires?|inherits?|extends?|defaults?|adds?|sets?|installs?|wraps?|converts?|converted|trims?|trimmed|parses?|allows?|passes|passed';
const PARTS =
  'prop|propert(?:y|ie)|option|param|parameter|argument|event|method|function|flag|hook|setting|command|attribute';

// Phrases for a removal: something is gone.
export const REMOVAL: readonly Phrase[] = [
  major(
    'no longer',
    String.raw`\b(?=no longer)(?<!\b(?:that|which|who) (?:is|are|was|were) )no longer (?:be )?${USABLE}\b(?! by (?!default|this|us\b))`,
    { notInBug: true },
  ),
  major(
    'any more|anymore|any longer',
    String.raw`(?:\bnot|n't) (?:be )?(?:${USABLE}|support|accept) ${words(4)}any ?(?:more|longer)\b|\bnothing any ?(?:more|longer)\b`,
    { includesNegation: true, notInBug: true },
  ),
  major('support', String.raw`(?:\bnot|n't) support ${words(5)}(?:from (?:this|now)|any ?more)\b`, {
    includesNegation: true,
    notInBug: true,
  }),
  major(
    'support',
    String.raw`(?<!\bdrag(?: and| &| n| 'n')?[ -]|-)\bdrop(?:s|ped|ping)? (?!(?:shadow|down|zone|target|cap|box)s?\b)${words(4)}(?<!\bto )support\b(?! (?:files?|code|scripts?|docs?|tests?)\b)`,
    {
      countsInChores: true,
    },
  ),
  major(
    'support',
    String.raw`\bremov(?:e[sd]?|ing) ${words(3)}(?<!\bto )support\b(?! (?:check|code|test|file|librar|polyfill|hack|workaround)\w{0,3}\b)`,
    { countsInChores: true },
  ),
  major(
    'support',
    String.raw`\b(?:stop(?:s|ped)?|ceas(?:e[sd]?|ing)|discontinu(?:e[sd]?|ing)|end(?:s|ed)) (?:official |the )?support(?:ing)? (?:of|for|on|in)?\b`,
    {
      notInBug: true,
      countsInChores: true,
    },
  ),
  major(
    'drop',
    String.raw`\bdrop(?:s|ped|ping)? (?:old |legacy |the )?${PLATFORM} ?(?:<|<=|v|versions? )?\d[\w.]{0,10}(?! (?:from|in|on) (?:the )?(?:ci|tests?|matrix|build)\b)`,
    { countsInChores: true },
  ),
  major(
    'compatibility',
    String.raw`^(?:[^\s:]{1,40}: )?(?:drop|remov)(?:s|ped|ping|e[sd]?|ing)? ${words(2)}(?:backwards? )?compatibility (?:for|with|to)\b`,
    { notInBug: true },
  ),
  major('been', String.raw`\b(?:has|have) been (?:completely |fully |now )?(?:removed|dropped)\b`),
  major('been removed', String.raw`\b(?:endpoint|option|flag|command|method)s? (?:has|have) been removed\b`, {
    countsInChores: true,
  }),
  major('removed|dropped', String.raw`\b(?:was|were|is|are) (?:now )?(?:removed|dropped)\b`, {
    needsSubject: true,
    notInBug: true,
  }),
  major('removed', String.raw`(?:\uE001|\w\(\)) (?:has |have )?(?:been )?removed\b`, { notInBug: true }),
  major(
    'gone|no more',
    String.raw`(?<!\b(?:bug|flicker\w*|flash\w*|lag|delay|warning|error|crash|crashes|leak|noise|glitch\w*|limit)s? )\b(?:is|are) (?:now )?(?:gone|no more)\b(?! (?:than|through|via|over|up|down)\b)`,
    { notInBug: true, needsSubject: true },
  ),
  major(
    'taken|eliminated|discontinued|retired|shut|turned|switched|decommission',
    String.raw`\b(?:(?:was|were|been|is|are)(?: now)?|we(?: have|'ve)?) (?:taken (?:out|away)|discontinued|retired|shut(?:ting)? (?:down|off)|turned off|decommissioned)\b|\b(?:was|were|been) (?:eliminated|switched off)\b`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'commonjs|cjs|umd|amd|esm',
    String.raw`\b(?:remov|drop)(?:e[sd]?|s|ped|ping|ing)? (?:the )?(?:commonjs|cjs|umd|amd)\b|\b(?:pure |now )?esm[ -]only\b|\bpure esm\b`,
    { notInBug: true, countsInChores: true },
  ),
  major(
    'support',
    String.raw`\bsupport ${words(5)}(?:has been|have been|was|is)(?: now)? (?:officially )?(?:discontinued|ended|withdrawn|retired)\b`,
    { notInBug: true, countsInChores: true },
  ),
  major(
    'stop',
    String.raw`^(?:[^\s:]{1,40}: )?stop(?:s|ped)? (?:polluting|exposing|exporting|shipping|publishing|bundling|returning|accepting|emitting)\b`,
    { notInBug: true },
  ),
  major('unexported', String.raw`\b(?:is|are|was|were)(?: now)? unexported\b`, { needsCode: true }),
  major('no longer', String.raw`\bno longer (?:be )?able to\b|\bno longer (?:an? )?part of\b`, {
    notInBug: true,
  }),
  major('no longer', String.raw`\bno longer (?:automatically |implicitly )?(?:${STOPPED})\b`, {
    notInBug: true,
    notInFeature: true,
    needsCode: true,
  }),
  major('export', String.raw`\b(?:does not|doesn't|do not|don't) export\b|\bnot exported any ?more\b`, {
    includesNegation: true,
    notInBug: true,
  }),
  major(
    'ability',
    String.raw`\b(?:remov(?:e[sd]?|ing)|drop(?:s|ped|ping)?) (?:the )?(?:ability|possibility) to\b|\bdisables? being able to\b`,
    { notInBug: true },
  ),
  major('being able', String.raw`\bdisables? being able to\b`),
  major('replaced', String.raw`\uE001 (?:(?:has|have) been|(?:is|are|was|were)(?: now)?) replaced (?:by|with)\b`, {
    notInBug: true,
  }),
  major(
    'replace',
    String.raw`^replace[sd]? (?:the )?(?:old |former )?\uE000\uE001 (?:${PARTS})s? (?:with|by)\b(?! (?:an? )?(?:optimi[sz]ed|inlined?|native|faster|simpler)\b)`,
    {
      notInBug: true,
    },
  ),
];
