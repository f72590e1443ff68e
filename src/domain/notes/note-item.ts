// Makes an item of the text of an entry: its cleaned text, its class and its label.
import type { TextRange } from '../markdown/offsets.ts';
import { readMarker, verbClass } from './classify.ts';
import { tidyInline, withoutClosingPeriod } from './clean-item.ts';
import { codeSpansOf, unmark } from './code-marks.ts';
import type { Lines, NoteItem, NoteSection } from './types.ts';

// The text of an entry as readers see it, from the text as published.
export function cleanItem(raw: string): string {
  const marked = tidyInline(raw);
  return visibleText(marked.slice(readMarker(marked).length));
}

function visibleText(marked: string): string {
  return withoutClosingPeriod(unmark(marked).trim());
}

type ItemInput = {
  range: TextRange;
  lines: Lines;
  section: NoteSection | null;
  listed: boolean;
};

// Null when nothing is left of the text.
export function createItem(content: string, { range, lines, section, listed }: ItemInput): NoteItem | null {
  const raw = content.slice(range.start, range.end);
  const tidy = tidyInline(raw);
  const marker = readMarker(tidy, raw);
  const marked = tidy.slice(marker.length).trim();
  const text = visibleText(marked);
  if (!text) return null;
  const boilerplate = isBoilerplate(text) || isReleaseLine(text) || isThanks(raw, text);
  const verb = verbClass(marked);
  const sectionClass = section?.class ?? null;
  // "Bug fixes and improvements" does not become a feature because its section is called "What's new".
  const inherited = boilerplate && sectionClass === 'features' ? null : sectionClass;
  return {
    start: range.start,
    end: range.end,
    lineStart: lines.lineStart,
    lineEnd: lines.lineEnd,
    text,
    marked,
    codeSpans: codeSpansOf(marked),
    class: marker.class ?? inherited ?? verb,
    own: marker.own ?? verb,
    label: marker.label,
    section,
    listed,
    boilerplate,
  };
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
const GRATITUDE =
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
function isReleaseLine(text: string): boolean {
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
  if (GRATITUDE.test(sentence) || CAPTION.test(sentence) || GENERATOR.test(sentence) || TIMESTAMP.test(sentence))
    return true;
  if (EXCITEMENT.test(sentence.slice(0, 120)) || sentence.endsWith(':')) return true;
  if (DATE_LINE.test(sentence) && /\b(?:19|20)\d\d\b/.test(sentence)) return true;
  return hasLink && (LINK_LINE.test(sentence) || (sentence.match(/[a-z]{3,}/gi)?.length ?? 0) < 4);
}
