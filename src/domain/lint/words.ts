// Entries of a section as words, so that another bullet, link or line break is no other entry.

export interface EntryWords {
  // As written, from its first line.
  text: string;
  words: readonly string[];
  // What the entry is about: stems, without numbers of issues, names of people and the small words.
  stems: ReadonlySet<string>;
}

const MAX_ENTRIES = 2000;
const MAX_ENTRY_LENGTH = 4000;
const BULLET = /^\s*(?:[-*+\u2022]|\d{1,3}[.)])(?:\s+|$)/;
const HEADING = /^\s{0,3}#{1,6}(?:\s|$)/;
const RULE = /^\s*(?:[-=*_~^]\s*){3,}$/;
const DEFINITION = /^\s{0,3}\[[^\]]{1,200}\]:\s*\S+/;
// Below such a heading stand people.
const PEOPLE = /^\s{0,3}#{1,6}[^\n]{0,60}\b(?:contribut|committers?|thanks|credits|sponsors|authors)/i;
const FENCE = /^\s*(?:```|~~~)/;

// A list item or a paragraph is an entry; headings, rules and definitions of links are none.
export function entriesOfBody(body: string): EntryWords[] {
  const entries: string[][] = [];
  let open: string[] | null = null;
  let isCode = false;
  let isPeople = false;
  for (const line of body.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    if (!isCode && HEADING.test(line)) isPeople = PEOPLE.test(line);
    if (isPeople || FENCE.test(line)) open = isPeople ? null : open;
    else if (!isCode && (line.trim() === '' || HEADING.test(line) || RULE.test(line) || DEFINITION.test(line)))
      open = null;
    else if (open === null || (!isCode && BULLET.test(line))) {
      open = [line];
      entries.push(open);
    } else open.push(line);
  }
  return entries
    .slice(0, MAX_ENTRIES)
    .map((lines) => entryWords(lines.join('\n').slice(0, MAX_ENTRY_LENGTH)))
    .filter(({ stems }) => stems.size > 0);
}

function entryWords(text: string): EntryWords {
  const words = wordsIn(text);
  const stems = new Set(words.filter((word) => !SMALL.has(word)).map(stemOf));
  return { text: text.trim(), words, stems };
}

const NOISE: readonly [RegExp, string][] = [
  [/\*\*|__/g, ' '],
  [/<!--[\s\S]{0,2000}?-->/g, ' '],
  [/!\[[^\]]{0,200}\]\([^()\s]{0,500}\)/g, ' '],
  [
    /\[((?:[^[\]]|\[[^[\]]{0,100}\]){0,400})\]\([^()\s]{0,500}(?:\([^()]{0,100}\)[^()\s]{0,200})?(?:\s"[^"]{0,200}")?\)/g,
    '$1',
  ],
  [/\[([^[\]]{1,300})\]\[[^[\]]{0,200}\]/g, '$1'],
  [/<?https?:\/\/[^\s<>)]{1,500}>?/g, ' '],
  [/<\/?[a-z][^<>]{0,300}>/gi, ' '],
  [/(?:^|[\s([,])@[\w-]{1,60}(?:\/[\w.-]{1,100})?(?![\w/])/g, ' '],
  // Issues, pull requests and commits.
  [/(?:[\w.-]{1,60}\/[\w.-]{1,60})?#\d{1,7}\b|\bGH-?\d{1,7}\b/gi, ' '],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/g, ' '],
  [
    /\b(?:thanks?(?: you)?(?: to)?|by|via|credits?(?: to)?|closes|fixes|resolves|refs?|see|pr|issue)\b(?=[\s:]*(?:$|[)\].,;]))/gim,
    ' ',
  ],
  [/&(?:amp|lt|gt|quot|nbsp|#\d{1,5});/g, ' '],
];

function wordsIn(text: string): string[] {
  let plain = text;
  for (const [pattern, by] of NOISE) plain = plain.replace(pattern, by);
  plain = plain
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'");
  return plain.match(/[\p{L}\p{N}_$]+(?:['.][\p{L}\p{N}_$]+)*/gu) ?? [];
}

const SMALL = new Set(
  'a an the of to in on at for from by with and or is are was were be been it its this that as into now also when if then than which will can could should may might has have had do does did so we our you your via per only just all any some more most other issue pr pull request commit thanks thank closes fixes resolves see'.split(
    ' ',
  ),
);

export function stemOf(word: string): string {
  if (word.length <= 4 || /\d/.test(word)) return word;
  return word.replace(/(?:ization|isation|ations?|ingly|ings?|edly|ed|es|s|ly|e)$/, (end) =>
    word.length - end.length >= 3 ? '' : end,
  );
}
