// What stands in entries and is not about a change: credits, which are removed from them, and texts that hold nothing else.

// Users, names and thanks.

const USER = String.raw`@[a-z\d][a-z\d-]{0,38}(?:\[bot\])?(?![\w/]|\.\w)`;
const USERS = `${USER}(?:(?:, and |, | and | & | )${USER}){0,20}`;
const WORK = String.raw`(?:that|this|it|(?:(?:the|this|his|her|their|your) )?(?:initial |original |[a-z]{2,12}ed )?(?:pr|pull request|fix|patch|catch|find|review|help|work|idea|suggestion|tip|bug ?report|report|contribution|[a-z]{3,12}ing)\b[^.!()]{0,60})`;
const CREDIT = new RegExp(
  String.raw`(?:[\s,;–—-]{0,4}(?<![\w-])(?:by|thanks,?(?: to)?|thank you,?(?: to)?|via|(?:contributed|submitted|implemented|authored|co-authored|reported) by|courtesy of|h/t|cc|kudos to|props to|credits? to|from) )${USERS}(?: for ${WORK})?[!.]?(?: [-–—:](?= ))?`,
  'gi',
);
const BRACKETED_USERS = new RegExp(
  String.raw`[([][\s,;]{0,3}${USERS}(?: in| via)?(?: ?[-–—,] ?(?:thx|thanks|thank you|ty)!?)? ?(?:[)\]]|$)`,
  'gi',
);
const TRAILING_USERS = new RegExp(String.raw` [-–—] ?${USERS}\.?$`, 'i');
// At-rules, tags and decorators that are written like user names.
const AT_WORDS = `
  media import supports layer container font-face keyframes apply use forward include extend param return returns
  type typedef deprecated public private protected internal since throws see example default override latest next
  beta alpha here types property prop class module link abstract readonly interface font each else elseif if for
  while mixin function warn error debug charset page namespace at-root content tailwind screen variants component
  counter-style custom-media custom-selector starting-style scope theme utility plugin nest root yields fires
  event async await author license version todo template memberof implements augments callback constant enum file
  fileoverview ignore inheritdoc kind lends listens mixes name static summary this tutorial variation jsx
  jsxImportSource ts-ignore ts-expect-error ts-nocheck ts-check flow injectable input output directive pipe
  ngmodule inject observable computed action tracked attr model key index first last data partial-block`;
const NO_USER = new RegExp(`@(?:${AT_WORDS.trim().split(/\s+/).join('|')})(?![\\w-])`, 'i');
const CLOSING_USERS = new RegExp(String.raw` ${USERS}\.?(?=$| [A-Z][a-z]+ )`, 'i');
const LEADING_USER = new RegExp(String.raw`^${USER}(?: \([^()]{2,40}\))?:? (?=[a-z]{3})`, 'i');
const NEEDS_MORE =
  /\b(?:the|an?|of|for|to|on|at|with|and|or|use|using|supports?|adds?|added|new|via|in|into|from|like|as|is|are|see|(?<=^|: )(?:implement|fixe?|remove|handle|allow|parse|ignore|document|rename|update|improve|deprecate|drop)(?:s|e?d)?)$/i;

export function withoutUsers(text: string): string {
  const clean = text
    .replace(CREDIT, '')
    .replace(BRACKETED_USERS, '')
    .replace(TRAILING_USERS, '')
    .replace(LEADING_USER, (user) => (NO_USER.test(user) ? user : ''));
  const closing = CLOSING_USERS.exec(clean);
  if (!closing || NO_USER.test(closing[0]) || NEEDS_MORE.test(clean.slice(0, closing.index))) return clean;
  return clean.slice(0, closing.index) + clean.slice(closing.index + closing[0].length);
}

