// Finds the release that `org/source@version` names.
import type { FeedItem } from '../../contract/release.ts';
import { isSameVersion } from '../../domain/versions/same-version.ts';
import { type Api, path } from './api.ts';
import { cursorPages } from './paging.ts';

const PAGE = 100;
// Newer releases mention older versions, so the one that is meant may stand further back.
const MOST_PAGES = 5;

// The releases of a source with this version; several when its packages share it.
export async function releasesOfVersion(api: Api, source: string, version: string): Promise<FeedItem[]> {
  const where = path`/v1/sources/${source}/releases`;
  const query = { q: version, include_prereleases: true, include_coverage: true };
  const read = cursorPages<FeedItem>(api, { path: where, query, key: 'releases' });
  const found: FeedItem[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items, next } = await read({ cursor, limit: PAGE });
    found.push(...items.filter((item) => item.version !== null && isSameVersion(item.version, version)));
    if (found.length > 0 || next === null) break;
    cursor = next;
  }
  const exact = found.filter((item) => item.version === version);
  return exact.length > 0 ? exact : found;
}
