// Validates the citations of a request and converts them to rows. A span must match the text that it points to.
import { type Context, queries, type WriteContext } from '../../context.ts';
import { type Issue, notFound, validationFailed } from '../../contract/errors.ts';
import type { CitationInput } from '../../contract/overview-input.ts';
import { newId } from '../../domain/ids.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import type { PageCitationRow } from '../../store/schema/insight.ts';

type CitedSpan = Pick<PageCitationRow, 'start_index' | 'end_index' | 'cited_text'>;

const UNKNOWN: CitedSpan = { start_index: 0, end_index: 0, cited_text: '' };

export function citationSpans(content: string, citations: readonly CitationInput[]): CitedSpan[] {
  const issues: Issue[] = [];
  const spans = citations.map((citation, index) => spanOf(content, citation, `citations.${index}`, issues));
  if (issues.length > 0) throw validationFailed(issues);
  return spans;
}

function spanOf(content: string, citation: CitationInput, path: string, issues: Issue[]): CitedSpan {
  const { startIndex: start, endIndex: end, citedText } = citation;
  if (start === undefined && end === undefined) return UNKNOWN;
  if (start === undefined || end === undefined) {
    issues.push({ path, reason: 'startIndex and endIndex go together' });
    return UNKNOWN;
  }
  const slice = content.slice(start, end);
  if (start > end || end > content.length) {
    issues.push({ path, reason: 'startIndex and endIndex must be a span of content' });
  } else if (citedText !== undefined && citedText !== slice && citedText !== slice.trim()) {
    // Texts of bodies are trimmed, so white space at the ends of the slice is ignored.
    issues.push({ path: `${path}.citedText`, reason: 'must equal that slice of content' });
  }
  return { start_index: start, end_index: end, cited_text: slice };
}

// The releases that citations name by id, or by a URL within the org.
export async function citedReleases(
  ctx: Context,
  orgId: string,
  citations: readonly CitationInput[],
): Promise<(string | null)[]> {
  await requireReleases(ctx, citations);
  const addresses = citations.flatMap((citation) =>
    citation.releaseId ? [] : (normalizeUrl(citation.sourceUrl) ?? []),
  );
  const byAddress = await releasesByAddress(ctx, orgId, [...new Set(addresses)]);
  return citations.map(
    (citation) => citation.releaseId ?? byAddress.get(normalizeUrl(citation.sourceUrl) ?? '') ?? null,
  );
}

async function requireReleases(ctx: Context, citations: readonly CitationInput[]): Promise<void> {
  const named = citations.flatMap(({ releaseId }, index) => (releaseId ? [{ releaseId, index }] : []));
  if (named.length === 0) return;
  const found = await queries(ctx)
    .selectFrom('releases')
    .select('id')
    .where(
      'id',
      'in',
      named.map(({ releaseId }) => releaseId),
    )
    .execute();
  const known = new Set(found.map((row) => row.id));
  const missing = named.find(({ releaseId }) => !known.has(releaseId));
  if (missing) throw notFound('release', missing.releaseId, { field: `citations.${missing.index}.releaseId` });
}

// A release with its own URL is stored under it, so the unique key of (source, identity) finds it.
async function releasesByAddress(
  ctx: Context,
  orgId: string,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  if (addresses.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(['id', 'identity_key'])
    .where('source_id', 'in', (eb) =>
      eb.selectFrom('sources').select('id').where('org_id', '=', orgId).where('deleted_at', 'is', null),
    )
    .where(
      'identity_key',
      'in',
      addresses.map((address) => `u:${address}`),
    )
    // The last row wins in the map: listed over coverage over suppressed.
    .orderBy('listing')
    .orderBy('id')
    .execute();
  return new Map(rows.map((row) => [row.identity_key.slice(2), row.id]));
}

export async function insertCitations(
  ctx: WriteContext,
  pageId: string,
  citations: readonly (CitedSpan & { sourceUrl: string; title: string | null; releaseId: string | null })[],
): Promise<void> {
  const rows = citations.map(({ sourceUrl, title, releaseId, ...span }, position) => ({
    id: newId('kpc', ctx.randomBytes),
    page_id: pageId,
    position,
    source_url: sourceUrl,
    title,
    release_id: releaseId,
    ...span,
  }));
  if (rows.length > 0) await ctx.tx.insertInto('page_citations').values(rows).execute();
}
