// Stored row → wire shape. One item shape serves every feed.
import type { Context } from '../../context.ts';
import type { FeedItem, LeanReleaseItem, MediaItem, ReleaseItem } from '../../contract/release.ts';
import { deriveSlug } from '../../domain/slugs.ts';
import { parseJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema.ts';
import { loadSurroundings, type Surroundings } from './surroundings.ts';

type LeanRow = Omit<ReleaseRow, 'content'>;

export async function releaseItems(ctx: Context, rows: readonly ReleaseRow[]): Promise<ReleaseItem[]> {
  const surroundings = await loadSurroundings(
    ctx,
    rows.map((row) => row.source_id),
  );
  return rows.map((row) => ({ ...leanItem(ctx, row, around(surroundings, row)), content: row.content }));
}

export async function feedItems(ctx: Context, rows: readonly (LeanRow & { content?: string })[]): Promise<FeedItem[]> {
  const surroundings = await loadSurroundings(
    ctx,
    rows.map((row) => row.source_id),
  );
  return rows.map((row) => {
    const item = leanItem(ctx, row, around(surroundings, row));
    return row.content === undefined ? item : { ...item, content: row.content };
  });
}

function around(surroundings: Map<string, Surroundings>, row: LeanRow): Surroundings {
  const found = surroundings.get(row.source_id);
  if (!found) throw new Error(`release ${row.id} has no source`);
  return found;
}

export function leanItem(ctx: Context, row: LeanRow, near: Surroundings): LeanReleaseItem {
  return {
    id: row.id,
    orgId: near.orgId,
    sourceId: row.source_id,
    version: row.version,
    title: row.title,
    summary: row.summary,
    description: row.summary,
    publishedAt: row.published_at,
    fetchedAt: row.fetched_at,
    updatedAt: row.updated_at,
    url: row.url,
    webUrl: releaseWebUrl(ctx.config.webUrl, row),
    media: readMedia(row.media),
    type: row.type,
    prerelease: row.prerelease === 1,
    titleGenerated: row.title_generated,
    titleShort: row.title_short,
    breaking: row.breaking,
    migrationNotes: row.migration_notes,
    importance: row.importance,
    coverageCount: row.coverage_count,
    coverageOf: row.coverage_of,
    contentChars: row.content_chars,
    contentTokens: row.content_tokens,
    composition: row.composition ? parseJson(row.composition) : null,
    source: releaseSourceOf(near),
    org: near.orgId ? { id: near.orgId, slug: near.orgSlug ?? '', name: near.orgName ?? '' } : null,
    product: near.productId
      ? {
          id: near.productId,
          slug: near.productSlug ?? '',
          name: near.productName ?? '',
          kind: near.productKind,
        }
      : null,
    groupSlug: near.productSlug ?? near.sourceSlug,
    groupName: near.productName ?? near.sourceName,
  };
}

function releaseSourceOf(near: Surroundings): LeanReleaseItem['source'] {
  return {
    id: near.sourceId,
    slug: near.sourceSlug,
    name: near.sourceName,
    type: near.sourceType,
    kind: near.sourceKind,
    orgSlug: near.orgSlug,
    orgName: near.orgName,
    orgAvatarUrl: near.orgAvatarUrl,
    orgGithubHandle: near.orgGithubHandle,
    ...storeAndVideo(near),
  };
}

type StoreAndVideo = Pick<LeanReleaseItem['source'], 'appStore' | 'video'>;

export function storeAndVideo(near: Surroundings): StoreAndVideo {
  const result: StoreAndVideo = {};
  if (near.sourceType === 'appstore') {
    result.appStore = { platform: near.appPlatform === 'macos' ? 'macos' : 'ios', iconUrl: near.appIconUrl };
  }
  if (near.sourceType === 'video' && near.videoProvider) {
    result.video = { provider: near.videoProvider };
  }
  return result;
}

type Titled = Pick<ReleaseRow, 'id' | 'title_short' | 'title_generated' | 'title' | 'version'>;

export function releaseWebUrl(webUrl: string, row: Titled): string {
  for (const text of [row.title_short, row.title_generated, row.title, row.version]) {
    const slug = text ? deriveSlug(text) : null;
    if (slug) return `${webUrl}/release/${row.id}-${slug}`;
  }
  return `${webUrl}/release/${row.id}`;
}

export function readMedia(stored: string): MediaItem[] {
  if (stored === '[]') return [];
  try {
    const value: unknown = JSON.parse(stored);
    return Array.isArray(value) ? (value as MediaItem[]) : [];
  } catch {
    return [];
  }
}
