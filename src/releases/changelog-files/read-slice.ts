// A slice of a stored changelog file. Reading does not start a refresh.
import { type Context, queries } from '../../context.ts';
import type { ChangelogFileFields, ChangelogSlice } from '../../contract/changelog.ts';
import { notFound } from '../../contract/errors.ts';
import { DEFAULT_LIMIT, sliceByChars, sliceByTokens } from '../../domain/changelog/slice.ts';
import { pick } from '../../domain/records.ts';
import { resolveSource, type SourcePath } from '../../entities/resolve.ts';
import { parseJson } from '../../store/json-text.ts';
import type { ChangelogFileRow, HeadingIndex } from '../../store/schema/repositories.ts';

interface SliceRequest {
  path?: string;
  offset?: number;
  limit?: number;
  tokens?: number;
}

export async function readChangelogSlice(
  ctx: Context,
  source: SourcePath,
  range: SliceRequest,
): Promise<ChangelogSlice> {
  const found = await resolveSource(ctx, source);
  const files = await listFiles(ctx, found.source.id);
  const chosen =
    range.path === undefined
      ? files.find((file) => file.canonical === 1)
      : files.find((file) => file.path === range.path);
  if (!chosen) throw notFound('changelog_file', range.path ?? found.source.slug);
  const { content, headings } = await queries(ctx)
    .selectFrom('changelog_files')
    .select(['content', 'headings'])
    .where('id', '=', chosen.id)
    .executeTakeFirstOrThrow();
  const index = parseJson(headings);
  const fields = changelogFileFields(chosen);
  return {
    ...pick(fields, 'path', 'filename', 'url', 'rawUrl', 'bytes', 'fetchedAt'),
    ...cut(content, index, range),
    ...pick(fields, 'totalChars', 'totalTokens', 'truncated', 'truncatedAt'),
    files: files.map((file) =>
      pick(changelogFileFields(file), 'path', 'filename', 'url', 'bytes', 'fetchedAt', 'canonical'),
    ),
  };
}

function changelogFileFields(row: FileHead): ChangelogFileFields {
  return {
    path: row.path,
    filename: row.filename,
    url: row.url,
    rawUrl: row.raw_url,
    bytes: row.bytes,
    fetchedAt: row.fetched_at,
    canonical: row.canonical === 1,
    totalChars: row.total_chars,
    totalTokens: row.total_tokens,
    truncated: row.truncated_at !== null,
    truncatedAt: row.truncated_at,
  };
}

type SliceCut = Pick<ChangelogSlice, 'content' | 'offset' | 'limit' | 'nextOffset' | 'tokens' | 'sliceTokens'>;

// Any range parameter enables range mode; tokens take precedence over limit.
function cut(content: string, index: HeadingIndex, { offset, limit, tokens }: SliceRequest): SliceCut {
  if (tokens !== undefined) {
    const slice = sliceByTokens(content, index.offsets, { offset, tokens, sectionTokens: index.sectionTokens });
    const text = content.slice(slice.offset, slice.offset + slice.length);
    const { nextOffset, sliceTokens } = slice;
    return { content: text, offset: slice.offset, limit: content.length, nextOffset, tokens, sliceTokens };
  }
  if (offset === undefined && limit === undefined) {
    return { content, offset: 0, limit: content.length, nextOffset: null };
  }
  const size = limit ?? DEFAULT_LIMIT;
  const slice = sliceByChars(content, index.offsets, { offset, limit: size });
  const text = content.slice(slice.offset, slice.offset + slice.length);
  return { content: text, offset: slice.offset, limit: size, nextOffset: slice.nextOffset };
}

type FileHead = Omit<ChangelogFileRow, 'content' | 'parser_version' | 'headings'>;

// The canonical file comes first, the others by path.
export function listFiles(ctx: Context, sourceId: string): Promise<FileHead[]> {
  return queries(ctx)
    .selectFrom('changelog_files')
    .select([
      'id',
      'source_id',
      'path',
      'filename',
      'url',
      'raw_url',
      'blob_hash',
      'bytes',
      'total_chars',
      'total_tokens',
      'truncated_at',
      'canonical',
      'fetched_at',
    ])
    .where('source_id', '=', sourceId)
    .orderBy('canonical', 'desc')
    .orderBy('path')
    .execute();
}
