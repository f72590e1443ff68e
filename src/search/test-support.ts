// Releases for the tests of this folder.
import { type Context, transact } from '../context.ts';
import type { FeedMatch, IndexableRelease } from '../ports.ts';
import { writeReleaseText } from '../releases/indexing/release-text.ts';
import { matchFeed } from './match-feed.ts';

export function indexable(fields: Partial<IndexableRelease> & { doc_key: number }): IndexableRelease {
  return {
    title: '',
    title_generated: null,
    version: null,
    package_part: null,
    summary: '',
    content: '',
    org_id: 'org_aaaaaaaaaaaaaaaaaaaaa',
    product_id: null,
    source_id: 'src_aaaaaaaaaaaaaaaaaaaaa',
    type: 'feature',
    breaking: 'none',
    importance: 2,
    prerelease: 0,
    listing: 2,
    published_at: '2026-01-02T03:04:05.000Z',
    effective_category: null,
    kind: null,
    sourceType: 'github',
    productName: null,
    ...fields,
  };
}

export async function index(ctx: Context, releases: readonly IndexableRelease[]): Promise<void> {
  await transact(ctx, (tx) => writeReleaseText(tx, releases), 'derived');
}

export function find(ctx: Context, q: string, match: Partial<FeedMatch> = {}): Promise<number[]> {
  return matchFeed(ctx, feedMatch(q, match));
}

export function feedMatch(q: string, match: Partial<FeedMatch> = {}): FeedMatch {
  return {
    q,
    scope: {},
    dates: 'dated',
    includePrereleases: false,
    includeCoverage: false,
    minKey: 0,
    maxKey: Number.MAX_SAFE_INTEGER,
    limit: 256,
    ...match,
  };
}
