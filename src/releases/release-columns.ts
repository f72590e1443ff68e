// Columns of releases that are derived from others: the hash and counts of a text, its type, the digest and steps of its notes,
// the listing, the category, and which derived columns are pinned. Of a long text a thread computes what is expensive.
import type { Context } from '../context.ts';
import type { Category } from '../contract/enums.ts';
import { type DigestInput, digestNotes, type NotesDigest, releaseType } from '../domain/notes/index.ts';
import { guideSteps } from '../domain/notes/steps.ts';
import { keysOf } from '../domain/records.ts';
import { contentHash } from '../domain/release-identity.ts';
import { textTokens } from '../domain/tokens/index.ts';
import type { SourceInOrg } from '../entities/resolve.ts';
import { parseJson, toJson } from '../store/json-text.ts';
import type { ReleaseRow } from '../store/schema/releases.ts';
import { MAX_INLINE_CHARS } from '../threads/documents.ts';
import { type Computation, resultOf } from '../threads/results.ts';
import { threadTask } from '../threads/task.ts';

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

export function readSteps(notes: string): string[] {
  return guideSteps(notes);
}

const KIND_READING = threadTask(import.meta.url, readKind);
const TOKEN_COUNTING = threadTask(import.meta.url, countTextTokens);
const DIGESTING = threadTask(import.meta.url, digestText);
const FACT_READING = threadTask(import.meta.url, readFacts);
const STEP_READING = threadTask(import.meta.url, readSteps);

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

export function isLong({ content }: { content: string }): boolean {
  return content.length > MAX_INLINE_CHARS;
}

// Undefined for a short text, which is cheap to process again together with its version step.
export async function digestOfLong(ctx: Context, input: DigestInput): Promise<NotesDigest | undefined> {
  return isLong(input) ? resultOf(ctx, digesting(input)) : undefined;
}

// The steps of migration notes, or of a section of a guide, that no digest has read.
export async function stepsColumn(ctx: Context, notes: string | null): Promise<ReleaseRow['upgrade_steps']> {
  if (notes === null) return null;
  return toJson(await resultOf(ctx, { task: STEP_READING, input: notes, size: notes.length }));
}

// Works out the steps of a long text before the transaction that stores them opens.
export async function prepareSteps(ctx: Context, notes: string | null): Promise<void> {
  if (notes !== null && isLong({ content: notes })) await stepsColumn(ctx, notes);
}

// Whoever writes migration notes writes their steps.
export async function notesColumns(
  ctx: Context,
  notes: string | null,
): Promise<Pick<ReleaseRow, 'migration_notes' | 'upgrade_steps'>> {
  return { migration_notes: notes, upgrade_steps: await stepsColumn(ctx, notes) };
}

export type DerivedColumns = Pick<
  ReleaseRow,
  | 'summary'
  | 'title_generated'
  | 'title_short'
  | 'breaking'
  | 'by_version'
  | 'migration_notes'
  | 'upgrade_steps'
  | 'importance'
  | 'composition'
  | 'security'
  | 'derived_by'
>;

export async function textColumns(
  ctx: Context,
  text: { title: string; content: string; publishedAt: string | null },
  { version, tokens }: { version: string | null; tokens?: number | undefined },
) {
  return {
    title: text.title,
    content: text.content,
    content_hash: contentHash({ ...text, version }),
    content_chars: text.content.length,
    content_tokens: tokens ?? (await resultOf(ctx, tokenCounting(text.content))),
    published_at: text.publishedAt,
  };
}

const VERDICT = ['breaking', 'importance', 'security'] as const;

// Whether filters by meaning could see the release differently.
export function changesVerdict(stored: ReleaseRow, next: ReleaseRow): boolean {
  return VERDICT.some((column) => stored[column] !== next[column]);
}

// 2 listed, 1 coverage of another release, 0 suppressed; negative while the source is not visible.
export function listingOf(row: { suppressed: number; coverage_of: string | null }, visible: boolean): number {
  if (row.suppressed) return 0;
  const own = row.coverage_of ? 1 : 2;
  return visible ? own : -own;
}

export function effectiveCategory(sourceInOrg: SourceInOrg): Category | null {
  return sourceInOrg.product?.category ?? sourceInOrg.org?.category ?? null;
}

// The columns of derived texts by the names under which operators pin them.
const DERIVED_FIELDS: Record<string, string> = {
  summary: 'summary',
  title_generated: 'titleGenerated',
  title_short: 'titleShort',
  breaking: 'breaking',
  by_version: 'breaking',
  migration_notes: 'migrationNotes',
  upgrade_steps: 'migrationNotes',
  importance: 'importance',
  composition: 'composition',
};

// The derived columns that are not pinned.
export function unpinned<T extends object>(derived: T, stored: Pick<ReleaseRow, 'pinned'>): Partial<T> {
  const pinned = new Set<string>(parseJson(stored.pinned));
  const open: Partial<T> = { ...derived };
  for (const column of keysOf(derived)) if (pinned.has(DERIVED_FIELDS[column] ?? '')) delete open[column];
  return open;
}
