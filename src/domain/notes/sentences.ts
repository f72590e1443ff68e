// Divides paragraphs into sentences.
import type { TextRange } from '../markdown/offsets.ts';

const ABBREVIATION = /(?:\b(?:e\.g|i\.e|vs|etc|cf|approx|no|nr|mr|mrs|dr|st|inc|ltd))\.$/i;
const WRAPPED_LINE = 60;
// Words that end no sentence, so that the next line goes on with it.
const OPEN_END = / (?:a|an|the|of|to|for|in|on|at|by|with|and|or|from|as|is|are|that|which|into|when|if|using|via) ?$/;

// The ranges of the sentences of a paragraph. No sentence ends inside a code span or brackets.
export function sentenceSpans(content: string, start: number, end: number): TextRange[] {
  const spans: TextRange[] = [];
  let from = start;
  let lineStart = start;
  let depth = 0;
  let inCode = false;
  const cut = (at: number, next: number) => {
    if (at > from) spans.push({ start: from, end: at });
    from = next;
  };
  for (let at = start; at < end; at += 1) {
    const code = content.charCodeAt(at);
    if (code === 96) inCode = !inCode;
    else if (code === 91 || code === 40) depth += 1;
    else if (code === 93 || code === 41) depth = Math.max(0, depth - 1);
    else if (code === 10) {
      const next = skipSpace(content, at, end);
      if (endsLine(content, lineStart, at, next)) {
        cut(trimmed(content, from, at), next);
        depth = 0;
        inCode = false;
      }
      lineStart = next;
      at = Math.max(at, next - 1);
    } else if ((code === 46 || code === 33 || code === 63) && depth === 0 && !inCode) {
      const stop = closers(content, at + 1, end);
      const next = skipSpace(content, stop, end);
      if (
        next > stop &&
        next < end &&
        startsSentence(content, next) &&
        !ABBREVIATION.test(content.slice(Math.max(from, at - 8), at + 1))
      ) {
        cut(stop, next);
        at = next - 1;
      }
    }
  }
  cut(trimmed(content, from, end), end);
  return spans;
}

// Whether a line end is the end of a sentence: lists without bullets have one statement on each line, whereas wrapped
// prose goes on in lower case or fills its lines.
function endsLine(content: string, lineStart: number, at: number, next: number): boolean {
  if (!startsSentence(content, next) || OPEN_END.test(content.slice(Math.max(lineStart, at - 12), at))) return false;
  return at - lineStart < WRAPPED_LINE || /[.!?:]/.test(content[at - 1] ?? '');
}

function startsSentence(content: string, at: number): boolean {
  return /[^\sa-z,;:)\]]/.test(content[at] ?? '');
}

function closers(content: string, at: number, end: number): number {
  let next = at;
  while (next < end && next - at < 8 && '*_"\'”’)]`.!?'.includes(content[next] ?? ' ')) next += 1;
  return next;
}

function skipSpace(content: string, at: number, end: number): number {
  let next = at;
  while (next < end && /\s/.test(content[next] ?? '')) next += 1;
  return next;
}

function trimmed(content: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(content[at - 1] ?? '')) at -= 1;
  return at;
}
