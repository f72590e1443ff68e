import { major, type Phrase, PLATFORM, words } from './phrase.ts';

const ADAPTED = `(?:updated?|changed?|migrated?|replaced?|renamed?|adapt(?:ed)?|adjust(?:ed)?|convert(?:ed)?|recompiled?|rebuilt|rebuild|reindex(?:ed)?|rewritten|dumped|moved?)`;

// "supported Node.js version", "version of React": the least version of a library that users do not see is no requirement.
const VERSION_OF = `(?:(?:supported|required|compatible|es|sdk|os|api|target|deployment|${PLATFORM}) ){0,3}(?:versions?(?: of (?:the )?${PLATFORM})?(?! (?:of|for|warning|check|error|message)s?\\b)|${PLATFORM})\\b`;

// Phrases for a requirement: users need something, or have to do something.
export const REQUIREMENT: readonly Phrase[] = [
  major(
    'now',
    String.raw`\b(?:is|are) now (?:\w{1,20} )?required\b|\bnow (?:(?!only)\w{1,20}ly |also )?(?:requires?|needs)\b(?!\()(?! (?:less|fewer|no|only|neither|the (?:right|correct|proper))\b)|\bmust now\b|\byou now need to\b`,
  ),
  major(
    'require|needs|enforce',
    String.raw`^(?:this (?:version|release|update) )?(?:requires?|needs|enforces?) (?:at least )?${PLATFORM}(?: versions?)? ?(?:>|>=|≥|v)? ?\d`,
    { notInBug: true },
  ),
  major(
    'require',
    String.raw`^(?:now )?requires? \S{2,30}[ -]v?\d[\w.]{0,10} (?:gem\b|or (?:newer|later|higher|above)\b|and (?:up|above)\b)`,
    { notInBug: true },
  ),
  major('>=|≥', String.raw`^(?:engines?: |now |only )?${PLATFORM} ?(?:>=|≥) ?v?\d[\w.]{0,10}(?![\w.]| ?compat)`, {
    notInBug: true,
  }),
  major(
    'baseline|msrv|must be',
    String.raw`\b${PLATFORM} ?\d[\w.]{0,10} baseline\b|\bbaseline ${words(2)}(?:is|to) ${words(2)}${PLATFORM} ?\d|\bmsrv (?:is|to|bump\w*|raised|increased)\b|\bmsrv: |\bmust be v?\d[\w.]{0,10} or (?:newer|later|higher|above)\b`,
    { notInBug: true },
  ),
  major(
    'must|need to|have to|has to|needs to',
    String.raw`\b(?:you|users|developers|consumers|clients|apps)(?: will|'ll)? (?:must|need to|have to) (?:now |also |manually )?${ADAPTED}\b`,
  ),
  major(
    'must|need to|have to',
    String.raw`\byou (?:will )?(?:must|need to|have to) (?:first |also |manually )?(?:back ?up|wipe|delete|clear|re-?create|re-?build|re-?import|re-?install|re-?generate|reset) (?:[^.;]{1,40} )?your\b|\bto (?:run|use|start) (?:it|this (?:version|release)),? you (?:must|need to|have to)\b`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'must be|need to be|have to be|has to be|needs to be|need a change',
    String.raw`\b(?=must|need|ha[sv])(?<!\b(?:may|might|could|should|would|that|which) )(?:must|(?:need|have|has|needs) to) be ${words(1)}${ADAPTED}\b|\bneed an? (?:change|edit|override)\b`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'please|action ',
    String.raw`\bplease (?:adapt|adjust|update|change|migrate) your\b|\baction (?:is )?(?:required|needed)\b`,
    { notInBug: true },
  ),
  major(
    'written|made|built|compiled|created|saved|older|old|existing|this version|this release',
    String.raw`\b(?:written|made|built|compiled|created|saved|older|old|existing|this version|this release) ${words(5)}(?:will not|won't|cannot|can't|do not|don't|does not|doesn't) (?:be )?(?:load|run|start|compile|build|link|install|open|work|restore|import|read|use)(?:d|ed)?\b`,
    { includesNegation: true, notInBug: true, notInFeature: true },
  ),
  major(
    'update|adapt|adjust|callers',
    String.raw`(?<!\b(?:will|to|can) )\b(?:update|adapt|adjust) (?:your (?:\w{1,20} )?(?:scripts?|code|imports?|config\w{0,10}|integrations?|clients?)|scripts that)\b|\bcallers ${words(4)}(?:have to|must|need to)\b`,
    { notInBug: true },
  ),
  major("you will|you'll", String.raw`(?<!\b(?:if|to) [^.;]{0,60})\byou(?:'ll| will) (?:now )?(?:need|have) to\b`, {
    notInBug: true,
    notInFeature: true,
  }),
  major(
    'minim',
    String.raw`\bminim(?:um|al) ${words(4)}(?:versions?|runtime|requirements?|node(?:\.js)?|python|java|php|ruby|go|rust|ios|android|macos)\)? ${words(4)}(?:(?:is|are) now|raised|bumped|increased|(?:is|are) ${words(2)}now)\b`,
  ),
  major('minimum', String.raw`\b(?:rais|bump|increas)(?:e|es|ed|s)? (?:the )?minimum ${VERSION_OF}`),
  major('required', String.raw`\bnow required (?:are|is)\b|\bnow ${words(4)}(?:is|are) required\b`, {
    notInBug: true,
  }),
  major(
    'requires',
    String.raw`\b(?:this|the new|the latest) (?:\w{1,12} )?(?:version|release|update) (?:now )?requires (?!no\b)\S`,
    {
      notInBug: true,
    },
  ),
  major(
    'peer',
    String.raw`\b(?:bump|updat|upgrad|rais|increas|restrict)(?:e|es|ed|s|ing)? (?:the )?${words(5)}peer[ -]?dep\w{0,12}(?: version| range)? to\b(?! (?:also )?(?:accept|allow|include|support|cover|permit)\b|[^;]{0,60}\|\|)`,
  ),
  major('restrict', String.raw`^restrict(?:s|ed)? (?:the )?versions? of\b`),
  major(
    'minim|min |required',
    String.raw`\b(?:rais|bump|increas|updat|set|chang|specif)(?:e|es|ed|s|y|ies|ied)? (?:the |our )?(?:(?:${PLATFORM}|supported|required|sdk|api|os|target|deployment|engines?) ){0,2}min(?:imum|imal)? (?:${VERSION_OF}|${words(2)}requirements?\b)|\b(?:rais|bump|increas)(?:e|es|ed|s) (?:the )?required ${PLATFORM}\b`,
    { notInBug: true, countsInChores: true },
  ),
  major('minim', String.raw`\b(?:node(?:\.js)?|python|php|ruby|java|go|rust|ios|android) minimum version to\b`),
  major(
    'ensure|should',
    String.raw`\bplease (?:ensure|make sure) (?:that )?you (?:have )?(?:updated?|upgraded?|migrated?)\b|\b(?:users|projects|consumers|plugins|applications) ${words(5)}should (?:either )?(?:(?:upgrade|update)(?! (?:to (?:this|the latest)|immediately|asap|as soon)\b)|migrate|remove|replace|change)\b`,
  ),
  major('requires', String.raw`\brequires ${words(5)}to be re-?(?:installed|built|generated|indexed|compiled)\b`),
  major(
    'you must',
    String.raw`(?<!\b(?:if|to use|to enable|when|want|for this)\b[^.;]{0,80})\byou must (?:now )?(?:specify|provide|pass|use|call|instantiate|import|migrate)\b`,
    { notInBug: true, notInFeature: true },
  ),
];
