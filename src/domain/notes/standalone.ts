// Texts of entries that have to be understood without the section around them: a list of fixes names what was wrong, a
// list of removals what is gone.
import { unmark } from '../clean-text.ts';
import { verbClass } from './classify.ts';
import { tidyInline, withoutClosingPeriod } from './clean-item.ts';
import type { NoteBody, NoteItem } from './types.ts';

export type StandaloneLead = 'Removed' | 'Deprecated' | 'Fixed';

const TELLS_REMOVAL =
  /\b(?:remov\w*|drop(?:s|ped|ping)?|delet\w*|no longer|gone|discontinu\w*|eliminat\w*|retir\w*|unsupported|ends? of life|not? more|without|shut\w* down|disabl\w*|replac\w*|moved)\b/i;
const TELLS_DEPRECATION = /\bdeprecat|\bwill be removed|\bobsolete|\blegacy\b|\bin favou?r of\b/i;
// A statement of what was wrong: "the menu hangs when …", "the parser does not read …". "Crash on start" states nothing.
const FAULT =
  /\b(?:crash(?:es|ed)|hangs|hung|fail(?:s|ed)|freezes|froze|leaks|leaked|panic(?:s|ked)|broke|breaks|throws|threw|loses|lost|causes|caused|(?:does|do|did|could|would|is|are|was|were|has|have)(?: not|n't)|cannot|can't|never|no longer|(?:is|are|was|were|gets?|got) (?:broken|missing|ignored|wrong|incorrect|lost|unable|stuck|duplicated|being))\b/i;
// What the repaired program does, or what was done to it.
const TELLS_FIX =
  /\b(?:fix(?:e[sd]|ing)?|now|will|properly|correctly|should|instead of|resolve[sd]?|no longer (?:crash|fail|throw|break|hang|leak|ignor|caus|show|los)\w{0,3})\b|^(?:[^\s:]{1,40}: )?(?:do not|don't|never|ensure|make|use|return|throw|raise|check|stop|remove|drop|set|skip|ignore|keep|pass|treat|show|hide|log|report|emit|catch|wait|close|restore|revert|validate|escape|include|exclude|work|work around|honou?r|respect|preserve|only|always|display|call|clear|convert|parse|read|write|send|reset|retry|detect|accept|reject|require|disable|turn|replace|move|rename|upgrade|bump|clarify|document|better|more|less|be|add|allow)\b/i;
// Words that have a capital only because they begin the entry.
const OPENING =
  /^(?:The|A|An|All|Some|Support|Old|Legacy|Unused|Option|Options|Method|Methods|Class|Function|Both|Our|Its|Any)\b/;

const MAX_NAME_WORDS = 3;
const MAX_NAME_LENGTH = 40;

// What only the section of an entry says of its text; null where the text says it itself.
export function standaloneLead(item: NoteItem, text = item.text): StandaloneLead | null {
  if ((item.class === 'removed' || item.section?.class === 'removed') && !TELLS_REMOVAL.test(text)) return 'Removed';
  if (item.class === 'deprecated' && !TELLS_DEPRECATION.test(text)) return 'Deprecated';
  return item.class === 'bugs' && tellsFault(text) ? 'Fixed' : null;
}

function tellsFault(text: string): boolean {
  return FAULT.test(text) && verbClass(text) === null && !TELLS_FIX.test(text);
}

// The text of an entry that is shown without its section: "Removed", "Deprecated" or "Fixed" is added where only the
// heading said so, and a component is followed by its first change.
export function standaloneText(item: NoteItem, body: NoteBody): string {
  const text = withDetail(item, body);
  const lead = standaloneLead(item, text);
  if (lead === null) return text;
  return lead === 'Fixed' ? `Fixed: ${text}` : withVerb(lead, text);
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
  return listed && own === null && text.length <= MAX_NAME_LENGTH && text.split(' ').length <= MAX_NAME_WORDS;
}
