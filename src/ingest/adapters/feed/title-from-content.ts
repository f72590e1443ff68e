import { renderInline } from '../../../domain/changelog/heading-text.ts';
import { oneLine } from '../../../domain/html/text.ts';
import { headingsOf } from '../../../domain/markdown/headings.ts';
import { cutAtWord } from '../../../domain/notes/cut.ts';
import { plainText } from '../../../domain/notes/index.ts';
import { sentenceSpans } from '../../../domain/notes/sentences.ts';

const LONGEST_HEADING = 500;
const MAX_SENTENCE = 80;
const ENOUGH = 500;

// What an entry without a title is called: its first heading, else its first sentence.
export function titleFromContent(markdown: string): string | null {
  const heading = firstHeading(markdown.slice(0, 20_000));
  const name = heading === undefined ? '' : oneLine(renderInline(heading));
  if (name !== '') return name;
  const text = plainText(markdown, ENOUGH);
  const [first] = sentenceSpans(text, 0, text.length);
  return first ? cutAtWord(text.slice(first.start, first.end), MAX_SENTENCE) || null : null;
}

function firstHeading(markdown: string): string | undefined {
  for (const { text } of headingsOf(markdown)) if (text !== '') return text.slice(0, LONGEST_HEADING);
  return undefined;
}
