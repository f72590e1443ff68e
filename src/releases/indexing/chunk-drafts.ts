import { createHash } from 'node:crypto';
import { type Chunk, changelogChunks, isBlankChunk } from '../../domain/changelog/chunks.ts';
import { changelogSections } from '../../domain/changelog/entries.ts';
import { headingIndex, type IndexedHeading } from '../../domain/changelog/headings.ts';
import type { ChangelogEntry } from '../../domain/changelog/types.ts';
import { firstAtOrAfter } from '../../domain/markdown/offsets.ts';
import type { Computation } from '../../threads/results.ts';
import { threadTask } from '../../threads/task.ts';

export interface ChunkDraft extends Chunk {
  // The offset at which a slice of the file can begin: that of the chunk, or of the heading of its section.
  startsAt: number;
  offsetBytes: number;
  lengthBytes: number;
  version: string | null;
  date: string | null;
  textHash: string;
  // True when the chunk holds no word besides headings.
  blank: boolean;
}

// The chunks of a file, in order. `names` are the names that its headings may give the product.
export function chunkDrafts(text: string, { names, now }: { names: readonly string[]; now: Date }): ChunkDraft[] {
  const headings = headingIndex(text);
  const entries = changelogSections(text, { names, now });
  const offsets = headings.map(({ offset }) => offset);
  let bytes = 0;
  const begins = new Set(entries.map(({ offset }) => offset));
  return changelogChunks(text, headings, begins).map((chunk) => {
    const entry = entryOf(entries, chunk);
    const offsetBytes = bytes;
    const content = text.slice(chunk.offset, chunk.offset + chunk.length);
    const lengthBytes = Buffer.byteLength(content);
    bytes += lengthBytes;
    return {
      ...chunk,
      offsetBytes,
      lengthBytes,
      startsAt: exactStart(headings, offsets, chunk.offset),
      version: entry?.version ?? null,
      date: entry?.date?.at ?? null,
      textHash: hashOf(chunk, text),
      blank: isBlankChunk(content),
    };
  });
}

interface ChunkedText {
  text: string;
  names: readonly string[];
  now: Date;
}

export function cutChunks({ text, ...options }: ChunkedText): ChunkDraft[] {
  return chunkDrafts(text, options);
}

const CUTTING = threadTask(import.meta.url, cutChunks);

// `chunkDrafts` as a computation for a thread; the day is enough to recognize dates in the future.
export function chunkCutting(input: ChunkedText): Computation<ChunkedText, ChunkDraft[]> {
  const { text, names } = input;
  return { task: CUTTING, input, size: text.length, key: { text, names } };
}

// A slice begins at 0, at a heading, or anywhere behind the last one.
function exactStart(headings: readonly IndexedHeading[], offsets: readonly number[], offset: number): number {
  const next = firstAtOrAfter(offsets, offset);
  if (next === offsets.length || offsets[next] === offset) return offset;
  return headings[next - 1]?.offset ?? 0;
}

// The entry in which a chunk begins; the first entry for a chunk that begins above it.
function entryOf(entries: readonly ChangelogEntry[], { offset, length }: Chunk): ChangelogEntry | undefined {
  const within = entries.findLast((entry) => entry.offset <= offset);
  if (within) return within;
  const [first] = entries;
  return first && first.offset < offset + length ? first : undefined;
}

// The hash includes the heading, which is searched too and is missing in the later parts of a long section.
function hashOf({ offset, length, heading }: Chunk, text: string): string {
  const hash = createHash('sha256');
  return hash.update(`${heading ?? ''}\n${text.slice(offset, offset + length)}`).digest('base64url');
}