// A link to a profile on a code host or social network: the label is a name, the path only the account.
const PROFILE =
  /\[(?!@)([^\][`*_]{1,40})\]\(https?:\/\/(?:www\.)?(?:github|gitlab|twitter|x|bitbucket)\.(?:com|org)\/@?([a-z\d][\w-]{0,38})\/?\)/gi;
const MAX_NAME_WORDS = 4;
const NOBODY: ReadonlyMap<string, string> = new Map();
const AUTHOR_ADDRESS = / \([^(]{0,60}<{1,2}[^<>\s]{3,80}@[^<>\s]{3,80}>{1,2}\)/g;
// The author at the end of an entry: "[Jane Doe][]".
const CLOSING_LINK = /(?<=\w[)\]`"'.]?) {1,2}\[(?!`|#)[^\][]{2,40}\]\[[^\][]{0,40}\]\s{0,3}$/;

// Replaces links to people by their user names, and returns the names to restore where they turn out to be no credit.
export function markPeople(raw: string): { text: string; names: ReadonlyMap<string, string> } {
  let text = raw.includes('@') && raw.includes('<') ? raw.replace(AUTHOR_ADDRESS, '') : raw;
  if (text.includes('][')) text = text.replace(CLOSING_LINK, '');
  if (!text.includes('](http')) return { text, names: NOBODY };
  const names = new Map<string, string>();
  text = text.replace(PROFILE, (link: string, label: string, account: string) => {
    if (label.split(' ').length > MAX_NAME_WORDS) return link;
    const user = `@${account.replaceAll('_', '-')}`;
    names.set(user, label);
    return user;
  });
  return { text, names };
}

// The author behind a number: "Fix caret (#12) Jane Doe".
const BEHIND_NUMBER =
  /(\(#\d{1,7}\))[\s,–—-]{1,3}(?:\p{Lu}[\p{L}\p{N}'’.-]{0,30}(?: \p{Lu}[\p{L}\p{N}'’.-]{0,30}){1,3}|[\p{L}\p{N}][\p{L}\p{N}_-]{2,38})$/u;

export function withoutNameBehindNumber(text: string): string {
  return text.includes('(#') && !text.endsWith(')') ? text.replace(BEHIND_NUMBER, '$1') : text;
}

export function restorePeople(text: string, names: ReadonlyMap<string, string>): string {
  if (names.size === 0 || !text.includes('@')) return text;
  return text.replace(new RegExp(USER, 'gi'), (user) => names.get(user) ?? user);
}

const NAME = String.raw`@?\p{Lu}[\p{L}\p{N}_'’-]{0,30}\.?`;
const FULL_NAME = `${NAME}(?: (?:van |von |de |der |da )?${NAME}){0,3}`;
const NAMES = `${FULL_NAME}(?:(?:, and |, | and | & )${FULL_NAME}){0,6}`;
const OFTEN = '(?:(?:[Mm]any|[Ss]pecial|[Bb]ig|[Hh]uge|[Ww]ith|[Aa]nd|[Aa]ll) ){0,2}';
const GRATITUDE = `${OFTEN}(?:[Tt]hanks|THANKS|[Tt]hank you|[Tt]hx|[Kk]udos|[Pp]rops|[Cc]redits?|[Hh]/[Tt]|[Ss]hout-?out)`;
// ", thanks Jane Doe", "(thanks to Jane)", "- kudos to Jane Doe for the patch".
const NAMED_THANKS = new RegExp(
  String.raw` [Tt]hanks,? @?[\w-]{2,39}(?: for [^.!()]{0,60})?[!.]{0,3}$|\s{0,2}(?:[,;–—-] ?${GRATITUDE},? (?:(?:go(?:es)? )?to (?=${NAME} ${NAME}))?|\(${GRATITUDE},? (?:(?:go(?:es)? )?to )?)${NAMES}(?: for [^.!()]{0,60})?[!.)]{0,3}$`,
  'u',
);
// A last sentence with thanks. "Thanks to the new cache, …" is about the release and stays.
const THANKING_SENTENCE = new RegExp(
  String.raw`(?:(?<=[.!?)]) | (?=[TK]))${GRATITUDE}\b(?! to (?:the|this|that|these|our|its|an?|new) (?!\w{0,12} ?(?:community|contributors?|team|people|folks|users))[^.!]{0,80},)[^.!?]{0,160}[.!?)]{0,3}$`,
  'u',
);
// "(by Jane)", "(Jane Doe)". Without parentheses a name cannot be told from a product.
const CLOSING_AUTHOR =
  / \( ?(?:(?:work|request|report|contribut|patch|fix|found|suggest|implement|written|thanks)\w{0,3} )?by:? [^()]{2,60}\)\.?$/i;
// "Add Haml 6 support. by Jane Doe"
const AUTHOR_SENTENCE = new RegExp(String.raw`(?<=[.!?)]) [Bb]y ${FULL_NAME}\.?$`, 'u');
const CLOSING_NAME =
  /(?<= )[([]\uE000?((?:\p{Lu}[\p{Ll}'’.-]{1,20}|\p{Lu}\.)(?: (?:\p{Lu}\.|\p{Lu}[\p{Ll}'’-]{1,20}|van|von|de|der|da)){0,2} \p{Lu}[\p{L}'’-]{1,24})\uE001?[)\]]\.?$/u;
const PRODUCT_WORD =
  /\b(?:Internet|Explorer|Visual|Studio|Code|Server|Windows|Android|Safari|Chrome|Firefox|Edge|Native|Script|Mode|Mac|Linux|Mobile|Desktop|Cloud|Web|App|Store|Angular|React|Node|Vue|Only|Beta|Alpha|Preview|Google|Microsoft|Apple|Amazon|Azure|Manager|Core|Breaking|Change|Changes|Bug|Fix|Feature|Experimental|Dark|Light|Right|Left|Optional|Required|Not|No|See|Pull|Request|Part|Level|Support|Component|Custom|Elements|Content|Security|Policy|Open|Source|Type|Types|Command|Line|Plugin|Editor|Service|Worker|The|For|Of|With)\b/;

// "(view)" and "(commit)" are what is left of links to commits.
const LINK_WORD = / \((?:view|commit|diff|details|link|pr|issue)\)\.?$/i;
// Parts of the words of thanks, tried first because a text without any of them is recognised in half the time.
const PARTS_OF_THANKS = /hank|hx|rop|udo|redit|\/[Tt]|hout/;
const THANKFUL = /[TtPpKk](?:hank|hx|rop|udo)|[Cc]redit|[Hh]\/[Tt]|hout/;

// The text without thanks and names at its end. User names have been removed from it before.
export function withoutNames(text: string): string {
  let clean = text;
  if (PARTS_OF_THANKS.test(clean) && THANKFUL.test(clean)) {
    clean = clean.replace(THANKING_SENTENCE, '').replace(NAMED_THANKS, '');
  }
  if (/[.!?)] by /i.test(clean)) clean = clean.replace(AUTHOR_SENTENCE, '');
  if (!/[)\]]\.?$/.test(clean.slice(-2))) return clean;
  clean = clean.replace(CLOSING_AUTHOR, '').replace(LINK_WORD, '');
  const name = CLOSING_NAME.exec(clean);
  return name && !PRODUCT_WORD.test(name[1] ?? '') ? clean.slice(0, name.index).trimEnd() : clean;
}

// Texts without information about a release: boilerplate, thanks, greetings, lines about the release itself.

// A text is boilerplate when all of its words are in these two lists and at least one is a core word.
const CORE = `fix fixes fixed bugfix bugfixes improvement improvements improved improves improve performance stability
  maintenance optimization optimizations optimisation optimisations tweaks polish`.split(/\s+/);
const FILLER =
  `a an and app bug bugs build changes cleanup code contains enhancement enhancements experience few for general
  have here hood housekeeping in includes including internal is it issues just keep made make makes making minor
  misc miscellaneous more new of on other our overall patch quality regular release reliability routine several
  small smoother some speed still the this to under ui update updates user usual various version we we've with
  your under-the-hood`.split(/\s+/);

const WORD = "[a-z0-9'’`#@-]";
const NO_WORD = "[^a-z0-9'’`#@-]";
const KNOWN = [...CORE, ...FILLER].join('|').replaceAll("'", "['’]");
const ONLY_KNOWN = new RegExp(`^${NO_WORD}*(?:(?:${KNOWN})(?!${WORD})${NO_WORD}*)+$`, 'i');
const ANY_CORE = new RegExp(`(?<!${WORD})(?:${[...CORE].join('|')})(?!${WORD})`, 'i');

export function isBoilerplate(text: string): boolean {
  return text.length <= 160 && ONLY_KNOWN.test(text) && ANY_CORE.test(text);
}

const GREETING = /^(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening|day)|welcome)\b/i;
const THANKS =
  /^(?:(?:a|many|big|huge|special|as always|again|our|and|finally|also),? ){0,4}(?:thanks?|thx|kudos|shout-?out|props)\b/i;
const EXCITEMENT =
  /\b(?:excited|thrilled|happy|pleased|proud|delighted|glad|stoked|overjoyed)\b[^.]{0,30}\b(?:to|that|about|announce|share|of)\b/i;
const LINK_LINE =
  /^(?:read|learn|see|check out|for (?:more|full|the full|details|a)|full details|more (?:info|details)|find|visit|view|docs|documentation|blog post|announcement|release notes|download|get it|upgrade|watch|follow us|join)\b/i;
const DATE_LINE = /^(?:released?|published|date|release date|posted)\b[\s:]{0,3}(?:on |at )?[\w ,./:-]{4,40}$/i;

// Lines about people, about a picture, or about the tool that wrote the notes.
const ABOUT_PEOPLE =
  /\b(?:gratitude|contributors? (?:who|that|for)|thank(?:s| you) to|big thanks|made this release possible|our sponsors)\b/i;
const CAPTION =
  /\b(?:above|below|following|this) (?:gif|image|picture|screenshot|screencast|video|animation|figure)\b|^(?:gif|screenshot|image|demo|figure)\b.{0,40}$/i;
const GENERATOR =
  /\b(?:auto(?:matically)?[- ]?generated|generated (?:by|with|using|from)|this (?:file|changelog|change log) (?:is|was|has been))\b/i;
const TIMESTAMP =
  /^[a-z]{3,9}\.? \d{1,2},? \d{4}\.?$|^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? \d{1,2} [a-z]{3,9} \d{4}(?: \d\d:\d\d(?::\d\d)?)?(?: [a-z+0-9:]{1,6})?\.?$/i;

// "Version 1.0", "[dist] Version bump. 0.1.12", "Merge pull request from x/y": lines of a log that hold no change.
const RELEASE_LINE =
  /^(?:\[[\w ]{1,20}\] )?(?:(?:chore|release|build|dist)(?:\([\w-]{1,20}\))?: )?(?:(?:prepar(?:e[sd]?|ing)|cut(?:ting)?|tag(?:ged|ging)?|mak(?:e|ing)|publish(?:e[sd]|ing)?|releas(?:e[sd]?|ing)|bump(?:s|ed|ing)?|updat(?:e[sd]?|ing)|set|new|start|begin|initial|merged?|the|for|of|to|in|on|and|version|package(?:\.json)?|npm|changelog(?:\.md)?|change log|history(?:\.md)?|readme|number|pull request|pr|branch|dist|files?|v?\d+(?:\.\d+){0,3}(?:[-+][\w.]{1,30})?|v?\d+\.x)(?:[\s.,;:]{1,3}|$)){1,12}$/i;
const MERGE_LINE =
  /^["'“]?merged?(?: (?:pull request|pr|branch|remote-tracking branch|tag|commit))?(?: ['"]?[\w./-]{1,60}['"]?)?(?: (?:from|into|of) ['"]?[\w./:-]{1,100}['"”]?){1,3}$/i;
const LONE_WORD = /^(?:see|revert|wip|misc|releases?|released|release notes|version|changes?|typos?)\.?$/i;
const LINK_LABEL = /^[\w ]{2,40}: https?:\/\/\S{4,300}$/i;
const NAMES_RELEASE = /\b(?:version|releas|bump|publish|tag|chang|merge|v?\d+\.\d)/i;

// Whether a line is about the release itself and about no change in it.
export function isReleaseLine(text: string): boolean {
  if (text.length > 120 || /^initial (?:version|release)/i.test(text)) return false;
  if (LONE_WORD.test(text) || (text.includes('://') && LINK_LABEL.test(text))) return true;
  return (RELEASE_LINE.test(text) && NAMES_RELEASE.test(text)) || MERGE_LINE.test(text);
}

// Whether a text is nothing but thanks. Cleaning removes the name, so that of "Thanks @kim for finding it" only "for
// finding it" may be left.
export function isThanks(raw: string, cleaned: string): boolean {
  if (THANKS.test(cleaned)) return true;
  return /^(?:for|to|who|and|from|of|,)(?![\w-])/i.test(cleaned) && THANKS.test(raw.replace(/^[^\p{L}]{1,20}/u, ''));
}

export function isTimestamp(text: string): boolean {
  return TIMESTAMP.test(text);
}

// Whether a sentence of an introduction is uninformative: a greeting, thanks, excitement or a pointer to elsewhere.
export function isEmptyTalk(sentence: string, hasLink: boolean): boolean {
  if (GREETING.test(sentence) || THANKS.test(sentence) || isBoilerplate(sentence)) return true;
  if (ABOUT_PEOPLE.test(sentence) || CAPTION.test(sentence) || GENERATOR.test(sentence) || TIMESTAMP.test(sentence))
    return true;
  if (EXCITEMENT.test(sentence.slice(0, 120)) || sentence.endsWith(':')) return true;
  if (DATE_LINE.test(sentence) && /\b(?:19|20)\d\d\b/.test(sentence)) return true;
  return hasLink && (LINK_LINE.test(sentence) || (sentence.match(/[a-z]{3,}/gi)?.length ?? 0) < 4);
}
