// The row of a release as wire fields. Feeds, details, search hits and events pick from these.
import type { Context } from '../../context.ts';
import type {
  FeedItem,
  LeanReleaseItem,
  MediaItem,
  ReleaseFields,
  ReleaseItem,
  StoredReleaseFields,
} from '../../contract/release.ts';
import { deriveSlug } from '../../domain/slugs.ts';
import { factsOf } from '../../domain/source-types.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { loadSurroundings, type ReleaseOwners } from './surroundings.ts';

export async function releaseItems(
  ctx: Context,
  rows: readonly (ReleaseColumns & { content: string })[],
): Promise<ReleaseItem[]> {
  const surroundings = await loadSurroundings(
    ctx,
    rows.map((row) => row.source_id),
  );
  return rows.map((row) => {
    const item: LeanReleaseItem & { content?: string } = leanItem(ctx, row, around(surroundings, row));
    item.content = row.content;
    return item as ReleaseItem;
  });
}

export async function feedItems(
  ctx: Context,
  rows: readonly (ReleaseColumns & { content?: string })[],
): Promise<FeedItem[]> {
  const surroundings = await loadSurroundings(
    ctx,
    rows.map((row) => row.source_id),
  );
  return rows.map((row) => {
    const item: FeedItem = leanItem(ctx, row, around(surroundings, row));
    if (row.content !== undefined) item.content = row.content;
    return item;
  });
}

function around(surroundings: Map<string, ReleaseOwners>, row: ReleaseColumns): ReleaseOwners {
  const found = surroundings.get(row.source_id);
  if (!found) throw new Error(`release ${row.id} has no source`);
  return found;
}

// The columns that `releaseFields` reads.
export const RELEASE_COLUMNS = [
  'id',
  'source_id',
  'version',
  'title',
  'summary',
  'published_at',
  'fetched_at',
  'updated_at',
  'url',
  'media',
  'type',
  'prerelease',
  'title_generated',
  'title_short',
  'breaking',
  'migration_notes',
  'importance',
  'coverage_count',
  'coverage_of',
  'content_chars',
  'content_tokens',
  'composition',
] as const satisfies (keyof ReleaseRow)[];

type ReleaseColumns = Pick<ReleaseRow, (typeof RELEASE_COLUMNS)[number]>;

// Where the org of the release is known, its id comes second, as items have it.
export function releaseFields(
  row: ReleaseColumns,
  webUrl: string,
  orgId: string | null = null,
): ReleaseFields & Pick<LeanReleaseItem, 'orgId'> {
  return {
    id: row.id,
    orgId,
    sourceId: row.source_id,
    version: row.version,
    title: row.title,
    summary: row.summary,
    description: row.summary,
    publishedAt: row.published_at,
    fetchedAt: row.fetched_at,
    updatedAt: row.updated_at,
    url: row.url,
    webUrl: releaseWebUrl(webUrl, row),
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
    composition: row.composition && parseJson(row.composition),
  };
}

// Lists have thousands of items: what follows the fields is added to them, because copying them costs more than reading
// them, and releases of one source share what is said about it.
export function leanItem(ctx: Context, row: ReleaseColumns, near: ReleaseOwners): LeanReleaseItem {
  const item = releaseFields(row, ctx.config.webUrl, near.orgId) as LeanReleaseItem;
  const { source, org, product } = ownersOf(near);
  item.source = source;
  item.org = org;
  item.product = product;
  item.groupSlug = near.productSlug ?? near.sourceSlug;
  item.groupName = near.productName ?? near.sourceName;
  return item;
}

type ItemOwners = Pick<LeanReleaseItem, 'source' | 'org' | 'product'>;

const itemOwners = new WeakMap<ReleaseOwners, ItemOwners>();

function ownersOf(near: ReleaseOwners): ItemOwners {
  let owners = itemOwners.get(near);
  if (owners === undefined) {
    owners = {
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
    };
    itemOwners.set(near, owners);
  }
  return owners;
}

// Further fields of the row that only writers see.
export function storedReleaseFields(row: ReleaseRow): StoredReleaseFields {
  return {
    guid: row.guid,
    versionSort: row.version_sort,
    packagePart: row.package_part,
    contentHash: row.content_hash,
    suppressed: row.suppressed === 1,
    suppressedReason: row.suppressed_reason,
    pinned: parseJson(row.pinned),
    revisionCount: row.revision_count,
    embeddedAt: row.embedded_at,
  };
}

function releaseSourceOf(near: ReleaseOwners): LeanReleaseItem['source'] {
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

export function storeAndVideo(near: ReleaseOwners): StoreAndVideo {
  const result: StoreAndVideo = {};
  const { details } = factsOf(near.sourceType);
  if (details === 'appStore') {
    result.appStore = { platform: near.appPlatform === 'macos' ? 'macos' : 'ios', iconUrl: near.appIconUrl };
  }
  if (details === 'video' && near.videoProvider) {
    result.video = { provider: near.videoProvider };
  }
  return result;
}

type TitledRelease = Pick<ReleaseRow, 'id' | 'title_short' | 'title_generated' | 'title' | 'version'>;

export function releaseWebUrl(webUrl: string, row: TitledRelease): string {
  for (const text of [row.title_short, row.title_generated, row.title, row.version]) {
    const slug = text ? deriveSlug(text) : null;
    if (slug) return `${webUrl}/release/${row.id}-${slug}`;
  }
  return `${webUrl}/release/${row.id}`;
}

const NO_MEDIA = toJson<MediaItem>([]);

function readMedia(stored: ReleaseRow['media']): MediaItem[] {
  if (stored === NO_MEDIA) return [];
  try {
    const value = parseJson(stored);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

// The first picture, for lists that show one.
export function thumbnailOf({ media }: Pick<ReleaseFields, 'media'>) {
  const image = media.find((item) => item.type !== 'video');
  return image ? { url: image.url, ...(image.alt ? { alt: image.alt } : {}) } : null;
}
