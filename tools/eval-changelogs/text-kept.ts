// The share of the text below version headings that is in releases, by the letters of the lines.
import type { WrittenFile, WrittenHeading } from './written-headings.ts';

interface TextShare {
  chars: number;
  kept: number;
  // Version headings, and those with a text of which a part is missing in the registry.
  bodies: number;
  cut: number;
  lost: string[];
}

const UNRELEASED = /\b(?:unreleased|not yet released|upcoming|next|tbd|wip|head|main|master)\b/i;
// Keys of a changelog in YAML.
const KEY = /^\s*(?:date|changes):(?:\s*[\d-]+)?\s*$/;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s*\S/;

// The letters and digits of a line without its markup.
function lettersOf(line: string): string {
  return line
    .replace(/<!--.*?(?:-->|$)/g, ' ')
    .replace(/\]\((?:[^()]|\([^()]*\))*\)/g, ']')
    .replace(/\]\[[^\]]*\]/g, ']')
    .replace(/<\/?[a-z][^>]*>/gi, ' ')
    .replace(/&[a-z#\d]+;/gi, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

// `heads` are the headings that announce a version; `contents` are the texts of the registry.
export function textShare(
  file: WrittenFile,
  heads: readonly WrittenHeading[],
  contents: readonly string[],
  isVersionHeading: (heading: WrittenHeading) => boolean,
): TextShare {
  const share: TextShare = { chars: 0, kept: 0, bodies: 0, cut: 0, lost: [] };
  const held = new Map<string, number>();
  for (const line of contents.flatMap((content) => content.split('\n'))) {
    const letters = lettersOf(line);
    if (letters !== '') held.set(letters, (held.get(letters) ?? 0) + 1);
  }
  const seen = new Set<string>();
  for (const [index, head] of heads.entries()) {
    const end = heads[index + 1]?.line ?? endOfLast(file, head);
    const lines = [...bodyLines(file, head.next, end, isVersionHeading)];
    // A text that is repeated under the same version counts once.
    const whole = `${head.text.match(/\d+\.\d[\w.-]*/)?.[0]} ${lines.map(lettersOf).join(' ')}`;
    if (seen.has(whole)) continue;
    seen.add(whole);
    let lost = 0;
    let chars = 0;
    for (const line of lines) {
      const letters = lettersOf(line);
      if (letters === '') continue;
      chars += letters.length;
      const count = held.get(letters) ?? 0;
      if (count > 0) held.set(letters, count - 1);
      else {
        lost += letters.length;
        if (share.lost.length < 40) share.lost.push(`${head.text.trim()} › ${line.trim().slice(0, 100)}`);
      }
    }
    share.chars += chars;
    share.kept += chars - lost;
    if (chars > 0) share.bodies++;
    if (lost > 0.02 * chars + 20) share.cut++;
  }
  return share;
}

// After the last version the file may continue with something else.
function endOfLast({ lines, headings }: WrittenFile, last: WrittenHeading): number {
  const level = last.level > 4 ? 2 : last.level;
  return headings.find((heading) => heading.line > last.line && heading.level <= level)?.line ?? lines.length;
}

// Leaves out unreleased changes, headings of unpublished versions, comments, link definitions and bare keys.
function* bodyLines(
  { lines, headings }: WrittenFile,
  first: number,
  end: number,
  isVersionHeading: (heading: WrittenHeading) => boolean,
): Generator<string> {
  const dividers = new Map(headings.map((heading) => [heading.line, heading]));
  let isSkipped = false;
  let inComment = false;
  for (let at = first; at < end; at++) {
    const line = lines[at] ?? '';
    const heading = dividers.get(at);
    if (heading) isSkipped = UNRELEASED.test(heading.text) && heading.text.length < 40;
    const isHead = heading !== undefined && isVersionHeading(heading);
    const closes = line.includes('-->');
    const opens = line.lastIndexOf('<!--') > line.lastIndexOf('-->');
    const wasComment = inComment;
    inComment = opens || (inComment && !closes);
    if (!isSkipped && !wasComment && !isHead && !DEFINITION.test(line) && !KEY.test(line)) yield line;
  }
}
