// Columns of releases that are derived from others: the hash and counts of a text, the listing, the category, and which
// derived columns are pinned.
import type { Context } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import { keysOf } from '../../domain/records.ts';
import { contentHash } from '../../domain/release-identity.ts';
import { parseJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { resultOf } from '../../threads/results.ts';
import type { SourceInOrg } from '../resolve.ts';
import { tokenCounting } from './text-facts.ts';

export type DerivedColumns = Pick<
  ReleaseRow,
  | 'summary'
  | 'title_generated'
  | 'title_short'
  | 'breaking'
  | 'migration_notes'
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
  migration_notes: 'migrationNotes',
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
