// Credits in entries (users, names and thanks), which are removed because they are not about the change.

const USER = String.raw`@[a-z\d][a-z\d-]{0,38}(?:\[bot\])?(?![\w/]|\.\w)`;
const USERS = `${USER}(?:(?:, and |, | and | & | )${USER}){0,20}`;
const WORK = String.raw`(?:that|this|it|(?:(?:the|this|his|her|their|your) )?(?:initial |original |[a-z]{2,12}ed )?(?:pr|pull request|fix|patch|help|work|idea|suggestion|tip|bug ?report|report|contribution|[a-z]{3,12}ing)\b[^.!()]{0,60})`;
const CREDIT = new RegExp(
  String.raw`(?:[\s,;–—-]{0,4}(?<![\w-])(?:by|thanks,?(?: to)?|thank you,?(?: to)?|via|(?:contributed|submitted|implemented|authored|co-authored|reported) by|courtesy of|h/t|cc|kudos to|props to|credits? to|from) )${USERS}(?: for ${WORK})?[!.]?(?: [-–—:](?= ))?`,
  'gi',
);
const BRACKETED_USERS = new RegExp(String.raw`[([][\s,;]{0,3}${USERS}(?: in| via)? ?[)\]]`, 'gi');
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
const CLOSING_AUTHOR = / \( ?by [^()]{2,60}\)\.?$/i;
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
  if (!/[)\]]\.?$/.test(clean.slice(-2))) return clean;
  clean = clean.replace(CLOSING_AUTHOR, '').replace(LINK_WORD, '');
  const name = CLOSING_NAME.exec(clean);
  return name && !PRODUCT_WORD.test(name[1] ?? '') ? clean.slice(0, name.index).trimEnd() : clean;
}
