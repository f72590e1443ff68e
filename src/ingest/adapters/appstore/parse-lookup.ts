// The answer of the lookup service, and the version that it shows as an item.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AppPlatform } from '../../../contract/enums.ts';
import { selectMedia } from '../../../domain/html/media.ts';
import { textToMarkdown } from '../../../domain/html/to-markdown.ts';
import { parseDateTime } from '../../../domain/timestamps.ts';
import { isHttpUrl } from '../../../domain/urls.ts';
import { jsonReader } from '../../../threads/json.ts';
import type { Item } from '../contract.ts';
import type { AppIdentity } from './identify.ts';

const MAX_SCREENSHOTS = 8;
const MAX_NAME = 200;

const urls = z.array(z.string()).nullish();
const app = z.object({
  kind: z.string().nullish(),
  trackName: z.string().min(1),
  version: z.string().min(1),
  trackViewUrl: z.string().nullish(),
  releaseNotes: z.string().nullish(),
  currentVersionReleaseDate: z.string().nullish(),
  artworkUrl512: z.string().nullish(),
  artworkUrl100: z.string().nullish(),
  artworkUrl60: z.string().nullish(),
  screenshotUrls: urls,
  ipadScreenshotUrls: urls,
});

type StoreApp = z.infer<typeof app>;

const answer = z.object({ results: z.array(z.unknown()) });
const head = z.object({ kind: z.string().nullish(), trackId: z.union([z.number(), z.string()]).nullish() });
const KINDS: Record<AppPlatform, string> = { ios: 'software', macos: 'mac-software' };
// One app was asked for.
const MAX_RESULTS = 100;

export interface StoreListing {
  name: string;
  icon: string | null;
  // The version that the store shows.
  item: Item;
  itemHash: string;
}

type LookupReading =
  | ({ kind: 'app' } & StoreListing)
  | { kind: 'none' }
  | { kind: 'other_app' }
  | { kind: 'malformed' };

// One id can be an app of both platforms; only the requested app on the requested platform counts.
export function parseLookup(json: unknown, identity: AppIdentity): LookupReading {
  const wanted = KINDS[identity.platform];
  const { data } = answer.safeParse(json);
  if (!data || data.results.length > MAX_RESULTS) return { kind: 'malformed' };
  const onPlatform = data.results.flatMap((result) => {
    const { data: found } = head.safeParse(result);
    return found !== undefined && (found.kind ?? wanted) === wanted ? [{ result, trackId: found.trackId }] : [];
  });
  if (onPlatform.length === 0) return { kind: 'none' };
  const fitting = onPlatform.find(({ trackId }) => String(trackId ?? identity.id) === identity.id)?.result;
  if (fitting === undefined) return { kind: 'other_app' };
  const found = app.safeParse(fitting).data;
  if (!found) return { kind: 'malformed' };
  const item = appItem(found, identity);
  const itemHash = createHash('sha256').update(JSON.stringify(item)).digest('hex');
  return { kind: 'app', name: appName(found), icon: appIcon(found), item, itemHash };
}

export const LOOKUP = jsonReader(import.meta.url, parseLookup);

function appName({ trackName }: StoreApp): string {
  return trackName
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);
}

function appIcon({ artworkUrl512, artworkUrl100, artworkUrl60 }: StoreApp): string | null {
  return [artworkUrl512, artworkUrl100, artworkUrl60].find((url) => url && isHttpUrl(url)) ?? null;
}

function appItem(found: StoreApp, { id, platform }: AppIdentity): Item {
  const version = found.version.trim();
  const date = parseDateTime(found.currentVersionReleaseDate ?? '');
  const screenshots = [...(found.screenshotUrls ?? []), ...(found.ipadScreenshotUrls ?? [])];
  return {
    title: `${appName(found)} ${version}`,
    content: textToMarkdown(found.releaseNotes ?? ''),
    version,
    url: versionAddress(found.trackViewUrl, version),
    // The guid does not use the address, which holds the name of the app and can change.
    guid: `${platform}:${id}:${version}`,
    publishedAt: date === null ? null : new Date(date.ms).toISOString(),
    datePrecision: date === null ? null : 'time',
    dateFromUpdated: false,
    media: selectMedia(screenshots.map((url) => ({ url }))).slice(0, MAX_SCREENSHOTS),
    categories: [],
    links: [],
    origin: 'store',
    confidence: 1,
  };
}

function versionAddress(listing: string | null | undefined, version: string): string | null {
  const url = URL.parse(listing ?? '');
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return `${url.origin}${url.pathname}?v=${encodeURIComponent(version)}`;
}
