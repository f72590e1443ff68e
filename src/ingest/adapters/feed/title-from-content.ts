import { renderInline } from '../../../domain/changelog/heading-text.ts';
import { oneLine } from '../../../domain/html/text.ts';
import { cutAtWord } from '../../../domain/notes/cut.ts';
import { plainText } from '../../../domain/notes/index.ts';
import { sentenceSpans } from '../../../domain/notes/sentences.ts';

const HEADING = /^ {0,3}#{1,6}[ \t]+(?<text>\S.{0,500})$/m;
const MAX_SENTENCE = 80;
const ENOUGH = 500;

/** What an entry without a title is called: its first heading, else its first sentence. */
export function titleFromContent(markdown: string): string | null {
  const heading = HEADING.exec(markdown.slice(0, 20_000))?.groups?.text;
  const name = heading === undefined ? '' : oneLine(renderInline(heading.replace(/\s#+\s*$/, '')));
  if (name !== '') return name;
  const text = plainText(markdown, ENOUGH);
  const [first] = sentenceSpans(text, 0, text.length);
  return first ? cutAtWord(text.slice(first.start, first.end), MAX_SENTENCE) || null : null;
}
