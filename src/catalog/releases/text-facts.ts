// The expensive facts about the text of a release: its type, its tokens and the digest of its notes. For a long text a
// thread computes them.
import type { Context } from '../../context.ts';
import { type DigestInput, digestNotes, type NotesDigest, releaseType } from '../../domain/notes/index.ts';
import { textTokens } from '../../domain/tokens/index.ts';
import { MAX_INLINE_CHARS } from '../../threads/documents.ts';
import { type Computation, resultOf } from '../../threads/results.ts';
import { threadTask } from '../../threads/task.ts';

type Text = { title: string; content: string };
type ReleaseKind = 'feature' | 'rollup';

export function readKind({ title, content }: Text): ReleaseKind {
  return releaseType(title, content);
}

export function countTextTokens(content: string): number {
  return textTokens(content);
}

export function digestText(input: DigestInput): NotesDigest {
  return digestNotes(input);
}

// A type that is stated is not read.
export type StatedText = Omit<DigestInput, 'type'> & { type: ReleaseKind | null };

export interface TextFacts {
  type: ReleaseKind;
  tokens: number;
  digest: NotesDigest;
}

export function readFacts(text: StatedText): TextFacts {
  const type = text.type ?? readKind(text);
  return { type, tokens: countTextTokens(text.content), digest: digestText({ ...text, type }) };
}

const KIND_READING = threadTask(import.meta.url, readKind);
const TOKEN_COUNTING = threadTask(import.meta.url, countTextTokens);
const DIGESTING = threadTask(import.meta.url, digestText);
const FACT_READING = threadTask(import.meta.url, readFacts);

export function kindReading({ title, content }: Text): Computation<Text, ReleaseKind> {
  return { task: KIND_READING, input: { title, content }, size: content.length };
}

export function tokenCounting(content: string): Computation<string, number> {
  return { task: TOKEN_COUNTING, input: content, size: content.length };
}

export function factReading(text: StatedText): Computation<StatedText, TextFacts> {
  return { task: FACT_READING, input: text, size: text.content.length };
}

function digesting(input: DigestInput): Computation<DigestInput, NotesDigest> {
  return { task: DIGESTING, input, size: input.content.length };
}

// Undefined for a short text, which is cheap to process again together with its version step.
export async function digestOfLong(ctx: Context, input: DigestInput): Promise<NotesDigest | undefined> {
  return input.content.length > MAX_INLINE_CHARS ? resultOf(ctx, digesting(input)) : undefined;
}
