import { major, type Phrase, words } from './phrase.ts';

const FAILING = String.raw`(?:fails? to (?:render|compile|install|build|load|start|run)|fails? with|stops? working|or (?:the |your )?\w{1,20} (?:will not|won't) (?:start|run|work))`;
const CHANGES_SHAPE = '(?:returns?|throws?|takes?|gets?|receives?|resolves?|expects?|writes?|emits?|yields?|answers?)';

// What happened before was a failure, so that nobody relied on it.
const NOT_HARMLESS = String.raw`(?! (?:nothing|nan|throwing|failing|crashing|hanging|silently|being|an? (?:exception|error|crash)|just)\b)`;

// Phrases for a changed behaviour: the same call now does something else.
export const BEHAVIOUR: readonly Phrase[] = [
  major("fail|stop|will not|won't", String.raw`(?<!\b(?:still|properly|correctly) )\b${FAILING}\b`, {
    notInBug: true,
    notInFeature: true,
  }),
  major('rejected|refused|revoked', String.raw`\b(?:is|are) (?:rejected|refused|revoked)\b(?! unless\b)`, {
    includesNegation: true,
    notInBug: true,
    notInFeature: true,
    firstSentenceOnly: true,
  }),
  major(
    'rejected|refused|revoked|ignored|error',
    String.raw`\b(?:is|are) now (?:rejected|refused|revoked)\b|\b(?:is|are) (?:rejected|refused) from (?:this|now)\b|\b(?:is|are)(?: now)? ignored (?:from|since|as of|now)\b|\b(?:old|former|previous|legacy)\b ${words(3)}(?:is|are)(?: now)? ignored\b|\b(?:is|are) (?:now )?an error(?: now)?\b|\bnow (?:an error|errors? out)\b`,
    { includesNegation: true, notInBug: true, notInFeature: true },
  ),
  major(
    'throw',
    String.raw`\bnow throws?\b(?! (?:an? )?(?:more|better|useful|helpful|proper|correct|clear|meaningful|descriptive|nice|friendl|readable)\w{0,6}\b)`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'instead of|rather than',
    String.raw`(?<!\bcan )\bnow ${CHANGES_SHAPE} [^.;]{1,80}?\b(?:instead of|rather than)\b${NOT_HARMLESS}`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'instead of|rather than|used to',
    String.raw`(?:\uE001|\(\)) (?!to\b)${words(2)}(?<!\bto )${CHANGES_SHAPE} [^.;]{1,80}?\b(?:instead of|rather than|where (?:it|they) used to)\b${NOT_HARMLESS}`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'mandatory|unsupported|refuses|now off|now disabled',
    String.raw`\b(?:is|are)(?: now)? mandatory\b|\b(?:is|are) (?:\w{1,12} )?unsupported (?:from|since|as of|now)\b|\bnow unsupported\b|\brefuses to (?:start|run|load)\b|\b(?:is|are) now (?:off|disabled)\b(?! (?:when|if|while|during|until)\b)`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'argument|parameter|signature',
    String.raw`\b(?:argument|parameter)s? order\b|\border of (?:the )?(?:arguments|parameters)\b|\bchange[sd]? (?:the )?${words(2)}signatures?\b|\bsignatures? ${words(4)}changed\b`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'async|coroutine|promise',
    String.raw`\b(?:is|are) (?:now (?:an? )?(?:async(?:hronous)?|coroutines?)|async(?:hronous)? now)\b|\bnow returns? an? promise\b`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'used to|old|former|previous|original|earlier|prior',
    String.raw`\bwhere (?:it|they|we) used to\b|\bto (?:keep|restore|get|retain|preserve|mimic|go back to|bring back) (?:the )?(?:old|former|previous|original|earlier|prior) (?:behaviou?r|defaults?|format|output|names?|values?|place|style)\b`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'old|former|previous|original|earlier|prior',
    String.raw`\b(?:pass|set|use|call|specify|configure)\b[^.;]{0,80}\bto (?:keep|restore|get|retain|preserve) (?:the )?(?:old|former|previous|original|earlier|prior) behaviou?r\b`,
    { notInFeature: true },
  ),
  major(
    'async|sync',
    String.raw`\b(?:is|are) now (?:\w{1,12} )?(?:a?sync(?:hronous)?)\b|\bto be a?sync(?:hronous)?\b|\bfrom a?sync to a?sync\b|^chang(?:e[sd]?|ing) \uE000\uE001 to a?sync\b`,
    {
      notInBug: true,
      notInFeature: true,
    },
  ),
  major(
    'instead of|rather than',
    String.raw`^returns? (?!early\b)[^.;]{1,60} (?:instead of|rather than)\b${NOT_HARMLESS}`,
    {
      notInBug: true,
    },
  ),
  major(
    'instead of|rather than',
    String.raw`\bnow (?:created|called|configured|imported|passed|invoked|constructed|generated)\b [^.;]{1,80}(?:instead of|rather than)\b${NOT_HARMLESS}(?! (?:eagerly|up ?front|immediately|(?:on|for) (?:every|each)\b|every time|each time))`,
    { notInBug: true, notInFeature: true },
  ),
  major('instead of', String.raw`\bnow accepts? [^.;]{1,80}\binstead of (?:\S{1,20} ){0,2}\S{1,20}$`, {
    notInBug: true,
    notInFeature: true,
  }),
  major(
    'now',
    String.raw`\bwill now (?:certainly |always )?(?:fail|throw|error|reject|refuse)\b|\bnow fails? (?:when|if|with|on)\b`,
    {
      notInBug: true,
      notInFeature: true,
    },
  ),
  major(
    'instead of|rather than',
    String.raw`^(?:uses?|gives?|yields?|passes) (?:an? |the )?(?:\w{1,12} )?(?!checks?\b)\w{1,20} (?:instead of|rather than) (?:null|undefined|nil|none|false|true|an? (?:empty )?(?:string|array|object|list|number|buffer))\b`,
    { notInBug: true },
  ),
  major(
    'instead of|rather than',
    String.raw`^change[sd]? (?:the )?\uE000\uE001 to (?:use|be|return|accept|take|hold) [^.;]{1,60}(?:instead of|rather than)\b`,
    { notInBug: true },
  ),
  major(
    'only',
    String.raw`\b(?:is|are) now only (?:supported|available|allowed|accepted|exposed|exported|accessible|usable)\b`,
    { notInBug: true, notInFeature: true },
  ),
  major(
    'instead of|rather than',
    String.raw`\b(?:is|are) now (?:an? )?(?:strings?|numbers?|booleans?|arrays?|objects?|functions?|promises?|maps?|sets?|buffers?|class(?:es)?) (?:instead of|rather than)\b`,
    { notInBug: true, notInFeature: true },
  ),
  major('hard error', String.raw`\b(?:introduc\w{1,4}|now) (?:an? )?hard error\b`, { notInBug: true }),
  major('return type', String.raw`\bchange[sd]? (?:the )?return type\b`, { notInBug: true }),
  major(
    'now',
    String.raw`\b(?:is|are) now (?:all )?(?:nullable|static|private|immutable|read-?only|named exports?)\b`,
    { notInBug: true, notInFeature: true },
  ),
];
