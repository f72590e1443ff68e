import type { WriteContext } from '../../context.ts';
import { cutText } from '../../domain/clean-text.ts';
import { foldText, wordText } from '../../domain/search-text/analysis.ts';
import { encodeToken, exactTokens } from '../../domain/search-text/exact-tokens.ts';
import { scopeTerms } from '../../domain/search-text/scope-terms.ts';
import type { IndexableRelease } from '../../ports.ts';
import type { FullTextRow } from '../../store/dialect.ts';
import { resultOf } from '../../threads/results.ts';
import { threadTask } from '../../threads/task.ts';
import { endLongTurn } from '../../threads/turns.ts';

const MAX_CONTENT = 200_000;
const MAX_LINE = 4_000;
const PIECE = 16_000;

// Writes the full-text rows of releases; when two share a key, the last one counts.
export async function writeReleaseText(ctx: WriteContext, releases: readonly IndexableRelease[]): Promise<void> {
  const byKey = new Map(releases.map((release) => [release.doc_key, release]));
  // Falling keys would cost the embedded engine twice the time.
  const rows: FullTextRow[] = [];
  for (const release of byKey.values()) {
    const texts = textsOf(release);
    const { length } = texts.content;
    const size = length > LONG_TEXT ? length : 0;
    rows.push(fullTextRow(release, await resultOf(ctx, { task: FOLDING, input: texts, size })));
    await endLongTurn();
  }
  rows.sort((a, b) => a.key - b.key);
  if (rows.length > 0) await ctx.store.dialect.writeFullText(ctx.tx, 'releases', rows);
}

export async function removeReleaseText(ctx: WriteContext, docKeys: readonly number[]): Promise<void> {
  if (docKeys.length > 0) await ctx.store.dialect.deleteFullText(ctx.tx, 'releases', docKeys);
}

type IndexedTexts = Pick<
  IndexableRelease,
  'title' | 'title_generated' | 'content' | 'version' | 'package_part' | 'productName' | 'summary'
>;
type FoldedTexts = Omit<FullTextRow, 'key' | 'scope'>;

function textsOf(release: IndexableRelease): IndexedTexts {
  const { title, title_generated, content, version, package_part, productName, summary } = release;
  return { title, title_generated, content, version, package_part, productName, summary };
}

export function foldTexts(release: IndexedTexts): FoldedTexts {
  const title = cutFolded(`${release.title}\n${release.title_generated ?? ''}`, MAX_LINE);
  const content = cutFolded(release.content, MAX_CONTENT);
  const names = [release.version, release.package_part, release.productName].filter((name) => name !== null);
  return {
    title: wordText(title),
    version: wordText(cutFolded(names.join('\n'), MAX_LINE)),
    summary: wordText(cutFolded(release.summary, MAX_LINE)),
    content: wordText(content),
    tokens: exactTokens(title, release.version, content).map(encodeToken).join(' '),
  };
}

const FOLDING = threadTask(import.meta.url, foldTexts);
// Tokenizing the most expensive text of this length takes about 15 ms.
const LONG_TEXT = 32_000;

export function fullTextRow(release: IndexableRelease, texts = foldTexts(textsOf(release))): FullTextRow {
  return {
    key: release.doc_key,
    ...texts,
    scope: scopeTerms({
      org: release.org_id,
      product: release.product_id,
      source: release.source_id,
      kind: release.kind,
      category: release.effective_category,
      sourceType: release.sourceType,
      type: release.type,
      breaking: release.breaking,
      importance: release.importance,
      prerelease: release.prerelease === 1,
      coverage: Math.abs(release.listing) === 1,
      undated: release.published_at === null,
    }).join(' '),
  };
}

// The text is folded in pieces, because one character may unfold into eighteen.
function cutFolded(text: string, length: number): string {
  const whole = cutText(text, length);
  if (whole.length <= PIECE) return cutText(foldText(whole), length);
  let folded = '';
  for (let at = 0; at < whole.length && folded.length < length; ) {
    const piece = cutText(whole.slice(at, at + PIECE + 1), PIECE);
    folded += foldText(piece);
    at += piece.length;
  }
  return cutText(folded, length);
}
