// Chunks for search: small sections are joined and large ones split, so that each fits the embedding model. Each chunk
// begins where the one before it ends.
import { fencedRanges } from '../markdown/fences.ts';
import { isHeadingLine } from '../markdown/headings.ts';
import { firstAtOrAfter, lastWithin, splitsPair, type TextRange } from '../markdown/offsets.ts';
import { estimateTokens } from '../tokens/index.ts';
import { headingIndex, type IndexedHeading } from './headings.ts';

// `tokens` is estimated; `heading` is the title of the section in which the chunk begins.
export type Chunk = { offset: number; length: number; tokens: number; heading: string | null };

const SPACE = 0x20;
const CHARS_PER_TOKEN = 4;
const TARGET_CHARS = 240 * CHARS_PER_TOKEN;
const WHOLE_CHARS = 256 * CHARS_PER_TOKEN;

type ChunkSection = TextRange & { heading: string | null };

// The chunks of a changelog file, in order.
export function changelogChunks(text: string, headings: readonly IndexedHeading[] = headingIndex(text)): Chunk[] {
  const fences = fencedRanges(text);
  const parts: ChunkSection[] = [];
  let joined: ChunkSection | undefined;
  for (const section of sectionsOf(text, headings)) {
    if (joined && section.end - joined.start <= TARGET_CHARS) {
      joined.end = section.end;
      continue;
    }
    if (joined) parts.push(joined);
    joined = undefined;
    if (section.end - section.start <= WHOLE_CHARS) joined = section;
    else for (const part of splitSection(text, section, fences)) parts.push(part);
  }
  if (joined) parts.push(joined);
  return parts.map(({ start, end, heading }) => {
    return { offset: start, length: end - start, tokens: estimateTokens(text.slice(start, end)), heading };
  });
}

function sectionsOf(text: string, headings: readonly IndexedHeading[]): ChunkSection[] {
  const sections = headings.map(({ offset, text: heading }, at) => {
    return { start: offset, end: headings[at + 1]?.offset ?? text.length, heading };
  });
  const preamble = { start: 0, end: headings[0]?.offset ?? text.length, heading: null };
  return preamble.end > 0 ? [preamble, ...sections] : sections;
}

function splitSection(
  text: string,
  { start, end, heading }: ChunkSection,
  fences: readonly TextRange[],
): ChunkSection[] {
  const { blocks, lines } = boundariesOf(text, { start, end }, fences);
  const parts: ChunkSection[] = [];
  let at = start;
  while (end - at > TARGET_CHARS) {
    const cut = cutAt(blocks, at) ?? cutAt(lines, at) ?? wordCut(text, at);
    parts.push({ start: at, end: cut, heading });
    at = cut;
  }
  return [...parts, { start: at, end, heading }];
}

// The last boundary in reach. Where the block behind it has to be divided anyway there is none, so that this part is
// filled up.
function cutAt(boundaries: readonly number[], at: number): number | undefined {
  const cut = lastWithin(boundaries, at, at + TARGET_CHARS);
  if (cut === undefined) return undefined;
  const next = boundaries[firstAtOrAfter(boundaries, cut + 1)];
  return next !== undefined && next - cut > TARGET_CHARS ? undefined : cut;
}

// Cuts a long line behind a space, unless that would leave the part half empty.
function wordCut(text: string, at: number): number {
  const most = at + TARGET_CHARS;
  const part = text.slice(at, most);
  const word = 1 + Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'));
  if (word > TARGET_CHARS / 2) return at + word;
  return splitsPair(text, most) ? most - 1 : most;
}

// Offsets in (start, end] at which blocks and lines end. A blank line in fenced code ends no block.
function boundariesOf(text: string, { start, end }: TextRange, fences: readonly TextRange[]) {
  const blocks: number[] = [];
  const lines: number[] = [];
  let fence = firstEndingAfter(fences, start);
  let afterBlank = false;
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 || newline >= end ? end : newline + 1;
    while (fence < fences.length && (fences[fence]?.end as number) <= at) fence += 1;
    const opened = fences[fence]?.start ?? end;
    const blank = text.charCodeAt(at) <= SPACE && text.slice(at, next).trim() === '';
    const blockEnds = afterBlank || opened === at || fences[fence - 1]?.end === at;
    if (at > start && blockEnds && !blank && opened >= at) blocks.push(at);
    if (at > start) lines.push(at);
    afterBlank = blank;
    at = next;
  }
  blocks.push(end);
  lines.push(end);
  return { blocks, lines };
}

function firstEndingAfter(fences: readonly TextRange[], at: number): number {
  let low = 0;
  let high = fences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fences[middle]?.end as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TAG = /<\/?[a-z][^<>\n]{0,300}>/gi;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const LINK_REFERENCE_DEFINITION = /^ {0,3}\[[^\]\n]{1,300}\]:[ \t]*\S.*$/;
const WORD = /[\p{L}\p{N}]/u;

// Whether a chunk holds nothing but headings, anchors and link reference definitions.
export function isBlankChunk(text: string): boolean {
  const lines = text
    .replace(COMMENT, ' ')
    .replace(TAG, ' ')
    .split(/\r\n?|\n/);
  return !lines.some((line, at) => {
    if (!WORD.test(line) || isHeadingLine(line) || LINK_REFERENCE_DEFINITION.test(line)) return false;
    return !UNDERLINE.test(lines[at + 1] ?? '');
  });
}
