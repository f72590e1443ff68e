// Texts of entries that have to be understood without the section around them.
import { tidyInline, withoutClosingPeriod } from './clean-item.ts';
import { unmark } from './code-marks.ts';
import type { NoteBody, NoteItem } from './types.ts';

const TELLS_REMOVAL =
  /\b(?:remov\w*|drop(?:s|ped|ping)?|delet\w*|no longer|gone|discontinu\w*|eliminat\w*|retir\w*|unsupported|ends? of life|not? more|without|shut\w* down|disabl\w*|replac\w*|moved)\b/i;
const TELLS_DEPRECATION = /\bdeprecat|\bwill be removed|\bobsolete|\blegacy\b|\bin favou?r of\b/i;
// Words that have a capital only because they begin the entry.
const OPENING =
  /^(?:The|A|An|All|Some|Support|Old|Legacy|Unused|Option|Options|Method|Methods|Class|Function|Both|Our|Its|Any)\b/;

const MOST_NAME_WORDS = 3;
const LONGEST_NAME = 40;

// The text of an entry that is shown without its section: "Removed" or "Deprecated" is added where only the heading said
// so, and a component is followed by its first change.
export function standaloneText(item: NoteItem, body: NoteBody): string {
  const text = withDetail(item, body);
  const sectionClass = item.section?.class;
  if ((item.class === 'removed' || sectionClass === 'removed') && !TELLS_REMOVAL.test(text))
    return withVerb('Removed', text);
  if (item.class === 'deprecated' && !TELLS_DEPRECATION.test(text)) return withVerb('Deprecated', text);
  return text;
}

function withVerb(word: string, text: string): string {
  const rest = OPENING.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
  return `${word} ${rest}`;
}

// The bare name of a component ("Modules" above "Fix a bug …") is not informative by itself.
function withDetail(item: NoteItem, body: NoteBody): string {
  if (!isBareName(item)) return item.text;
  const detail = body.asides.find(({ parent }) => parent === item);
  if (!detail) return item.text;
  const detailText = unmark(tidyInline(body.content.slice(detail.start, detail.end))).trim();
  return detailText ? `${item.text.replace(/:$/, '')}: ${withoutClosingPeriod(detailText)}` : item.text;
}

function isBareName({ text, listed, own }: NoteItem): boolean {
  return listed && own === null && text.length <= LONGEST_NAME && text.split(' ').length <= MOST_NAME_WORDS;
}
