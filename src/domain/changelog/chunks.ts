// Chunks for search: small sections are joined and large ones split, so that each fits the embedding model. Each chunk
// begins where the one before it ends.
import { isDefinitionLine } from '../markdown/definitions.ts';
import { hiddenBlocks } from '../markdown/hidden-blocks.ts';
import { isHeadingLine, underlineLevel } from '../markdown/line-syntax.ts';
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
// Where code and comments begin and end.
type HiddenOffsets = { starts: readonly number[]; ends: readonly number[] };

// The chunks of a changelog file, in order. A section that begins at one of `entries`, the offsets of versions, is not joined
// with the version before it, so that what is found in a chunk is of its version.
export function changelogChunks(
  text: string,
  headings: readonly IndexedHeading[] = headingIndex(text),
  entries: ReadonlySet<number> = new Set(),
): Chunk[] {
  const blocks = hiddenBlocks(text);
  const hidden = { starts: blocks.map(({ start }) => start), ends: blocks.map(({ end }) => end) };
  const parts: ChunkSection[] = [];
  let joined: ChunkSection | undefined;
  // Whether a version has begun in what is joined.
  let hasVersion = false;
  for (const section of sectionsOf(text, headings)) {
    const isNext = entries.has(section.start) && hasVersion;
    if (joined && !isNext && section.end - joined.start <= TARGET_CHARS) {
      joined.end = section.end;
      hasVersion ||= entries.has(section.start);
      continue;
    }
    if (joined) parts.push(joined);
    joined = undefined;
    hasVersion = entries.has(section.start);
    if (section.end - section.start <= WHOLE_CHARS) joined = section;
    else for (const part of splitSection(text, section, hidden)) parts.push(part);
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

function splitSection(text: string, { start, end, heading }: ChunkSection, hidden: HiddenOffsets): ChunkSection[] {
  const { blocks, lines } = boundariesOf(text, { start, end }, hidden);
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

// Offsets in (start, end] at which blocks and lines end. A blank line in code or a comment ends no block.
function boundariesOf(text: string, { start, end }: TextRange, hidden: HiddenOffsets) {
  const blocks: number[] = [];
  const lines: number[] = [];
  let afterBlank = false;
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 || newline >= end ? end : newline + 1;
    const block = firstAtOrAfter(hidden.ends, at + 1);
    const opened = hidden.starts[block] ?? end;
    const blank = text.charCodeAt(at) <= SPACE && text.slice(at, next).trim() === '';
    const blockEnds = afterBlank || opened === at || hidden.ends[block - 1] === at;
    if (at > start && blockEnds && !blank && opened >= at) blocks.push(at);
    if (at > start) lines.push(at);
    afterBlank = blank;
    at = next;
  }
  blocks.push(end);
  lines.push(end);
  return { blocks, lines };
}

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TAG = /<\/?[a-z][^<>\n]{0,300}>/gi;
const WORD = /[\p{L}\p{N}]/u;

// Whether a chunk holds nothing but headings, anchors and link reference definitions.
export function isBlankChunk(text: string): boolean {
  const lines = text
    .replace(COMMENT, ' ')
    .replace(TAG, ' ')
    .split(/\r\n?|\n/);
  return !lines.some((line, at) => {
    if (!WORD.test(line) || isHeadingLine(line) || isDefinitionLine(line)) return false;
    return underlineLevel(lines[at + 1] ?? '') === 0;
  });
}
